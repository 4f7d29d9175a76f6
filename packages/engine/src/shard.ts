// An origin in, the part of a divided run that it belongs to out. The result is the same on every machine and in every version.

/** One of several parts of a run. */
export interface Shard {
  /** From 1 to `count`. */
  readonly part: number;
  readonly count: number;
}

/** The 32-bit FNV-1a hash of an origin, which is ASCII. */
export function hashOf(origin: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < origin.length; at++) hash = Math.imul(hash ^ origin.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Whether an origin belongs to a part; a record without an origin belongs to the first part. */
export function isInShard(origin: string | undefined, { part, count }: Shard): boolean {
  return (origin === undefined ? 0 : hashOf(origin) % count) === part - 1;
}
