// Decides what the statements of a page mean for a crawler, with the header line or tag that causes each effect.
import { isoOf } from "./dates.ts";
import { type EngineName, type EngineProfile, engineOf, engines, heardNamesOf } from "./engines.ts";
import { PageError, checkOptionNames, checkArgument } from "./errors.ts";
import { isKnownDirective, previewSizes, rankOf, valueKindOf } from "./known-directives.ts";
import type { Directive, Statement } from "./types.ts";
import { asciiLowerOf, wordsOf } from "./words.ts";

/** Prohibitions without a value, and "indexifembedded", which limits a noindex: the page may be indexed where another page embeds it. */
export type Prohibition =
  | "noindex"
  | "nofollow"
  | "nosnippet"
  | "noarchive"
  | "nocache"
  | "noimageindex"
  | "notranslate"
  | "noodp"
  | "noyaca"
  | "indexifembedded";

/** A directive and the statement that contains it. */
export interface Ground {
  readonly directive: Directive;
  readonly statement: Statement;
}

/**
 * Why a directive has no effect. "other-crawler": its statement is for other crawlers; "malformed": no engine reads a statement that is
 * written so, see `explainPage`; "place": the engine ignores tags in this place;
 * "only-in-tags": the engine ignores the directive in headers; "unknown": no engine documents the directive; "not-documented": this engine
 * does not document the directive; "dead": this engine documents that it ignores the directive; "invalid-value": the value is not valid;
 * "default": the directive states what applies without it; "overridden": another directive overrides the directive; "without-noindex": the
 * directive has an effect only together with noindex.
 */
export type IgnoredBecause =
  | "other-crawler"
  | "malformed"
  | "place"
  | "only-in-tags"
  | "unknown"
  | "not-documented"
  | "dead"
  | "invalid-value"
  | "default"
  | "overridden"
  | "without-noindex";

/** A directive without effect. */
export interface Ignored extends Ground {
  readonly because: IgnoredBecause;
}

/** The meaning of a page's statements for one crawler. */
export interface PageDecision {
  /** The product token in lower case. */
  readonly productToken: string;
  /** The engine whose documentation the decision follows. */
  readonly engine: EngineName;
  /** Whether the page may be in the index: no noindex applies, and `unavailable_after` has not passed. */
  readonly indexable: boolean;
  /** The prohibitions that apply, and "indexifembedded" if it applies. A `none` is listed as noindex and nofollow. */
  readonly prohibited: readonly Prohibition[];
  /** The maximum number of characters of a snippet; -1 for no limit, undefined if no directive that has an effect sets it. */
  readonly maxSnippet: number | undefined;
  /** The maximum size of an image preview: "none", "standard" or "large"; undefined if no directive sets it. */
  readonly maxImagePreview: string | undefined;
  /** The maximum length of a video preview in seconds; -1 for no limit, undefined if no directive sets it. */
  readonly maxVideoPreview: number | undefined;
  /** The instant after which the page is no longer in the index: ISO 8601 in UTC; undefined if no directive sets it. */
  readonly unavailableAfter: string | undefined;
  /** Whether it is uncertain which crawlers some directives address, because header lines were joined. */
  readonly isAmbiguous: boolean;
  /** The directives that have an effect. */
  readonly because: readonly Ground[];
  /** The directives that have no effect, each with the reason. */
  readonly ignored: readonly Ignored[];
}

/** How a page is decided. */
export interface PageOptions {
  /**
   * The engine whose documentation is applied. Default: the engine that runs the crawler with the product token; "draft" for a crawler of
   * no listed engine.
   */
  readonly engine?: EngineName;
  /**
   * The instant of the decision in seconds since 1970. After the date of `unavailable_after`, the page is not indexable. Default:
   * `unavailable_after` does not change `indexable`.
   */
  readonly atSeconds?: number;
}

/**
 * Decides what statements mean for the crawler with this product token. Never throws for the content of statements; linear in the number of
 * directives. Throws a `PageError` for an unknown option or engine.
 */
export function decidePage(
  statements: Iterable<Statement>,
  productToken: string,
  options: PageOptions = {},
): PageDecision {
  checkOptionNames(options, ["engine", "atSeconds"]);
  checkArgument(typeof productToken === "string", "A product token is a string");
  checkArgument(
    typeof statements !== "string" &&
      typeof (statements as Iterable<Statement> | undefined)?.[Symbol.iterator] === "function",
    "Statements are a list",
  );
  const token = asciiLowerOf(productToken);
  const name = options.engine ?? engineOf(token);
  if (!Object.hasOwn(engines, name)) {
    throw new PageError("ERR_UNKNOWN_ENGINE", `Unknown engine. Engines: ${Object.keys(engines).join(", ")}.`);
  }
  const effects = new Effects(engines[name], token);
  for (const statement of statements) effects.add(statement);
  return effects.decision(options.atSeconds);
}

/** Directives that allow a use, each with the prohibitions that it cancels if the engine's `combination` is "permissive". */
const cancelled: ReadonlyMap<string, readonly Prohibition[]> = new Map([
  ["index", ["noindex"]],
  ["follow", ["nofollow"]],
  ["archive", ["noarchive"]],
  ["all", ["noindex", "nofollow"]],
]);

/** Directives that are abbreviations of several prohibitions. */
const meanings: ReadonlyMap<string, readonly string[]> = new Map([["none", ["noindex", "nofollow"]]]);

/** The effects of statements on one crawler. */
class Effects {
  readonly #engine: EngineProfile;
  readonly #productToken: string;
  readonly #names: ReadonlySet<string>;
  /** The grounds of each effect, keyed by the name of the effect, such as "noindex" or "max-snippet". */
  readonly #grounds = new Map<string, Ground[]>();
  /** The least rank (`rankOf`), which is the most restrictive value, of each directive with a value. */
  readonly #ranks = new Map<string, number>();
  readonly #ignored: Ignored[] = [];
  #isAmbiguous = false;

  constructor(engine: EngineProfile, productToken: string) {
    this.#engine = engine;
    this.#productToken = productToken;
    this.#names = new Set(heardNamesOf(engine, productToken));
  }

  add(statement: Statement): void {
    if (statement.isAmbiguous) this.#isAmbiguous = true;
    const because = this.#whyIgnored(statement);
    for (const directive of statement.directives) {
      const ground = { directive, statement };
      const reason = because ?? this.#whyWithoutEffect(ground);
      if (reason === undefined) this.#take(ground);
      else this.#ignored.push({ ...ground, because: reason });
    }
  }

  #whyIgnored({ from, name, place, mistake }: Statement): IgnoredBecause | undefined {
    if (from === "meta") {
      const names = wordsOf(name ?? "");
      if (!names.some((each) => this.#names.has(each))) return "other-crawler";
      if (mistake !== undefined || names[0] !== name) return "malformed";
      return place === undefined || this.#engine.places[place].value ? undefined : "place";
    }
    if (name === undefined) return undefined;
    if (name === "robots") return "malformed";
    const isHeard = this.#engine.headerTokens.value && this.#names.has(name);
    return isHeard ? undefined : "other-crawler";
  }

  #whyWithoutEffect({ directive: { name, value }, statement }: Ground): IgnoredBecause | undefined {
    const { live, dead, onlyInTags } = this.#engine;
    if (!isKnownDirective(name)) return "unknown";
    if (dead.value.includes(name)) return "dead";
    if (statement.from === "x-robots-tag" && onlyInTags.value.includes(name)) return "only-in-tags";
    if (!live.value.includes(name)) return cancelled.has(name) ? "default" : "not-documented";
    const kind = valueKindOf(name);
    return kind !== undefined && rankOf(kind, value) === undefined ? "invalid-value" : undefined;
  }

  #take(ground: Ground): void {
    const { name, value } = ground.directive;
    const kind = valueKindOf(name);
    const rank = kind === undefined ? undefined : rankOf(kind, value);
    if (rank === undefined) {
      for (const each of meanings.get(name) ?? [name]) this.#addGround(each, ground);
      return;
    }
    const least = this.#ranks.get(name);
    if (least !== undefined && rank > least) {
      this.#ignored.push({ ...ground, because: "overridden" });
      return;
    }
    if (least !== undefined && rank < least) this.#drop(name, "overridden");
    this.#ranks.set(name, rank);
    this.#addGround(name, ground);
  }

  #addGround(effect: string, ground: Ground): void {
    const grounds = this.#grounds.get(effect);
    if (grounds === undefined) this.#grounds.set(effect, [ground]);
    else grounds.push(ground);
  }

  #drop(effect: string, because: IgnoredBecause): void {
    for (const ground of this.#grounds.get(effect) ?? []) this.#ignored.push({ ...ground, because });
    this.#grounds.delete(effect);
    this.#ranks.delete(effect);
  }

  /**
   * Drops the prohibitions that a directive of `cancelled`, such as index, cancels. Drops a directive of `cancelled` that cancels no
   * prohibition.
   */
  #cancel(): void {
    const useful = new Set<string>();
    const allowing = [...cancelled].filter(([name]) => this.#grounds.has(name));
    for (const [name, effects] of allowing) if (effects.some((effect) => this.#grounds.has(effect))) useful.add(name);
    for (const [name, effects] of allowing) {
      if (!useful.has(name)) this.#drop(name, "default");
      for (const effect of effects) this.#drop(effect, "overridden");
    }
  }

  /** Returns the decision. `add` must not be called afterwards, because this method drops grounds. */
  decision(atSeconds: number | undefined): PageDecision {
    const grounds = this.#grounds;
    const { combination, overrides } = this.#engine;
    if (combination.value === "permissive") this.#cancel();
    // `max-snippet:0` also means nosnippet.
    const none = this.#ranks.get("max-snippet") === 0 ? grounds.get("max-snippet") : undefined;
    if (none !== undefined && !grounds.has("nosnippet")) grounds.set("nosnippet", none);
    for (const [winner, loser] of overrides.value) {
      const winning = grounds.get(winner);
      if (winning !== undefined && winning !== grounds.get(loser)) this.#drop(loser, "overridden");
    }
    if (!grounds.has("noindex")) this.#drop("indexifembedded", "without-noindex");
    const until = this.#ranks.get("unavailable_after");
    const isPast = until !== undefined && atSeconds !== undefined && atSeconds > until;
    const size = this.#ranks.get("max-image-preview");
    const number = (name: string): number | undefined => {
      const rank = this.#ranks.get(name);
      return rank === Number.POSITIVE_INFINITY ? -1 : rank;
    };
    return {
      productToken: this.#productToken,
      engine: this.#engine.name,
      indexable: !grounds.has("noindex") && !isPast,
      prohibited: prohibitions.filter((name) => grounds.has(name)),
      maxSnippet: number("max-snippet"),
      maxImagePreview: size === undefined ? undefined : previewSizes[size],
      maxVideoPreview: number("max-video-preview"),
      unavailableAfter: until === undefined ? undefined : isoOf(until),
      isAmbiguous: this.#isAmbiguous,
      because: [...new Set([...grounds.values()].flat())],
      ignored: this.#ignored,
    };
  }
}

const prohibitions: readonly Prohibition[] = [
  "noindex",
  "nofollow",
  "nosnippet",
  "noarchive",
  "nocache",
  "noimageindex",
  "notranslate",
  "noodp",
  "noyaca",
  "indexifembedded",
];
