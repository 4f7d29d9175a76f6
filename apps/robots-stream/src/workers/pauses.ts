// Items that come in time in, the same out, and between them undefined when none came for a while.

/** Goes through `items`; says once of each pause that it has lasted `delayMs`. */
export async function* withPauses<T>(items: AsyncIterable<T>, delayMs: number): AsyncGenerator<T | undefined> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      let timer: NodeJS.Timeout | undefined;
      const pause = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, delayMs, undefined)));
      // Whoever takes what was said of a pause may be gone when it fails.
      next.catch(() => undefined);
      const first = await Promise.race([next, pause]).finally(() => clearTimeout(timer));
      if (first === undefined) yield undefined;
      const { done, value } = first ?? (await next);
      if (done === true) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
