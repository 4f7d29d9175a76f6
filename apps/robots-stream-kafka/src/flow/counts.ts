// What became of messages and of their lines: in = out + dead + later + left out + under way.

/** Fates of a message or of a line. */
export type Fate = "out" | "dead" | "later" | "leftOut";
export const fates: readonly Fate[] = ["out", "dead", "later", "leftOut"];

/** Counts of messages or of lines. */
export interface FateCounts extends Record<Fate, number> {
  in: number;
}

/** The counts of a worker since its start. */
export class Counts {
  readonly messages: FateCounts = { in: 0, out: 0, dead: 0, later: 0, leftOut: 0 };
  /** A message that has no lines (a tombstone) counts as one. */
  readonly lines: FateCounts = { in: 0, out: 0, dead: 0, later: 0, leftOut: 0 };
  /** Messages of ended assignments whose fate is another member's to count: they will be read again. */
  abandoned = 0;
  /** Messages written, by topic. */
  readonly written: Map<string, number> = new Map();
  /** Messages that were gone before they were read, because their offsets did not exist any more. */
  lost = 0n;
  outOfRange = 0;
  commits = 0;
  failedCommits = 0;
  joins = 0;
  fetchFailures = 0;

  /** Whether nothing was lost: messages that are not under way have a fate. */
  isExact(underWay: number): boolean {
    const { in: all, out, dead, later, leftOut } = this.messages;
    const { lines } = this;
    return (
      all === out + dead + later + leftOut + this.abandoned + underWay &&
      (underWay > 0 || this.abandoned > 0 || lines.in === lines.out + lines.dead + lines.later + lines.leftOut)
    );
  }
}
