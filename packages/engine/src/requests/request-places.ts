// Finds the origin (a string) and the target (a range of bytes) of each packed record; loads no robots.txt.
import { normalizeTarget } from "@robots-stream/url";
import { RawUrlScanner } from "@robots-stream/url/internal";
import { mayHaveOther, TargetBytes } from "../locate/target-bytes.ts";
import { locateUrl, parseRequestUrl, surelyShort } from "../common/target.ts";
import { ByteKeys } from "../records/byte-keys.ts";
import { type PackedRecords, notInBytes, spanSize, urlEndAt, urlStartAt } from "../records/packed.ts";

/** The maximum number of cached authorities, and the maximum number of bytes in each: an attacker may send any number of Host headers. */
const mostAuthorities = 10_000;
const longestAuthority = 300;

const slash = 0x2f;
const percent = 0x25;
const letterA = 0x61;
const letterF = 0x66;
/** The code of a lower-case letter minus the code of its capital. */
const toCapital = 0x20;

/** The forms of a request's target with which a crawler may compare rules. */
export interface TargetForms {
  /** The buffer with the target. */
  readonly buffer: Uint8Array;
  readonly targetStart: number;
  readonly targetEnd: number;
  /** Whether the target differs from the written one. */
  readonly isChanged: boolean;
  /** If `isChanged`: the target as the request had it, without a fragment. */
  readonly written: TargetBytes;
  /** Whether the client may have sent the target `other` instead. */
  readonly hasOther: boolean;
  readonly other: TargetBytes;
  /** The target without dot segments and without needless escapes, if that differs. */
  resolved(): TargetBytes | undefined;
}

/** Locates one record per call. The result is in the fields and stays valid until the next call. */
export class RequestPlaces implements TargetForms {
  /** Scheme, host and port; "" where the record has no URL with an origin. */
  origin = "";
  /** The buffer with the target. */
  buffer: Uint8Array = Buffer.alloc(0);
  targetStart = 0;
  targetEnd = 0;
  /** Whether the target differs from the written one, which `locate` then sets. */
  isChanged = false;
  /** The target as the request had it, without a fragment. */
  readonly written: TargetBytes = new TargetBytes();
  hasOther = false;
  readonly other: TargetBytes = new TargetBytes();
  readonly #resolved = new TargetBytes();
  readonly #scanner = new RawUrlScanner();
  readonly #target = new TargetBytes();
  /** A buffer for a target with its escapes in capitals, and the scanner for this buffer, which keeps a view of the buffer. */
  readonly #capitals = Buffer.alloc(surelyShort);
  readonly #capitalsScanner = new RawUrlScanner();
  #keys = new ByteKeys();
  /** The origin for each key; "" for an invalid authority. A key is the bytes of a URL up to the end of its authority. */
  #origins: string[] = [];
  /** The last beginning of a URL (see `PackedRecords.beginnings`), and its origin. Neighbouring records mostly have the same beginning. */
  #beginning = "";
  #originOfBeginning = "";
  /** Origins by the beginnings of URLs; "" for a beginning that is not exactly a valid scheme and authority. At most `mostAuthorities`. */
  readonly #originsByBeginning = new Map<string, string>();

  /** Sets the fields to the origin and the target of a record. */
  locate(packed: PackedRecords, record: number): void {
    const { bytes, spans } = packed;
    const start = spans[record * spanSize + urlStartAt]!;
    const end = spans[record * spanSize + urlEndAt]!;
    const beginning = packed.beginnings[record];
    this.isChanged = false;
    this.hasOther = packed.fields.otherTarget?.startOf(record) === notInBytes;
    if (this.hasOther) this.other.writeBytes(packed.fieldOf("otherTarget", record));
    const isInBytes =
      beginning === undefined
        ? start !== notInBytes && this.#locateInBytes(bytes, start, end)
        : this.#locateBehind(beginning, bytes, start, end);
    if (isInBytes) return;
    const url = packed.urlOf(record);
    const located = locateUrl(url);
    // `OPTIONS *` is about the server as a whole, and is distinguished from other requests without a URL.
    const target = typeof located === "string" ? (url === "*" ? url : "") : located.target;
    this.origin = typeof located === "string" ? "" : located.origin;
    this.targetStart = 0;
    this.targetEnd = this.#target.write(target);
    this.buffer = this.#target.bytes;
    if (typeof located !== "string") this.#setWritten(url, target);
  }

  resolved(): TargetBytes | undefined {
    return resolvedOf(this, this.#resolved);
  }

  /** Sets `isChanged` and `written` for a URL whose target was normalized. */
  #setWritten(url: string, target: string): void {
    const behind = url.replace(/^\s*[a-z][a-z0-9+.-]*:[/\\]*[^/?#\\]*/iu, "").replace(/#.*$/su, "");
    const written = behind.startsWith("/") ? behind : `/${behind}`;
    this.isChanged = written !== target;
    if (this.isChanged) this.written.write(written);
  }

  /**
   * Finds only the target, mostly without normalizing it, for a caller that does not need the origin. The field `origin` may keep the value
   * of an earlier record.
   */
  locateTarget(packed: PackedRecords, record: number): void {
    const { bytes, spans } = packed;
    const start = spans[record * spanSize + urlStartAt]!;
    const end = spans[record * spanSize + urlEndAt]!;
    let targetStart = start;
    if (packed.beginnings[record] === undefined) {
      targetStart = start === notInBytes ? -1 : this.#scanner.authorityEndOf(bytes, start, end);
    }
    if (targetStart < 0) {
      this.locate(packed, record);
      return;
    }
    this.buffer = bytes;
    this.targetStart = targetStart;
    this.targetEnd = end;
  }

  /** Locates a record whose URL is `beginning` followed by the target `bytes[start, end)`. Returns whether the fields were set. */
  #locateBehind(beginning: string, bytes: Buffer, start: number, end: number): boolean {
    if (beginning !== this.#beginning) {
      this.#originOfBeginning = this.#originBehind(beginning);
      this.#beginning = beginning;
    }
    const origin = this.#originOfBeginning;
    if (origin === "" || !this.#locateTargetAt(bytes, start, end)) return false;
    this.origin = origin;
    return true;
  }

  /**
   * Finds the target that begins at `start`, if the target needs no change, or if only the escapes in it need capital letters. Returns
   * whether it was found.
   */
  #locateTargetAt(bytes: Buffer, start: number, end: number): boolean {
    const targetEnd = this.#scanner.targetEndOf(bytes, start, end);
    if (targetEnd < 0) return end - start <= surelyShort && this.#locateInCapitals(bytes, start, end);
    if (targetEnd - start > surelyShort) return false;
    this.buffer = bytes;
    this.targetStart = start;
    this.targetEnd = targetEnd;
    return true;
  }

  /** Copies a target with its escapes in capitals, as `parseTarget` writes them. Returns whether this is the only change that it needs. */
  #locateInCapitals(bytes: Buffer, start: number, end: number): boolean {
    const capitals = this.#capitals;
    const size = bytes.copy(capitals, 0, start, end);
    let changed = false;
    for (let at = 0; at < size; at++) {
      if (capitals[at] !== percent) continue;
      for (let digit = at + 1; digit <= at + 2 && digit < size; digit++) {
        const byte = capitals[digit]!;
        if (byte < letterA || byte > letterF) continue;
        capitals[digit] = byte - toCapital;
        changed = true;
      }
    }
    // `targetEndOf` returns -1 if a percent sign begins no escape.
    const targetEnd = changed ? this.#capitalsScanner.targetEndOf(capitals, 0, size) : -1;
    if (targetEnd < 0) return false;
    this.buffer = capitals;
    this.targetStart = 0;
    this.targetEnd = targetEnd;
    this.isChanged = true;
    this.written.copy(bytes, start, start + targetEnd);
    return true;
  }

  #locateInBytes(bytes: Buffer, start: number, end: number): boolean {
    const authorityEnd = this.#scanner.authorityEndOf(bytes, start, end);
    if (authorityEnd < 0 || authorityEnd - start > longestAuthority) return false;
    const origin = this.#originOf(bytes, start, authorityEnd);
    if (origin === "" || !this.#locateTargetAt(bytes, authorityEnd, end)) return false;
    this.origin = origin;
    return true;
  }

  #originBehind(beginning: string): string {
    if (beginning.length > longestAuthority) return "";
    const known = this.#originsByBeginning.get(beginning);
    if (known !== undefined) return known;
    const bytes = Buffer.from(beginning, "latin1");
    const isPlain = this.#scanner.authorityEndOf(bytes, 0, bytes.length) === bytes.length;
    const origin = isPlain ? this.#originOf(bytes, 0, bytes.length) : "";
    if (this.#originsByBeginning.size === mostAuthorities) this.#originsByBeginning.clear();
    this.#originsByBeginning.set(beginning, origin);
    return origin;
  }

  #originOf(bytes: Buffer, start: number, end: number): string {
    const key = this.#keys.find(bytes, start, end);
    if (key >= 0) return this.#origins[key]!;
    const origin = parseRequestUrl(bytes.toString("latin1", start, end))?.origin ?? "";
    if (this.#keys.count === mostAuthorities) {
      this.#keys = new ByteKeys();
      this.#origins = [];
    }
    this.#origins[this.#keys.add(bytes, start, end)] = origin;
    return origin;
  }
}

/** Writes a target without dot segments and needless escapes to `into`, and returns it; undefined for a target without any. */
export function resolvedOf(
  { buffer, targetStart, targetEnd }: Omit<TargetForms, "resolved">,
  into: TargetBytes,
): TargetBytes | undefined {
  if (buffer[targetStart] !== slash || !mayHaveOther(buffer, targetStart, targetEnd)) return undefined;
  const target = Buffer.from(buffer.buffer, buffer.byteOffset, buffer.length).toString(
    "latin1",
    targetStart,
    targetEnd,
  );
  const resolved = normalizeTarget(target);
  if (resolved === target) return undefined;
  into.write(resolved);
  return into;
}
