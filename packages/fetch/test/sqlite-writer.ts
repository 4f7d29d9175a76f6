// A process that writes rows to a store until it is killed, and prints the number of each acknowledged row. Arguments: path, writer's
// name, first number.
import { writeSync } from "node:fs";
import { createSqliteStore } from "@robots-stream/fetch/sqlite";
import { writtenEntry } from "./written-entry.ts";

const [path = "", writer = "", first = "0"] = process.argv.slice(2);
const store = createSqliteStore(path, { maxBytes: 64 * 1_048_576 });
let next = Number(first);

/** Writes rows one after another. Several calls run at once, as in a real run, so that batches of different sizes occur. */
async function writeWithoutEnd(): Promise<never> {
  for (;;) {
    const number = next++;
    await store.set(writtenEntry(writer, number));
    // One write to the pipe, so that no printed number is cut.
    writeSync(1, `${number}\n`);
  }
}

await Promise.all(Array.from({ length: 16 }, writeWithoutEnd));
