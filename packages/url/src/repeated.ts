// URLs of one origin after another in, their origin and target out: a regular expression for the origin that came so often in a row.
import { plainTarget } from "./encode.ts";
import type { ParsedTarget } from "./target.ts";

/** URLs with more UTF-16 code units than these are left to the general way: engines may keep a step back for every few. */
export const longestUrl = 2048;

/** So many in a row are worth a regular expression, which costs about as much as parsing that many URLs. */
const worthwhile = 1000;
/** So many others in a row, and it is given up. */
const patience = 32;

/** A target of plain characters, four at a time: what engines do not look at one by one. */
const anyPlain = classOf(plainTarget);
const plainRest = `(?:${anyPlain.repeat(4)})*(?:${anyPlain}(?:${anyPlain}${anyPlain}?)?)?$`;

interface Repeated {
  readonly pattern: RegExp;
  readonly origin: string;
  /** Where the targets begin. */
  readonly authorityEnd: number;
}

let repeated: Repeated | undefined;
let misses = 0;
// What the last URLs had in common: where their authority ended, and some of its bytes.
let lastEnd = 0;
let lastMark = 0;
let inARow = 0;

/** What parseTarget gives for a URL of the origin that came again and again, if nothing in its target needs a change. */
export function parseRepeated(url: string): ParsedTarget | undefined {
  if (repeated === undefined || url.length > longestUrl) return undefined;
  if (repeated.pattern.test(url)) {
    misses = 0;
    return { origin: repeated.origin, target: url.slice(repeated.authorityEnd) };
  }
  if (++misses > patience) {
    repeated = undefined;
    inARow = 0;
  }
  return undefined;
}

/**
 * Tells of a URL whose authority is plain ASCII and ends before a "/"; `mark` is any number that URLs of the same
 * authority have in common. A wrong guess costs time, never an answer.
 */
export function noteOrigin(url: string, authorityEnd: number, mark: number, origin: string): void {
  if (authorityEnd !== lastEnd || mark !== lastMark) {
    lastEnd = authorityEnd;
    lastMark = mark;
    inARow = 0;
  } else if (++inARow === worthwhile) {
    const authority = url.slice(0, authorityEnd).replaceAll(".", "\\.");
    // Copied by the join: the slice would keep this URL, and what it was cut from, for as long as the origin comes.
    repeated = { pattern: new RegExp(`^${authority}/${plainRest}`), origin: origin.split("").join(""), authorityEnd };
    misses = 0;
    inARow = 0;
  }
}

/** A class of the characters that have a 1 in the table. */
function classOf(table: Uint8Array): string {
  const escapes = Array.from(table, (isIn, code) => (isIn === 1 ? `\\x${code.toString(16).padStart(2, "0")}` : ""));
  return `[${escapes.join("")}]`;
}
