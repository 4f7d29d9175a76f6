// Items in, the same items out, with undefined between two items when no item arrived for a while.

/** Yields the items. When no item arrives for `delayMs`, or for at most twice `delayMs`, yields undefined once before the next item. */
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
