// Targets in bytes: finds the target of a URL, recognizes special targets, and encodes one target at a time in a buffer that is reused.
import { normalizeTarget } from "@robots-stream/url";
import { RawUrlScanner } from "@robots-stream/url/internal";
import { surelyShort } from "../common/target.ts";

/** Examines one URL per call. The results are in the fields until the next call. */
export class UrlInBytes {
  /** Offset of the end of the authority, where the target starts. */
  authorityEnd = 0;
  targetEnd = 0;
  readonly #scanner = new RawUrlScanner();

  /**
   * Sets the fields for the URL `bytes[start, end)`. Returns false for a URL that has to be parsed, and for a target of more than
   * `surelyShort` bytes.
   */
  find(bytes: Uint8Array, start: number, end: number): boolean {
    const authorityEnd = this.#scanner.authorityEndOf(bytes, start, end);
    if (authorityEnd < 0) return false;
    this.authorityEnd = authorityEnd;
    this.targetEnd = this.#scanner.targetEndOf(bytes, authorityEnd, end);
    return this.targetEnd >= 0 && this.targetEnd - authorityEnd <= surelyShort;
  }
}

const robotsTxt = Buffer.from("/robots.txt");
const slash = 0x2f;
const questionMark = 0x3f;

/** Whether a target is `/robots.txt`, byte for byte and without a query. */
export function isRobotsTxt(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== robotsTxt.length) return false;
  for (let at = 0; at < robotsTxt.length; at++) if (bytes[start + at] !== robotsTxt[at]) return false;
  return true;
}

/**
 * Whether a target differs from `/robots.txt` only by further slashes at its beginning, by its letter case or by a query: a crawler that asks
 * for it may have meant the file.
 */
export function isLikeRobotsTxt(bytes: Uint8Array, start: number, end: number): boolean {
  let from = start;
  while (from + 1 < end && bytes[from] === slash && bytes[from + 1] === slash) from++;
  const behind = from + robotsTxt.length;
  if (behind > end || (behind < end && bytes[behind] !== questionMark)) return false;
  for (let at = 0; at < robotsTxt.length; at++) {
    const byte = bytes[from + at]!;
    const isCapital = byte >= 0x41 && byte <= 0x5a;
    if ((isCapital ? byte | 0x20 : byte) !== robotsTxt[at]) return false;
  }
  return true;
}

/** The target without dot segments and without needless escapes, if that differs; undefined for most targets. */
export function otherFormOf(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (!mayHaveOther(bytes, start, end)) return undefined;
  const target = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1", start, end);
  const normalized = normalizeTarget(target);
  return normalized === target ? undefined : normalized;
}

/** Whether a target contains `%` or `/.`. A target with neither has no other form. Very few targets contain either. */
function mayHaveOther(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (bytes[at] === 0x25 || (bytes[at] === 0x2e && bytes[at - 1] === 0x2f)) return true;
  }
  return false;
}

/** The bytes of one target at a time. */
export class TargetBytes {
  /** The target is in the first `size` bytes. */
  bytes: Buffer = Buffer.alloc(1_024);
  size = 0;

  /** Copies a target, `bytes[start, end)`. */
  copy(bytes: Buffer, start: number, end: number): void {
    if (this.bytes.length < end - start) this.bytes = Buffer.allocUnsafe((end - start) * 2);
    this.size = bytes.copy(this.bytes, 0, start, end);
  }

  /** Writes a target whose bytes are the characters of a Latin-1 string. */
  writeBytes(target: string): void {
    if (this.bytes.length < target.length) this.bytes = Buffer.allocUnsafe(target.length * 2);
    this.size = this.bytes.write(target, "latin1");
  }

  /** Writes a target; returns its size in bytes. */
  write(target: string): number {
    // A UTF-16 unit takes at most three bytes in UTF-8.
    if (this.bytes.length < target.length * 3) this.bytes = Buffer.allocUnsafe(target.length * 6);
    return (this.size = this.bytes.write(target));
  }
}
