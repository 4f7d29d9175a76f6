// Chunks in, their first bytes and all of the chunks again out: for looking at a source before saying how to read it.

/** The beginning of a source, and the source: the beginning as one chunk, then the rest. */
export interface Peeked {
  /** Means nothing any more as soon as the chunks are read. */
  readonly beginning: Uint8Array;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Collects chunks until `isEnough` says so of one, which it sees once each and in order, or until they end. */
export async function peek(
  chunks: AsyncIterable<Uint8Array>,
  isEnough: (chunk: Uint8Array) => boolean,
): Promise<Peeked> {
  const iterator = chunks[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  for (;;) {
    const next = await iterator.next();
    if (next.done === true) break;
    const isLast = isEnough(next.value);
    // A chunk may change when the next is asked for.
    held.push(isLast ? next.value : Buffer.from(next.value));
    if (isLast) break;
  }
  const [first = new Uint8Array(0)] = held;
  const beginning = held.length === 1 ? first : Buffer.concat(held);
  return { beginning, chunks: goOn(beginning, iterator) };
}

async function* goOn(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (first.byteLength > 0) yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
