// Runs the command `cache`, which lists, shows, exports, imports and removes cache entries, and returns its exit code.
import { existsSync } from "node:fs";
import { IoError, UsageError } from "@robots-stream/engine";
import { openSource } from "@robots-stream/engine/internal";
import type { SqliteStore } from "@robots-stream/fetch/sqlite";
import { importEntries, shownFileOf } from "../../cli/cache/import-entries.ts";
import { type CachePlace, cachePlaceOf, shownPlace } from "../../cli/cache/settings.ts";
import { commandBody, type Running } from "../../cli/command-body.ts";
import { openOutput } from "../../cli/command-output.ts";
import { writeText } from "../../cli/ending.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { countText, numberText } from "../../cli/figures.ts";
import { filesOfCache } from "../../cli/named-files.ts";
import {
  type ActionContext,
  type CacheAction,
  cacheActions,
  type CacheCommand,
  cacheCommandOf,
  cacheFlags,
  originOf,
} from "./command.ts";
import { exportEntries } from "./export.ts";
import { listEntries, listSitemaps, showOrigins } from "./show.ts";

export const cacheCommand = commandBody({
  name: "cache",
  actions: { names: cacheActions, example: "ls" },
  flags: cacheFlags,
  help: {
    start: `
robots-stream cache: the robots.txt files that earlier runs fetched

Usage
  robots-stream cache path                      where the cache is
  robots-stream cache ls [TEXT …]               origins (that contain TEXT) and their last fetch
  robots-stream cache show ORIGIN|URL …         the last fetch of an origin, with its robots.txt
  robots-stream cache sitemaps [TEXT …]         the sitemaps that the files name, one per line
  robots-stream cache export [ORIGIN|URL …]     every fetch
  robots-stream cache import [FILE|- …]         adds an export, or the robots.txt files of any WARC
  robots-stream cache prune [ORIGIN|URL …]      removes fetches

Examples
  robots-stream cache show https://example.com --at 2026-11-01
  robots-stream cache show https://example.com/page --body > robots.txt
  robots-stream cache export --output-file robots.warc.gz
  robots-stream cache export --newest --snapshot robots-2026-11
  robots-stream cache prune --older-than 90d --superseded
`,
    exitCodes: {
      0: "done",
      1: "show: the cache has no entry for an origin",
      2: "wrong usage, nothing was done",
      3: "the cache, an input or the output failed; or rows to export are damaged",
    },
    stopped: "",
  },
  async run(running) {
    const command = cacheCommandOf(running);
    const place = cachePlaceOf(running.flags.get("cache"), running.env);
    if (place.kind === "none")
      throw new UsageError("wrong-value", "there is no cache: --cache none, or no home folder");
    const { action } = command;
    return action === "path" ? `${shownPlace(place)}\n` : act({ ...command, action }, place, running);
  },
});

async function act(
  command: CacheCommand & { readonly action: StoreAction },
  place: Exclude<CachePlace, { kind: "none" }>,
  { stdin, stdout, signal, say, use, print, namedFiles }: Running,
): Promise<number> {
  if (place.kind === "redis") {
    throw new UsageError(
      "wrong-value",
      `cache ${command.action} works on a folder; use the tools of the server for a cache on a server`,
    );
  }
  const inputs = command.action !== "import" ? [] : command.names.length === 0 ? ["-"] : command.names;
  const used = use(inputs, command.output, [...namedFiles, ...filesOfCache(place.path)]);
  if (command.action !== "import" && !existsSync(place.path)) {
    say(`there is no cache at ${shownPlace(place)} yet`);
    if (command.action === "show") return exitCodes.conditionMet;
    // Truncates the file of --output-file. Otherwise the output of an earlier command could be mistaken for the output of this command.
    return print(command.output, used, () => Promise.resolve(exitCodes.done));
  }
  const { StoreError, createSqliteStore } = await import("@robots-stream/fetch/sqlite");
  const output = openOutput(command.output, stdout, used);
  let store: SqliteStore | undefined;
  try {
    const { action } = command;
    const maxBytes = command.flags.get("cache-max-bytes");
    store = createSqliteStore(place.path, action === "import" && maxBytes !== undefined ? { maxBytes } : {});
    const write = async (data: string | Uint8Array): Promise<void> => {
      signal.throwIfAborted();
      await writeText(output.stream, data);
    };
    const context: ActionContext = { command, store, say, write, stdin, stdout: output.stream, signal };
    const code = await actions[command.action](context);
    // Without an entry for an origin, the output file keeps its content: an empty file would be a robots.txt that allows everything.
    if (code === exitCodes.done) await output.finish();
    return code;
  } catch (error) {
    if (error instanceof StoreError) throw new IoError("input", `cache ${shownPlace(place)}`, error);
    throw error;
  } finally {
    await store?.close().catch(() => undefined);
    output.close();
  }
}

/** The actions that open the store. */
type StoreAction = Exclude<CacheAction, "path">;

const actions: Readonly<Record<StoreAction, (context: ActionContext) => Promise<number>>> = {
  ls: listEntries,
  show: showOrigins,
  sitemaps: listSitemaps,
  export: exportEntries,
  import: importFiles,
  prune,
};

/** Imports the files, and reports the counts of each file. Reports and skips invalid entries. Resolves to the exit code. */
async function importFiles({ command, store, say, stdin, signal }: ActionContext): Promise<number> {
  for (const name of command.names.length === 0 ? ["-"] : command.names) {
    const source = openSource(name, stdin);
    await importEntries({ shown: shownFileOf(name), source, merge: (batch) => store.merge(batch), say, signal });
  }
  return exitCodes.done;
}

async function prune({ command, store, say }: ActionContext): Promise<number> {
  const { names, flags } = command;
  const [olderThanMs, maxBytes] = [flags.get("older-than"), flags.get("cache-max-bytes")];
  const before = store.size();
  await store.prune({
    origins: names.map(originOf),
    superseded: flags.get("superseded"),
    ...(flags.get("all")
      ? { beforeMs: Number.MAX_SAFE_INTEGER }
      : olderThanMs === undefined
        ? {}
        : { beforeMs: Date.now() - olderThanMs }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
  const after = store.size();
  say(
    `${numberText(before.fetches - after.fetches)} of ${countText(before.fetches, "fetch", "fetches")} removed; ` +
      `${numberText(after.fetches)} of ${countText(after.origins, "origin")} ${after.fetches === 1 ? "is" : "are"} left, ` +
      `in ${countText(after.bytes, "byte")}`,
  );
  return exitCodes.done;
}
