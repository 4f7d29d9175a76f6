// A path and a name in: a process that writes to that store without end, and tells each row on stdout once it is acknowledged.
import { writeSync } from "node:fs";
import { createSqliteStore } from "@robots-stream/fetch/sqlite";
import { writtenEntry } from "./written-entry.ts";

const [path = "", writer = "", first = "0"] = process.argv.slice(2);
const store = createSqliteStore(path, { maxBytes: 64 * 1_048_576 });
let next = Number(first);

/** As many at once as a run has under way, so that rows come in batches of every size. */
async function writeWithoutEnd(): Promise<never> {
  for (;;) {
    const number = next++;
    await store.set(writtenEntry(writer, number));
    // One write to a pipe: what is told is told whole.
    writeSync(1, `${number}\n`);
  }
}

await Promise.all(Array.from({ length: 16 }, writeWithoutEnd));
