// Creates one object per file, for one kind of file and one kind of object, and prints as JSON how much memory the objects take. Needs
// --expose-gc, and --no-opt: optimized code takes memory too, but does not belong to a file.
import type { Held } from "../suites/memory.ts";
import { holdings, memoryCases } from "../suites/memory-cases.ts";

const [caseName, holdingName, seed, quick] = process.argv.slice(2);
const files = memoryCases.find(({ name }) => name === caseName)!;
const { hold } = holdings.find(({ name }) => name === holdingName)!;

/** Bytes in use after garbage collection. */
function bytesInUse(): number {
  for (let pass = 0; pass < 4; pass++) globalThis.gc!();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const bytes = files.create(Number(seed), quick === "true").map((text) => new Uint8Array(Buffer.from(text)));
// Create objects that all files share (tables, compiled functions, growing buffers) before the first measurement.
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
