// Explains a decision about a page in English: one line for the answer, one for each ground, one for each directive without effect.
import type { Ground, IgnoredBecause, PageDecision } from "./decide-page.ts";

/** The most grounds, and the most directives without effect, that a text lists. */
const mostListed = 20;
/** The most characters that are quoted of a header line or tag. */
const longestQuoted = 100;

const reasons: Readonly<Record<Exclude<IgnoredBecause, "other-crawler">, string>> = {
  place: "tags do not count there",
  "only-in-tags": "it does not count in headers",
  unknown: "it is no known directive",
  "not-documented": "the engine does not document it",
  dead: "the engine ignores it",
  "invalid-value": "its value is not valid",
  default: "it states what holds anyway",
  overridden: "another directive overrides it",
  "without-noindex": "it counts only together with noindex",
};

/**
 * English text, a line for each fact, without a line end at its end. Control characters of the page are escaped, and long texts are
 * cut. Directives for other crawlers are left out.
 */
export function explainPage(decision: PageDecision): string {
  const { productToken, engine, indexable, isAmbiguous, because, ignored } = decision;
  const by = engine === "draft" ? "by the draft of a standard, as nothing is documented" : `as ${engine} documents it`;
  const about = ignored.filter((each) => each.because !== "other-crawler");
  return [
    `${indexable ? "Indexable" : "Not indexable"} for ${quoted(productToken)}, ${by}.`,
    ...listOf(because, (ground) => textOf(ground)),
    ...listOf(about, (each) => {
      const reason = each.because === "other-crawler" ? "" : reasons[each.because];
      return `Without effect: ${textOf(each)}, because ${reason}`;
    }),
    ...(isAmbiguous ? ["Lines of X-Robots-Tag were joined: which crawlers a directive is for is uncertain."] : []),
  ].join("\n");
}

function listOf<Each>(all: readonly Each[], lineOf: (each: Each) => string): readonly string[] {
  const more = all.length - mostListed;
  return [...all.slice(0, mostListed).map(lineOf), ...(more > 0 ? [`… and ${more} more`] : [])];
}

const places = { head: "in the head", body: "in the body", noscript: "in a noscript", svg: "in an svg or math" };

function textOf({ directive: { name, value }, statement }: Ground): string {
  const { from, line, place, text } = statement;
  const shown = quoted(value === undefined ? name : `${name}: ${value}`);
  return from === "x-robots-tag"
    ? `${shown} by line ${line} of X-Robots-Tag (${jsonOf(text)})`
    : `${shown} by <meta name=${jsonOf(statement.name ?? "")}> on line ${line} ${places[place ?? "head"]} (${jsonOf(text)})`;
}

/** A text for printing: quoted and escaped if it has other than ordinary characters. */
function quoted(text: string): string {
  return text.length <= longestQuoted && /^[\w*./: +-]+$/.test(text) ? text : jsonOf(text);
}

/** A string of JSON in ASCII, cut when it is long. */
function jsonOf(text: string): string {
  const cut = text.length > longestQuoted ? `${text.slice(0, longestQuoted)}…` : text;
  return JSON.stringify(cut).replace(
    /[\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
