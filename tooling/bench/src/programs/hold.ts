// A kind of files and a thing to hold of each → the bytes of memory that holding it takes, as JSON. Run with --expose-gc.
import { setFlagsFromString } from "node:v8";
import type { Held } from "../suites/memory.ts";
import { holdings, memoryCases } from "../suites/memory-cases.ts";

const [caseName, holdingName, seed, quick] = process.argv.slice(2);
const files = memoryCases.find(({ name }) => name === caseName)!;
const { hold } = holdings.find(({ name }) => name === holdingName)!;
// Optimized code is memory too, but it is not held for a file.
setFlagsFromString("--no-opt");

/** Bytes in use when all garbage is gone. */
function bytesInUse(): number {
  for (let pass = 0; pass < 4; pass++) globalThis.gc!();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const bytes = files.create(Number(seed), quick === "true").map((text) => new Uint8Array(Buffer.from(text)));
// What is made once for all files (tables, compiled functions, growing buffers) is made before the first look.
for (const file of bytes.slice(0, 50)) hold(file);
const before = bytesInUse();
const held = bytes.map((file) => hold(file));
const after = bytesInUse();
const result: Held = {
  heldBytes: after - before,
  fileBytes: bytes.reduce((sum, file) => sum + file.length, 0),
  count: held.length,
};
process.stdout.write(JSON.stringify(result));
