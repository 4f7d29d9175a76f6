// Estimates the number of distinct 64-bit hashes: HyperLogLog with 4,096 registers and Ertl's estimator (arXiv 1702.01284).
import { AuditError } from "../errors.ts";
import { textOfBytes } from "./names.ts";

const precision = 12;
/** The number of registers of a sketch. */
export const registers: number = 2 ** precision;
/** The number of bits of a hash that determine the rank. */
const rankBits = 64 - precision;
/** The standard error of an estimate: 1.04 / √4096. */
export const sketchError = 0.01625;

/** Adds a hash, given as two 32-bit halves, to a sketch of `registers` bytes. */
export function addToSketch(sketch: Uint8Array, high: number, low: number): void {
  const register = high >>> (32 - precision);
  const rest = (high << precision) >>> 0;
  const rank = (rest === 0 ? 32 - precision + Math.clz32(low) : Math.clz32(rest)) + 1;
  if (sketch[register]! < rank) sketch[register] = rank;
}

/** Merges `other` into `sketch`. */
export function mergeSketch(sketch: Uint8Array, other: Uint8Array): void {
  for (let at = 0; at < registers; at++) if (sketch[at]! < other[at]!) sketch[at] = other[at]!;
}

/** The estimated number of distinct hashes, rounded. */
export function estimateOf(sketch: Uint8Array): number {
  const counts = new Array<number>(rankBits + 2).fill(0);
  for (let at = 0; at < registers; at++) counts[sketch[at]!]!++;
  let sum = registers * tau(1 - counts[rankBits + 1]! / registers);
  for (let rank = rankBits; rank >= 1; rank--) sum = 0.5 * (sum + counts[rank]!);
  sum += registers * sigma(counts[0]! / registers);
  return Math.round(registers ** 2 / (2 * Math.LN2 * sum));
}

function sigma(share: number): number {
  if (share === 1) return Infinity;
  let [x, y, z, before] = [share, 1, share, 0];
  do {
    x *= x;
    before = z;
    z += x * y;
    y += y;
  } while (z !== before);
  return z;
}

function tau(share: number): number {
  if (share === 0 || share === 1) return 0;
  let [x, y, z, before] = [share, 1, 1 - share, 0];
  do {
    x = Math.sqrt(x);
    before = z;
    y *= 0.5;
    z -= (1 - x) ** 2 * y;
  } while (z !== before);
  return z / 3;
}

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const zeroDigit = digits.charCodeAt(0);
const noRank = 255;
/** The ranks by the codes of their digits; `noRank` for other characters. */
const rankOfCode = new Uint8Array(128).fill(noRank);
for (let rank = 0; rank < digits.length; rank++) rankOfCode[digits.charCodeAt(rank)] = rank;
/** The length of the longest text for successive zeros: "(4096)". */
const longestRun = 6;

/** The text of a sketch: a digit for each register; more than three successive zeros are written as "(number of zeros)". */
export function sketchTextOf(sketch: Uint8Array): string {
  // A list of the characters would take many times the memory of the text. A number in parentheses is never longer than the zeros
  // that it replaces.
  const text = new Uint8Array(registers + longestRun);
  let length = 0;
  let zeros = 0;
  for (let at = 0; at <= registers; at++) {
    if (at < registers && sketch[at] === 0) {
      zeros++;
      continue;
    }
    if (zeros > 3) {
      for (const character of `(${zeros})`) text[length++] = character.charCodeAt(0);
    } else {
      text.fill(zeroDigit, length, length + zeros);
      length += zeros;
    }
    zeros = 0;
    if (at < registers) text[length++] = digits.charCodeAt(sketch[at]!);
  }
  return textOfBytes(text, length);
}

/** Reads a sketch from its text. Throws an {@link AuditError} (`ERR_INVALID_DOCUMENT`) for any other text. */
export function sketchOfText(text: string): Uint8Array {
  const sketch = new Uint8Array(registers);
  let at = 0;
  for (let place = 0; place < text.length; place++) {
    const rank = rankOfCode[text.charCodeAt(place)] ?? noRank;
    if (rank <= rankBits + 1) {
      sketch[at++] = rank;
      continue;
    }
    const [run, length] = /^\((\d{1,4})\)/.exec(text.slice(place, place + longestRun)) ?? [];
    if (run === undefined) throw new AuditError("ERR_INVALID_DOCUMENT", "a sketch has a character that is not a rank");
    at += Number(length);
    place += run.length - 1;
  }
  if (at !== registers) throw new AuditError("ERR_INVALID_DOCUMENT", `a sketch has ${at} registers, not ${registers}`);
  return sketch;
}
