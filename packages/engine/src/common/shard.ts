// An origin in, the part of a divided run that decides its records out. The result is the same on every machine and in every version.

/** One of the `count` parts of a divided run. */
export interface Shard {
  /** From 1 to `count`. */
  readonly part: number;
  readonly count: number;
}

/** The 32-bit FNV-1a hash of an origin, which must be ASCII. */
export function hashOf(origin: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < origin.length; at++) hash = Math.imul(hash ^ origin.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Whether an origin belongs to a part of the run. A record without an origin (undefined) belongs to part 1. */
export function isInShard(origin: string | undefined, { part, count }: Shard): boolean {
  return (origin === undefined ? 0 : hashOf(origin) % count) === part - 1;
}
