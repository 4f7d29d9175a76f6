// One origin of a run: where what decides about its records stands, and what else is known of it.
import type { AgentStates } from "./agent-states.ts";
import type { Held } from "./matcher-room.ts";

/** How the questions about an origin share its blocks. */
export interface BlockSharing {
  /** The product token that each question's decisions name; undefined where no two of a block differ, and the block tells. */
  readonly productTokens: readonly (string | undefined)[] | undefined;
  /** For each question its number among those of its block; undefined where lists have a place for every question. */
  readonly slots: Int32Array | undefined;
  /** For each question how many share its block. */
  readonly sharers: Int32Array | undefined;
}

/** One origin of the run, as long as it is remembered. */
export class OriginState implements Held {
  /** What decides its first question, a block of `Answers`; 0 while its robots.txt is not there, and when it is forgotten. */
  block = 0;
  /** What decides its other questions. */
  others: readonly number[] = none;
  /** How its questions share blocks; undefined where that follows from the blocks alone. */
  sharing: BlockSharing | undefined;
  isUsed = true;
  isForgotten = false;
  readonly origin: string;
  /** Its number, the same whenever it is made again. */
  readonly number: number;
  /** Where the first of its questions stands among all questions of the run. */
  readonly first: number;
  /** Where each record says whom it is about: the state that this is a part of. */
  readonly whole: OriginState | undefined;
  /** What an unavailable or unreachable robots.txt rests on. */
  code = "";
  /** Its records that wait in a file, as long as its robots.txt is not there. */
  spilled = 0;
  bytes = 0;
  /** Those of them that are ends of rows: they can go while the rest stays. */
  tailBytes = 0;
  isInRound = false;
  /** Whether it can be made again. */
  canBeForgotten = false;
  /** Its states for one crawler each, where each record says whom it is about. */
  agents: AgentStates | undefined;

  constructor(origin: string, number: number, first = 0, whole?: OriginState) {
    this.origin = origin;
    this.number = number;
    this.first = first;
    this.whole = whole;
  }

  /** Whether its records can be decided. */
  get isReady(): boolean {
    return this.block !== 0;
  }

  /** What decides the question of this number, 0 for the first. */
  blockAt(index: number): number {
    return index === 0 ? this.block : this.others[index - 1]!;
  }

  /** Takes what decides, a block for each question; of none nothing is ready any more. */
  settle(blocks: readonly number[], sharing?: BlockSharing): void {
    this.sharing = sharing;
    this.block = blocks[0] ?? 0;
    this.others = blocks.length > 1 ? blocks.slice(1) : none;
  }

  /** What it is found again by, see `OriginTable.stateAt`. */
  get key(): number {
    return this.first === 0 ? this.number : keyOf(this.number, this.first);
  }
}

const none: readonly number[] = [];

/** What a state is found again by. */
export function keyOf(number: number, first: number): number {
  return first * 2 ** 32 + number;
}
