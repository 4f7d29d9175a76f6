// One origin of a run: what decides about its records, and what was made of that.
import type { Matcher } from "@robots-stream/core";
import { type ByteMatcher, byteMatcherOf } from "@robots-stream/core/byte-matcher";
import type { AgentStates } from "./agents/agent-states.ts";
import type { Held } from "./matcher-room.ts";

/** What a decision puts behind the heads of rows. */
export interface Tail {
  readonly bytes: Buffer;
  readonly allowed: boolean;
  /** How often it was decided so. */
  hits: number;
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
  /** The same, for targets that are bytes. */
  byteMatchers: readonly ByteMatcher[] = [];
  /** What an unavailable or unreachable robots.txt rests on. */
  code = "";
  /** The end of an output row for each decision made, by its place, for each question. */
  tails: (readonly (Tail | undefined)[])[] = noTails;
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

  /** Keeps the end of rows for the decision at a place. */
  keepTail(index: number, place: number, tail: Tail): void {
    const tails = this.tails[index]!;
    // As long as it has to be: an array that grows keeps room for more.
    const longer = new Array<Tail | undefined>(Math.max(tails.length, place + 1));
    for (let at = 0; at < longer.length; at++) longer[at] = at === place ? tail : tails[at];
    this.tails[index] = longer;
  }

  /** Takes what decides from now on. */
  settle(matchers: readonly Matcher[], code: string): void {
    this.matchers = matchers;
    this.byteMatchers = byteMatchersOf(matchers);
    this.code = code;
    this.tails = matchers.map(() => noTail);
  }

  /** Lets go of all that was made; who still has this state has to look for the one in its place. */
  forget(): void {
    this.isForgotten = true;
    this.matchers = undefined;
    this.byteMatchers = [];
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
const noTails: (readonly (Tail | undefined)[])[] = [];
const noTail: readonly undefined[] = [];

// Origins without a file share their matchers, and should share these.
let lastMatchers: readonly Matcher[] = [];
let lastByteMatchers: readonly ByteMatcher[] = [];

function byteMatchersOf(matchers: readonly Matcher[]): readonly ByteMatcher[] {
  if (matchers === lastMatchers) return lastByteMatchers;
  lastMatchers = matchers;
  return (lastByteMatchers = matchers.map(byteMatcherOf));
}
