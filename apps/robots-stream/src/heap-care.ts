// Nothing in; the heap of a command kept from growing more than what is alive in it calls for.
import { setFlagsFromString } from "node:v8";

/** Garbage that there may be in the old part of the heap before it is collected, of what is alive: over the network, and once memory is short. */
const modestPercent = 100;
const garbagePercent = 50;

/**
 * To be called before a run. Left alone, V8 gives new objects up to 64 MB, keeps as much again for later, and saves next
 * to no time by it: nearly nothing here is made and thrown away record by record. So little is left of them that threads
 * which share the work of looking for it cost more than they do.
 */
export function keepYoungHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--no-parallel-scavenge");
}

/** To be called when as much is thrown away as is made. Left alone, the heap grows to four times what is alive in it. */
export function keepOldHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${garbagePercent}`);
}

/**
 * To be called before a run over the network. What an exchange makes lives as long as it, a second or less, and is old by then:
 * of 20,000 origins a third of the memory was such garbage, and collecting it takes a few hundredths of the time.
 */
export function keepOldHeapModest(): void {
  setFlagsFromString(`--heap-growing-percent=${modestPercent}`);
}
