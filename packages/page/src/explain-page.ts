// Explains a decision about a page in English: one line for the answer, one for each ground, one for each directive without effect.
import { checkArgument } from "./errors.ts";
import type { Ground, Ignored, IgnoredBecause, PageDecision } from "./decide-page.ts";
import { meantBy } from "./known-directives.ts";
import type { Statement } from "./types.ts";

/** The maximum number of grounds that an explanation lists, and of directives without effect. */
const mostListed = 20;
/** The maximum number of UTF-16 code units that are quoted of a text of the page. */
const longestQuoted = 100;

const reasons: Readonly<Record<Exclude<IgnoredBecause, "other-crawler" | "malformed">, string>> = {
  place: "the engine ignores tags there",
  "only-in-tags": "the engine ignores it in headers",
  unknown: "it is not a known directive",
  "not-documented": "the engine does not document it",
  dead: "the engine ignores it",
  "invalid-value": "its value is not valid",
  default: "it states the default",
  overridden: "another directive overrides it",
  "without-noindex": "it has an effect only together with noindex",
};

/** The reasons in which the draft of a standard takes the place of an engine that is not known. */
const reasonsOfDraft: Partial<typeof reasons> = {
  place: "the draft reads no tags there",
  "not-documented": "the draft does not define it",
};

/**
 * Explains a decision in English, with one fact on each line and no line end after the last line. Control characters of the page are
 * escaped, and its long texts are cut. Directives for other crawlers are left out. At most `mostListed` grounds and as many directives
 * without effect are listed; a further line then says how many more there are.
 */
export function explainPage(decision: PageDecision): string {
  checkArgument(
    Array.isArray((decision as Partial<PageDecision> | undefined | null)?.because),
    "A decision is what decidePage returns",
  );
  const { productToken, engine, indexable, isAmbiguous, because, ignored } = decision;
  const by =
    engine === "draft"
      ? "by the draft of a standard, because the crawler's own reading is not known here"
      : `as ${engine} documents it`;
  const about = ignored.filter((each) => each.because !== "other-crawler");
  return [
    `${indexable ? "Indexable" : "Not indexable"} for ${quoted(productToken)}, ${by}.`,
    ...listOf(because, (ground) => textOf(ground)),
    ...listOf(about, (each) => `Without effect: ${textOf(each)}, because ${reasonOf(each, engine === "draft")}`),
    ...(isAmbiguous
      ? ["Lines of X-Robots-Tag were joined, so it is uncertain which crawlers a directive addresses."]
      : []),
  ].join("\n");
}

function reasonOf({ because, directive, statement }: Ignored, isOfDraft: boolean): string {
  if (because === "other-crawler" || because === "malformed") return mistakeIn(statement);
  const meant = because === "unknown" ? meantBy(directive.name) : "";
  const reason = (isOfDraft ? reasonsOfDraft[because] : undefined) ?? reasons[because];
  return meant === "" ? reason : `${reason}: probably ${meant} is meant`;
}

/** Why no engine reads a statement. */
function mistakeIn({ from, mistake }: Statement): string {
  if (from === "x-robots-tag")
    return "a name in X-Robots-Tag is that of one crawler; directives for all crawlers have none";
  if (mistake === undefined) return "a tag has one name: several crawlers need several tags";
  return mistake === "property" ? "the tag has property instead of name" : "the tag has value instead of content";
}

function listOf<Each>(all: readonly Each[], lineOf: (each: Each) => string): readonly string[] {
  const more = all.length - mostListed;
  return [...all.slice(0, mostListed).map(lineOf), ...(more > 0 ? [`… and ${more} more`] : [])];
}

const places = { head: "in the head", body: "in the body", noscript: "in a noscript", svg: "in an svg or math" };

function textOf({ directive: { name, value }, statement }: Ground): string {
  const { from, line, place, text } = statement;
  const shown = quoted(value === undefined ? name : `${name}: ${value}`);
  const attribute = statement.mistake === "property" ? "property" : "name";
  return from === "x-robots-tag"
    ? `${shown} by line ${line} of X-Robots-Tag (${jsonOf(text)})`
    : `${shown} by <meta ${attribute}=${jsonOf(statement.name ?? "")}> on line ${line} ${places[place ?? "head"]} (${jsonOf(text)})`;
}

/**
 * A text for printing: the text itself if it is short and has only letters, digits, spaces and common punctuation, else the result of
 * `jsonOf`.
 */
function quoted(text: string): string {
  return text.length <= longestQuoted && /^[\w*./: +-]+$/.test(text) ? text : jsonOf(text);
}

/** The hidden characters of `visible.ts` in packages/core, which this package does not import. */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** A JSON string of the text, cut after `longestQuoted` code units. Control characters and invisible characters are escaped. */
function jsonOf(text: string): string {
  const cut = text.length > longestQuoted ? `${text.slice(0, longestQuoted)}…` : text;
  return JSON.stringify(cut).replaceAll(hidden, (character) => {
    let escapes = "";
    for (let at = 0; at < character.length; at++) {
      escapes += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
    }
    return escapes;
  });
}
