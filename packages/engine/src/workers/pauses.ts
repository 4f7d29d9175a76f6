// Items that come in time in, the same out, and between them undefined when none came for a while.

/** Goes through `items`; says once of each pause that it has lasted `delayMs`, or up to twice as long. */
export async function* withPauses<T>(items: AsyncIterable<T>, delayMs: number): AsyncGenerator<T | undefined> {
  const iterator = items[Symbol.asyncIterator]();
  let waited = 0;
  let onPause: (() => void) | undefined;
  // One clock for all items: a timer for each would cost more than cutting it.
  const clock = setInterval(() => {
    if (++waited === 2) onPause?.();
  }, delayMs);
  try {
    for (;;) {
      const next = iterator.next();
      // Whoever takes what was said of a pause may be gone when it fails.
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
