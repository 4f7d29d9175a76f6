// Nothing in, a heap that grows less out: for runs that hold as much as they may.
import { setFlagsFromString } from "node:v8";

/** Garbage that there may be in the heap before it is collected, of what is alive. */
const growthPercent = 50;

/** Left alone, the heap grows to several times what is alive before anything is thrown away. Holds for all threads. */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
