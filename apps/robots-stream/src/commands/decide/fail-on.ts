// The conditions of --fail-on.
import type { Tally } from "@robots-stream/engine/internal";

/** A condition of `--fail-on`. */
export interface FailCondition {
  readonly name: string;
  readonly about: string;
  isMet(tally: Tally): boolean;
}

/** The conditions of `--fail-on`, in the order of the help. */
export const failConditions: readonly FailCondition[] = [
  {
    name: "disallowed",
    about: "a record was disallowed for an agent",
    isMet: ({ questions }) => questions.some(({ disallowed }) => disallowed > 0),
  },
  {
    name: "unreachable",
    about: "a robots.txt was unreachable",
    isMet: ({ unreachable }) => unreachable > 0,
  },
  {
    name: "undecided",
    about: "a record has no URL that can be decided",
    isMet: ({ questions }) => questions.some(({ undecided }) => undecided > 0),
  },
  {
    name: "reject",
    about: "a line has no valid record",
    isMet: ({ rejects }) => rejects > 0,
  },
];
