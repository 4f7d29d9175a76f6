// Writes the rules of one crawler or group into one byte array, and reads it.
//
// A matcher keeps these bytes and no object per rule. The entry of a rule is a head of `headSize` bytes, the pattern and a gap:
//   mark · length of the pattern (3 bytes) · line number (4 bytes) · pattern · gap
// The length of the gap is in the upper half of the mark. Between the values of two lines there are usually enough bytes for
// a head, such as a line end and "allow: ". So a piece of the file with many such lines is copied at once, and the heads
// overwrite the keys.
import { grownTo, textOf, viewOf } from "../read/bytes.ts";
import type { Dialect } from "../read/dialect.ts";
import { writeCompared } from "../read/encode.ts";
import { DISALLOW } from "../read/keys.ts";
import { ESCAPABLE_MARK, endColumn, kindOfRow, lineColumn, startColumn } from "../read/parsed-file.ts";
import type { Rule } from "../read/types.ts";

export const headSize = 8;
/** The first of three marks of an entry: the rule is a disallow rule. */
export const DISALLOWS = 1;
/** The pattern ends in `$`. */
export const HAS_END = 4;
/** The pattern ends in a segment that begins with `/index.htm`. */
export const NAMES_INDEX = 8;
/** The shift of the gap's length in the mark. */
const gapShift = 4;
const mostGap = 15;

// All calls share this growing buffer, since writing is synchronous and a `RuleTable` copies the result.
const fewKept = 16 * 1024;
const mostBytesOut = 1024 * 1024;
const scratch: { out: Uint8Array } = { out: new Uint8Array(fewKept) };
// The number of bytes of a file that are copied at once.
const pieceSize = 4096;
// A value of at most this many bytes is written byte by byte when the following lines are not copied with it.
const leastCopied = 32;

/** The entries of the rules at these rows, which are ascending; valid until the next call. Linear in the values of the rows. */
export function entriesOf(
  rows: Int32Array,
  dialect: Dialect,
  bytes: Uint8Array,
  chosenRows: readonly number[],
): Uint8Array {
  let { out } = scratch;
  let view = viewOf(out);
  let size = 0;
  let last = 0;
  // The bytes of the current piece, up to `copied` in the file, are in `out` already, `shift` positions further on.
  let copied = 0;
  let shift = 0;
  for (let i = 0; i < chosenRows.length; i++) {
    const row = chosenRows[i]!;
    const column = rows[row]!;
    const valueStart = rows[row + startColumn]!;
    const valueEnd = rows[row + endColumn]!;
    const isPlain = !dialect.normalizes && (column & ESCAPABLE_MARK) === 0;
    let at = valueStart + shift - headSize;
    let end = valueEnd + shift;
    const gap = at - size;
    if (isPlain && valueEnd <= copied && (gap & ~mostGap) === 0) out[last]! |= gap << gapShift;
    else {
      at = size;
      const start = at + headSize;
      const most = start + pieceSize + (valueEnd - valueStart) * 3;
      if (most > out.length) {
        out = scratch.out = grownTo(out, most);
        view = viewOf(out);
      }
      // The following lines are copied in the same step when the next head fits between the two values.
      const fits = i + 1 < chosenRows.length && rows[chosenRows[i + 1]! + startColumn]! - valueEnd >= headSize;
      copied = fits ? Math.min(valueEnd + pieceSize, bytes.length) : valueEnd;
      shift = start - valueStart;
      end = valueEnd + shift;
      if (isPlain && (fits || end - start > leastCopied)) out.set(bytes.subarray(valueStart, copied), start);
      else {
        copied = 0;
        end = writeCompared(bytes, valueStart, valueEnd, out, start, dialect.normalizes, true);
      }
    }
    const start = at + headSize;
    let mark = kindOfRow(column) === DISALLOW ? DISALLOWS : 0;
    if (end > start && out[end - 1] === 0x24) mark |= HAS_END;
    if ((mark & DISALLOWS) === 0 && dialect.allowsFolderOfIndex && namesIndex(out, start, end)) mark |= NAMES_INDEX;
    view.setInt32(at, (mark << 24) | (end - start));
    view.setInt32(at + 4, rows[row + lineColumn]!);
    last = at;
    size = end;
  }
  if (out.length > mostBytesOut) scratch.out = new Uint8Array(fewKept);
  return out.subarray(0, size);
}

const index = "/index.htm";

/** Google-only: whether the part of a pattern from its last slash on begins with `/index.htm`. */
function namesIndex(out: Uint8Array, start: number, end: number): boolean {
  if (end - start < index.length) return false;
  let slash = end - 1;
  while (slash >= start && out[slash] !== 0x2f) slash--;
  if (slash < start || end - slash < index.length) return false;
  for (let at = 1; at < index.length; at++) if (out[slash + at] !== index.charCodeAt(at)) return false;
  return true;
}

/** The length of the pattern of the entry at `at`. */
export function patternLengthAt(entries: Uint8Array, at: number): number {
  return (entries[at + 1]! << 16) | (entries[at + 2]! << 8) | entries[at + 3]!;
}

/** The position of the entry after the one at `at`. */
export function nextEntry(entries: Uint8Array, at: number): number {
  return at + headSize + patternLengthAt(entries, at) + (entries[at]! >> gapShift);
}

/** The line number of the entry at `at`. */
export function lineAt(entries: Uint8Array, at: number): number {
  return (entries[at + 4]! << 24) | (entries[at + 5]! << 16) | (entries[at + 6]! << 8) | entries[at + 7]!;
}

/**
 * The octets by which the pattern in `text` from `start` to `end` competes. Google-only: the length of the pattern. RFC 9309
 * §2.2.2: the fewest octets that a match can have. An escape counts as one octet; `*` and a final `$` count as none. Leading
 * stars not followed by a slash count as one octet, because they match at least the slash that begins every path (§5.1). So
 * every non-empty pattern has more octets than the empty pattern.
 */
export function octetsOf(text: Uint8Array, start: number, end: number, countsLiterals: boolean): number {
  if (!countsLiterals) return end - start;
  let first = start;
  while (first < end && text[first] === 0x2a) first++;
  let octets = first > start && (first === end || text[first] !== 0x2f) ? 1 : 0;
  for (let at = first; at < end; at++) {
    const byte = text[at];
    if (byte === 0x2a || (byte === 0x24 && at === end - 1)) continue;
    octets++;
    if (byte === 0x25) at += 2;
  }
  return octets;
}

/**
 * The end of the folder's part of a pattern for an index file, given the end of the whole pattern. Google-only: an allow rule
 * for an index file also allows the folder of the file, but nothing else in the folder.
 */
export function folderEndOf(entries: Uint8Array, end: number): number {
  return entries.lastIndexOf(0x2f, end - 1) + 1;
}

/** The rule of the entry at `at`, as a frozen object. */
export function ruleAt(entries: Uint8Array, at: number): Rule {
  const start = at + headSize;
  return Object.freeze({
    type: (entries[at]! & DISALLOWS) === 0 ? "allow" : "disallow",
    pattern: textOf(entries, start, start + patternLengthAt(entries, at)),
    line: lineAt(entries, at),
  });
}
