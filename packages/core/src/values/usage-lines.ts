// Splits the values of Content-Usage and Content-Signal lines into path and statement, and lists the known keys
// (draft-ietf-aipref-attach-05 §3.2).
import { lowerKeyOf } from "../read/bytes.ts";

/** The records that state preferences about the use of content. */
export type UsageRecordName = "content-usage" | "content-signal";

/** The keys of each record's vocabulary; @robots-stream/preferences has them with sources. */
export const usageKeys: Readonly<Record<UsageRecordName, readonly string[]>> = {
  "content-usage": ["train-ai", "search", "ai-use"],
  "content-signal": ["search", "ai-input", "ai-train", "use"],
};

/** The values of the key `use` of Content-Signal, the most restrictive first. */
export const useValues: readonly string[] = ["immediate", "reference", "full"];

/**
 * Product tokens, in lower case, that only control a use of content: no crawler sends requests under these names. Their sources are in
 * @robots-stream/preferences.
 */
export const controlTokenKeys: readonly string[] = [
  "google-extended",
  "applebot-extended",
  "webzio-extended",
  "__usage_ai-training",
];

/** The parts of a value, as offsets. */
export interface StatementPlace {
  /** The end of the path. The path begins at the start of the value. For a value without a path, `pathEnd` is the start of the value. */
  readonly pathEnd: number;
  readonly statementStart: number;
}

/** The places of the path and the statement in a trimmed value. A path begins with `/` and ends before the first SP or HTAB. */
export function statementPlaceOf(bytes: Uint8Array, start: number, end: number): StatementPlace {
  if (start === end || bytes[start] !== 0x2f) return { pathEnd: start, statementStart: start };
  let pathEnd = start;
  while (pathEnd < end && !isSpaceOrTab(bytes[pathEnd]!)) pathEnd++;
  let statementStart = pathEnd;
  while (statementStart < end && isSpaceOrTab(bytes[statementStart]!)) statementStart++;
  return { pathEnd, statementStart };
}

/** One `key=value` of a Content-Signal statement. */
export interface SignalMember {
  /** The key in lower case. */
  readonly key: string;
  /** The value in lower case; undefined when there is no `=`. */
  readonly value: string | undefined;
  /** The offset of the key, and the offset of the end of the member without trailing blanks. */
  readonly at: number;
  readonly end: number;
}

/** The maximum number of characters of a key or a value that are read; no known key or value is longer. */
const longestWord = 64;

/**
 * The members of a Content-Signal statement, which commas separate. No grammar was published. Therefore this function ignores letter case
 * and the blanks around commas and `=`, and reads each member independently of the others. Linear in the bytes.
 */
export function signalMembersOf(bytes: Uint8Array, start: number, end: number): SignalMember[] {
  const members: SignalMember[] = [];
  for (let from = start; from <= end;) {
    const to = offsetOf(0x2c, bytes, from, end);
    let at = from;
    while (at < to && isSpaceOrTab(bytes[at]!)) at++;
    if (at < to) {
      const keyEnd = offsetOf(0x3d, bytes, at, to);
      members.push({
        key: wordOf(bytes, at, keyEnd),
        value: keyEnd === to ? undefined : wordOf(bytes, keyEnd + 1, to),
        at,
        end: trimmedEnd(bytes, at, to),
      });
    }
    from = to + 1;
  }
  return members;
}

/** The first offset of `byte` between `start` and `end`, or `end`. Unlike `indexOf`, this function reads no byte after `end`. */
function offsetOf(byte: number, bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== byte) at++;
  return at;
}

function trimmedEnd(bytes: Uint8Array, start: number, end: number): number {
  let to = end;
  while (to > start && isSpaceOrTab(bytes[to - 1]!)) to--;
  return to;
}

/** A trimmed range as a string in lower case, one character for each byte. */
function wordOf(bytes: Uint8Array, start: number, end: number): string {
  const to = trimmedEnd(bytes, start, end);
  let from = start;
  while (from < to && isSpaceOrTab(bytes[from]!)) from++;
  return lowerKeyOf(bytes, from, Math.min(to, from + longestWord));
}

function isSpaceOrTab(byte: number): boolean {
  return byte === 0x20 || byte === 0x09;
}
