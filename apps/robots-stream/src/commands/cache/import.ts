// Imports files into the cache: NDJSON exports, and WARC files of this app or of any crawler. The files may be compressed.
import { openSource } from "@robots-stream/engine/internal";
import { importEntries, shownFileOf } from "../../cli/cache/import-entries.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import type { ActionContext } from "./action.ts";

/** Imports the files, and reports the counts of each file. Reports and skips invalid entries. Resolves to the exit code. */
export async function importFiles({ command, store, say, stdin, signal }: ActionContext): Promise<number> {
  for (const name of command.names.length === 0 ? ["-"] : command.names) {
    const source = openSource(name, stdin);
    await importEntries({ shown: shownFileOf(name), source, merge: (batch) => store.merge(batch), say, signal });
  }
  return exitCodes.done;
}
