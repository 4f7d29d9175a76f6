// Remembers the results of a function. Neighbouring records often have the same time, the same User-Agent header, or the same client.
import { readTime } from "@robots-stream/engine/internal";
import type { LogClock } from "@robots-stream/logs";

const mostTimes = 100;

/** Returns a function with the results of `make`, of which it remembers `most`; a full memory is cleared. */
export function remembered<Key, Result>(most: number, make: (key: Key) => Result): (key: Key) => Result {
  const results = new Map<Key, Result>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined || results.has(key)) return known as Result;
    if (results.size === most) results.clear();
    const made = make(key);
    results.set(key, made);
    return made;
  };
}

/**
 * Returns a reader of time texts, whose `ms` is NaN for a text that is not a time. `clock`: the clock that wrote times without a zone;
 * undefined: such times are read as UTC.
 */
export function timeReader(clock: LogClock | undefined): (time: string) => ReturnType<typeof readTime> {
  return remembered(mostTimes, (time) => readTime(time.trim(), clock));
}
