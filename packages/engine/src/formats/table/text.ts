// Makes the texts of an answer for a table: a mark, a word and the reason; and cuts a text to a number of terminal columns.
import type { Answer } from "../types.ts";

/** A decision as a table shows it. "no crawler" is not a decision: a browser, for example, made the request. */
export type Verdict = "allowed" | "disallowed" | "undecided" | "no crawler";

/** The sign before each word, for readers who cannot distinguish the colours. */
export const markOf: Readonly<Record<Verdict, string>> = {
  allowed: "✔",
  disallowed: "✘",
  undecided: "–",
  "no crawler": "–",
};

/** The decision of an answer. */
export function verdictOf({ allowed, because }: Pick<Answer, "allowed" | "because">): Verdict {
  if (because === "not-a-crawler") return "no crawler";
  return allowed === null ? "undecided" : allowed ? "allowed" : "disallowed";
}

const reasons: Readonly<Record<string, string>> = {
  "invalid-url": "invalid URL",
  "url-too-long": "URL is too long",
  "robots-txt": "robots.txt itself",
  "no-file": "no robots.txt is known",
  outage: "robots.txt was unreachable",
  "no-time": "versions differ, and the record has no time",
  connect: "a CONNECT, which has no URL",
};

/** The members of an answer that are shown in a table's own columns, or not at all. */
const ownMembers: ReadonlySet<string> = new Set([
  "agent",
  "dialect",
  "kind",
  "allowed",
  "because",
  "group",
  "code",
  "rule",
  "line",
  "origin",
] satisfies readonly (keyof Answer)[]);

/** The text of an answer's other members, such as "  verified: false"; "" if it has no other members. */
export function membersTextOf(answer: Answer): string {
  return Object.entries(answer)
    .filter(([name]) => !ownMembers.has(name))
    .map(([name, value]) => `  ${name}: ${shortTextOf(value)}`)
    .join("");
}

/** The text of versions of a robots.txt, with shortened hashes: "3f2a9c04d1be of 2026-11-01". Undefined if an element is not a version. */
function versionsTextOf(versions: readonly unknown[]): string | undefined {
  const texts = versions.map((each) => {
    const { version, from } = (each ?? {}) as { readonly version?: unknown; readonly from?: unknown };
    if (typeof version !== "string") return undefined;
    return version.slice(0, shortHash) + (typeof from === "string" ? ` of ${from.slice(0, dateLength)}` : "");
  });
  return texts.includes(undefined) ? undefined : texts.join(", ");
}

const shortHash = 12;
const dateLength = 10;

/** The text of a member's value. An object whose members have a `value` each, such as `usage`, becomes "train-ai disallow". */
function shortTextOf(value: unknown): string {
  if (typeof value === "string") return value;
  const versions = Array.isArray(value) ? versionsTextOf(value) : undefined;
  if (versions !== undefined) return versions;
  const values = Object.entries(value ?? {}).flatMap(([name, member]: [string, unknown]) => {
    const inner = typeof member === "object" && member !== null && "value" in member ? member.value : undefined;
    return typeof inner === "string" ? [[name, inner] as const] : [];
  });
  if (values.length === 0) return JSON.stringify(value);
  const known = values.filter(([, inner]) => inner !== "unknown").map((pair) => pair.join(" "));
  return known.length === 0 ? "unknown" : known.join(", ");
}

/** The reason for an answer: "3  disallow: /cart", "3  disallow: /cart  (unknown crawler)", "unreachable: http-503", "no rule". */
export function whyOf({ because, rule, line, code }: Pick<Answer, "because" | "rule" | "line" | "code">): string {
  if (rule !== undefined && line !== undefined) {
    return `${line}  ${rule}${because === "rule" ? "" : `  (${because.replaceAll("-", " ")})`}`;
  }
  const reason = reasons[because] ?? because.replaceAll("-", " ");
  return code === undefined ? reason : `${reason}: ${code}`;
}

/** The number of columns that a character takes: none for a combining mark, two for an East Asian one. */
type WidthOf = (codePoint: number) => number;

const ellipsis = "…";
/** Largest number of characters for one column. A text with more combining marks is cut earlier, which limits the time. */
const mostCharactersPerColumn = 8;

// oxlint-disable-next-line no-control-regex
const isAscii = /^[\x00-\x7f]*$/;

/**
 * The width of a text without control characters. Infinity, without measuring, for a text that has more characters than may be shown in
 * `columns` columns.
 */
export function widthWithin(text: string, columns: number, widthOf: WidthOf): number {
  if (isAscii.test(text)) return text.length;
  if (text.length > columns * 2 * mostCharactersPerColumn) return Infinity;
  let width = 0;
  for (const character of text) width += widthOf(character.codePointAt(0)!);
  return width;
}

/** The text, cut at its end to at most `columns` columns. */
export function cutEnd(text: string, columns: number, widthOf: WidthOf): string {
  if (widthWithin(text, columns, widthOf) <= columns) return text;
  return columns < 1 ? "" : beginningOf(text, columns - 1, widthOf) + ellipsis;
}

/** The text, cut in the middle to at most `columns` columns. Keeps both ends: of a URL, the host and the end of the path. */
export function cutMiddle(text: string, columns: number, widthOf: WidthOf): string {
  if (widthWithin(text, columns, widthOf) <= columns) return text;
  if (columns < 1) return "";
  const atEnd = Math.floor((columns - 1) / 2);
  return beginningOf(text, columns - 1 - atEnd, widthOf) + ellipsis + endOf(text, atEnd, widthOf);
}

function beginningOf(text: string, columns: number, widthOf: WidthOf): string {
  const most = columns * mostCharactersPerColumn;
  let found = "";
  let width = 0;
  let count = 0;
  for (const character of text) {
    width += widthOf(character.codePointAt(0)!);
    if (width > columns || ++count > most) break;
    found += character;
  }
  return found;
}

function endOf(text: string, columns: number, widthOf: WidthOf): string {
  const most = columns * mostCharactersPerColumn;
  // A character has at most two UTF-16 units. The loop stops before the first element, which may be half of a surrogate pair.
  const characters = Array.from(text.slice(-2 * most - 2));
  const least = Math.max(0, characters.length - most);
  let at = characters.length;
  for (let width = 0; at > least; at--) {
    width += widthOf(characters[at - 1]!.codePointAt(0)!);
    if (width > columns) break;
  }
  // A mark without its letter would be drawn over the ellipsis.
  while (at < characters.length && widthOf(characters[at]!.codePointAt(0)!) === 0) at++;
  return characters.slice(at).join("");
}
