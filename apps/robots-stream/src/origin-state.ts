// One origin of a run: what decides about its records, and what was made of that.
import type { Decision, Matcher } from "@robots-stream/core";
import type { AgentStates } from "./agents/agent-states.ts";
import type { Held } from "./matcher-room.ts";

/** Ends of rows by decision. */
export interface Tails {
  lastDecision: Decision;
  lastTail: string;
  /** All of them, once there are several. */
  others: Map<Decision, string> | undefined;
}

/** One origin of the run, as long as it is remembered. */
export class OriginState implements Held {
  readonly origin: string;
  /** Its number, the same whenever it is made again. */
  readonly number: number;
  /** Where the first of its questions stands among all questions of the run. */
  readonly first: number;
  /** Where each record says whom it is about: the state that this is a part of. */
  readonly whole: OriginState | undefined;
  /** One matcher for each question once the robots.txt is there; none any more when it is forgotten. */
  matchers: readonly Matcher[] | undefined;
  /** What an unavailable or unreachable robots.txt rests on. */
  code = "";
  /** The end of an output row for each decision made, for each question. */
  tails: (Tails | undefined)[] = noTails;
  /** Length of its file; 0 where others have the same matchers. */
  fileBytes = 0;
  /** Records decided. */
  asked = 0;
  /** Its records that wait in a file, as long as its robots.txt is not there. */
  spilled = 0;
  bytes = 0;
  isUsed = true;
  isForgotten = false;
  /** Its states for one crawler each, where each record says whom it is about. */
  agents: AgentStates | undefined;

  constructor(origin: string, number: number, first = 0, whole?: OriginState) {
    this.origin = origin;
    this.number = number;
    this.first = first;
    this.whole = whole;
  }

  /** Takes what decides from now on. */
  settle(matchers: readonly Matcher[], code: string): void {
    this.matchers = matchers;
    this.code = code;
    this.tails = new Array<undefined>(matchers.length);
  }

  /** Lets go of all that was made; who still has this state has to look for the one in its place. */
  forget(): void {
    this.isForgotten = true;
    this.matchers = undefined;
    this.tails = noTails;
    for (const part of this.agents?.all() ?? []) part.forget();
    this.agents = undefined;
  }

  /** What it is found again by, see `OriginTable.stateAt`. */
  get key(): number {
    return this.first === 0 ? this.number : keyOf(this.number, this.first);
  }
}

/** What a state is found again by. */
export function keyOf(number: number, first: number): number {
  return first * 2 ** 32 + number;
}

/** Of all states without tails. */
const noTails = Object.freeze([]) as readonly undefined[] as (Tails | undefined)[];
