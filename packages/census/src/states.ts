// Lists the states in which a file can leave a crawler, and the grounds of these states, each pair as one number (docs/CENSUS.md).

/** How much a robots.txt allows to a crawler, over all targets that a URL can have. */
export const fileStates = ["closed", "mostly-closed", "partly-closed", "open", "not-proved"] as const;
/** A state. */
export type FileState = (typeof fileStates)[number];

/** Which groups bind the crawler: those of its own name, of a fallback name, those for `*`, or none. */
export const fileGrounds = ["own", "fallback", "everybody", "none"] as const;
/** A ground. */
export type FileGround = (typeof fileGrounds)[number];

/** The number of pairs of a state and a ground. */
export const cellCount: number = fileStates.length * fileGrounds.length;

/** The number of a pair. */
export function cellOf(state: FileState, ground: FileGround): number {
  return fileStates.indexOf(state) * fileGrounds.length + fileGrounds.indexOf(ground);
}

/** The state of a pair. */
export function stateOf(cell: number): FileState {
  return fileStates[Math.floor(cell / fileGrounds.length)]!;
}

/** The ground of a pair. */
export function groundOf(cell: number): FileGround {
  return fileGrounds[cell % fileGrounds.length]!;
}

/** What is known about the robots.txt of an origin. */
export const results = ["robots-txt", "no-robots-txt", "not-found", "unreachable", "unread"] as const;
/** A result. */
export type Result = (typeof results)[number];

/** Whether a result says what crawlers may fetch. An unreachable origin and an answer without its file say nothing. */
export function isKnown(result: Result): boolean {
  return result === "robots-txt" || result === "no-robots-txt" || result === "not-found";
}
