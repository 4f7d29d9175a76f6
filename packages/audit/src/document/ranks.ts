// Ranks the names in a document's rows, so that rows are sorted as numbers before they are made.
import { verificationRoom } from "../count/keys.ts";
import type { Names } from "../count/names.ts";
import type { Outcome } from "../count/outcomes.ts";
import type { AuditCrawler } from "../states/crawlers.ts";
import { directions, methodNames, stateCodes, statusClasses, verifications } from "../states/states.ts";
import { flips } from "./tables.ts";

/** The rank of each text among the texts of a list, in the order of `compareRows`. Equal texts have equal ranks. */
function ranksOf(texts: readonly string[]): readonly number[] {
  const rankOf = new Map([...new Set(texts)].toSorted(compareTexts).map((text, rank) => [text, rank]));
  return texts.map((text) => rankOf.get(text)!);
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const verificationRanks = ranksOf(verifications);
/** The ranks of the closed lists of names. */
export const stateRanks: readonly number[] = ranksOf(stateCodes);
export const classRanks: readonly number[] = ranksOf(statusClasses);
export const methodRanks: readonly number[] = ranksOf(methodNames);
const directionRanks = ranksOf(directions);
export const flipRanks: readonly number[] = ranksOf(flips);

/** The names of a counter's crawlers and their order, which the rows of all origins share. */
export class CrawlerNames {
  readonly #tokens: readonly string[];
  readonly #ranks: readonly number[];

  constructor(crawlers: readonly AuditCrawler[]) {
    this.#tokens = crawlers.map(({ productToken }) => productToken);
    this.#ranks = ranksOf(this.#tokens);
  }

  /** The product token of an actor's crawler. */
  tokenOf(actor: number): string {
    return this.#tokens[Math.floor(actor / verificationRoom) - 1]!;
  }

  /** The rank of an actor among all actors: by product token, then by verification. Below `actorRoom`. */
  rankOf(actor: number): number {
    const crawler = Math.floor(actor / verificationRoom);
    return this.#ranks[crawler - 1]! * verificationRoom + verificationRanks[actor - crawler * verificationRoom]!;
  }
}

/** The verification of an actor. */
export const verificationOf = (actor: number): (typeof verifications)[number] =>
  verifications[actor % verificationRoom]!;

/** Room for the ranks of `judgementRankOf`. */
export const judgementRoom = 256;

/** The rank of an outcome by the columns state, direction, proven and disputed. */
export function judgementRankOf({ state, direction, proven, disputed }: Outcome): number {
  return ((stateRanks[state]! * 4 + directionRanks[direction]!) * 2 + (proven ? 1 : 0)) * 2 + (disputed ? 1 : 0);
}

/** The texts of names, by number, and the rank of each text. */
export interface RankedNames {
  readonly texts: readonly string[];
  readonly ranks: readonly number[];
}

/** Ranks names. */
export function rankedNamesOf(names: Names): RankedNames {
  const texts = Array.from({ length: names.count }, (_, number) => names.textOf(number));
  return { texts, ranks: ranksOf(texts) };
}
