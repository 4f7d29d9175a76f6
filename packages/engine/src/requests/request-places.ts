// Finds the origin (a string) and the target (a range of bytes) of each packed record; loads no robots.txt.
import { otherFormOf, TargetBytes, UrlInBytes } from "../locate/target-bytes.ts";
import { locateUrl, parseRequestUrl } from "../common/target.ts";
import { ByteMemo } from "../records/byte-keys.ts";
import { notInBytes, type PackedRecords, spanSize, urlEndAt, urlStartAt } from "../records/packed.ts";

/** The maximum number of bytes of a cached authority: an attacker may send any Host headers. */
const longestAuthority = 300;

const slash = 0x2f;

/** The forms of the target of one request at a time, with which a crawler may compare rules. A subclass sets them. */
export class TargetForms {
  /** The buffer with the target. */
  buffer: Uint8Array = Buffer.alloc(0);
  targetStart = 0;
  targetEnd = 0;
  /** Whether the target differs from the written one; `written`: then the target as the request had it, without a fragment. */
  isChanged = false;
  readonly written: TargetBytes = new TargetBytes();
  /** Whether the client may have sent the target `other` instead. */
  hasOther = false;
  readonly other: TargetBytes = new TargetBytes();
  readonly #resolved = new TargetBytes();

  /** The target without dot segments and without needless escapes, if that differs. */
  resolved(): TargetBytes | undefined {
    const { buffer, targetStart, targetEnd } = this;
    const resolved = buffer[targetStart] === slash ? otherFormOf(buffer, targetStart, targetEnd) : undefined;
    if (resolved === undefined) return undefined;
    this.#resolved.write(resolved);
    return this.#resolved;
  }
}

/** Locates one record per call. The result is in the fields and stays valid until the next call. */
export class RequestPlaces extends TargetForms {
  /** Scheme, host and port; "" where the record has no URL with an origin. */
  origin = "";
  readonly #url = new UrlInBytes();
  readonly #target = new TargetBytes();
  /** Origins by the beginnings of URLs, up to the end of the authority; "" for an invalid one. */
  readonly #origins = new ByteMemo((authority) => parseRequestUrl(authority)?.origin ?? "");

  /** Sets the fields to the origin and the target of a record. */
  locate(packed: PackedRecords, record: number): void {
    const { bytes, spans } = packed;
    const start = spans[record * spanSize + urlStartAt]!;
    const end = spans[record * spanSize + urlEndAt]!;
    this.isChanged = false;
    this.hasOther = (packed.fields.otherTarget?.sizeOf(record) ?? 0) > 0;
    if (this.hasOther) this.other.writeBytes(packed.fieldOf("otherTarget", record));
    if (start !== notInBytes && this.#locateInBytes(bytes, start, end)) return;
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

  /** Sets `isChanged` and `written` for a URL whose target was normalized. */
  #setWritten(url: string, target: string): void {
    const behind = url.replace(/^\s*[a-z][a-z0-9+.-]*:[/\\]*[^/?#\\]*/iu, "").replace(/#.*$/su, "");
    const written = behind.startsWith("/") ? behind : `/${behind}`;
    this.isChanged = written !== target;
    if (this.isChanged) this.written.write(written);
  }

  #locateInBytes(bytes: Buffer, start: number, end: number): boolean {
    if (!this.#url.find(bytes, start, end) || this.#url.authorityEnd - start > longestAuthority) return false;
    const origin = this.#origins.resultOf(bytes, start, this.#url.authorityEnd);
    if (origin === "") return false;
    this.origin = origin;
    this.buffer = bytes;
    this.targetStart = this.#url.authorityEnd;
    this.targetEnd = this.#url.targetEnd;
    return true;
  }
}

/** The forms of the target of one request at a time, from texts. */
export class RequestTarget extends TargetForms {
  /**
   * The target, `sent` if the record has it in another form, and `other` if the client may have sent that instead. Latin-1 strings of bytes.
   */
  set(target: string, sent: string, other: string): void {
    this.buffer = Buffer.from(target, "latin1");
    this.targetEnd = this.buffer.length;
    this.isChanged = sent !== "";
    if (this.isChanged) this.written.writeBytes(sent);
    this.hasOther = other !== "";
    if (this.hasOther) this.other.writeBytes(other);
  }
}
