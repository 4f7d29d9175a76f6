// Passes on items, and yields undefined between two items when no item has arrived for a while.

/**
 * Yields the items. When the next item has not arrived after a delay, yields undefined once before this item. The delay is between
 * `delayMs` and twice `delayMs`.
 */
export async function* withPauses<T>(items: AsyncIterable<T>, delayMs: number): AsyncGenerator<T | undefined> {
  const iterator = items[Symbol.asyncIterator]();
  let waited = 0;
  let onPause: (() => void) | undefined;
  // One interval for all items: a timer for each item would cost more than processing the item.
  const clock = setInterval(() => {
    if (++waited === 2) onPause?.();
  }, delayMs);
  try {
    for (;;) {
      const next = iterator.next();
      // The consumer may have left before this promise rejects; an unhandled rejection would end the process.
      next.catch(() => undefined);
      waited = 0;
      const pause = new Promise<undefined>((resolve) => (onPause = () => resolve(undefined)));
      const first = await Promise.race([next, pause]);
      if (first === undefined) yield undefined;
      const { done, value } = first ?? (await next);
      if (done === true) return;
      yield value;
    }
  } finally {
    clearInterval(clock);
    await iterator.return?.();
  }
}
