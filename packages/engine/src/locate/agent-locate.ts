// Batches of records with their User-Agent headers in, each record's origin, crawler and target out.
import { productTokenOf } from "@robots-stream/agents";
import { PackedRecords } from "../records/packed.ts";
import type { Batch } from "../records/batch.ts";
import type { LocatedBatch } from "./locate.ts";
import type { OriginState } from "../origins/origin-state.ts";
import type { OriginTable } from "../origins/origins.ts";
import { type Shard, isInShard } from "../shard.ts";
import type { Tally } from "../tally.ts";
import { locateUrl } from "./target.ts";
import { utf8TextOf } from "../text.ts";
import type { AgentQuestions } from "./record-questions.ts";

/** Headers that are remembered: those of a log are few, those of an attacker need not be. */
const mostHeaders = 10_000;
const longestHeader = 1_000;

/** What `made` holds for a record that has no robots.txt to be judged by: the ground, and the crawler after a space. */
function problemWith(ground: string, token: string): string {
  return `${ground} ${token}`;
}

/** What an agent locator needs. */
export interface AgentLocatorOptions {
  readonly origins: OriginTable;
  readonly questions: AgentQuestions;
  readonly tally: Tally;
  /** Records of other parts are counted and left out. */
  readonly shard: Shard | undefined;
}

/** Finds origins, crawlers and targets. */
export class AgentLocator {
  readonly #origins: OriginTable;
  readonly #questions: AgentQuestions;
  readonly #tally: Tally;
  readonly #shard: Shard | undefined;
  readonly #tokens = new Map<string, string | undefined>();

  constructor({ origins, questions, tally, shard }: AgentLocatorOptions) {
    this.#origins = origins;
    this.#questions = questions;
    this.#tally = tally;
    this.#shard = shard;
  }

  /** Locates every record; the loading of new origins begins here, of those that a known crawler visited. */
  locate({ heads, urls, agents = [] }: Batch): LocatedBatch {
    this.#origins.trim();
    const bytes = Buffer.from(heads.join(""), "latin1");
    const packed = new PackedRecords(bytes, bytes, heads.length);
    const states: (OriginState | undefined)[] = [];
    const made: string[] = [];
    let end = 0;
    for (let record = 0; record < heads.length; record++) {
      const start = end;
      end = start + heads[record]!.length;
      const url = urls[record]!;
      const located = locateUrl(url);
      const parsed = typeof located === "string" ? undefined : located;
      if (this.#shard !== undefined && !isInShard(parsed?.origin, this.#shard)) {
        this.#tally.elsewhere++;
        continue;
      }
      packed.push(start, end, -1, made.length);
      const token = this.#tokenOf(agents[record] ?? "");
      if (token === undefined) {
        states.push(undefined);
        made.push("not-a-crawler");
        continue;
      }
      const { first, questions } = this.#questions.about(token);
      states.push(parsed === undefined ? undefined : this.#origins.stateFor(parsed.origin, token, first, questions));
      made.push(typeof located === "string" ? problemWith(located, token) : located.target);
    }
    return { count: made.length, heads: bytes, bytes, spans: packed.spans, states, made, recycle: undefined };
  }

  /** The token of the crawler that a header names. */
  #tokenOf(header: string): string | undefined {
    if (header.length > longestHeader) return productTokenOf(header);
    const known = this.#tokens.get(header);
    if (known !== undefined || this.#tokens.has(header)) return known;
    if (this.#tokens.size === mostHeaders) this.#tokens.clear();
    const token = productTokenOf(utf8TextOf(header));
    // A copy: a piece of a block would keep the whole block in memory.
    this.#tokens.set(Buffer.from(header, "latin1").toString("latin1"), token);
    return token;
  }
}
