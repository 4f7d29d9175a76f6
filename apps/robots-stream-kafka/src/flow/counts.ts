// Counts messages and lines by their fate. For messages: in = out + dead + later + left out + abandoned + under way.

/** The possible fates of a message or a line. A message whose lines have several fates has the first of these. */
export const fates = ["out", "later", "dead", "leftOut"] as const;
export type Fate = (typeof fates)[number];

/** The counts of messages or of lines. */
export type FateCounts = Record<Fate | "in", number>;

/** The counts of a worker since its start. The last line of stdout has them. */
export class Counts {
  readonly messages: FateCounts = { in: 0, out: 0, dead: 0, later: 0, leftOut: 0 };
  /** Lines by fate. A message without lines (a tombstone) is counted as one line. */
  readonly lines: FateCounts = { in: 0, out: 0, dead: 0, later: 0, leftOut: 0 };
  /** Messages of ended assignments. The partition's next owner reads them again and counts their fate. */
  abandoned = 0;
  /** Messages written, by topic. */
  readonly written: Map<string, number> = new Map();
  /** Dead lines, by code. */
  readonly deadLetters: Map<string, number> = new Map();
  /** Number of offsets that were deleted before they were read. */
  offsetsLost = 0;
  outOfRange = 0;
  commits = 0;
  failedCommits = 0;
  joins = 0;
  fetchFailures = 0;

  /**
   * Whether every message has a fate, was abandoned, or is one of the `underWay` messages. If no message is under way or abandoned, every
   * line must have a fate too.
   */
  isExact(underWay: number): boolean {
    const sumOf = (all: FateCounts): number => fates.reduce((sum, fate) => sum + all[fate], 0);
    return (
      this.messages.in === sumOf(this.messages) + this.abandoned + underWay &&
      (underWay > 0 || this.abandoned > 0 || this.lines.in === sumOf(this.lines))
    );
  }
}
