// Converts WARC records to cache entries: the two records that this app writes for a fetch, or the response records of crawlers; and finds
// the X-Robots-Tag fields and the HTML in a response.
import { createHash } from "node:crypto";
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from "node:zlib";
import type { StoredRobots } from "@robots-stream/fetch";
import {
  type Coding,
  codingsOf,
  defaultLimits,
  headEndOf,
  type HttpHead,
  httpHeadOf,
  storedOf,
  wholeLinesOf,
} from "@robots-stream/fetch/internal";
import { accessPolicies, defaultFreshness } from "@robots-stream/fetch/policy";
import { parseTarget } from "@robots-stream/url";
import { type Period, periodOf } from "../../common/times.ts";
import { base32Of, type WarcRecord } from "./records.ts";
import { shownWordOf } from "../../common/text.ts";
import type { FieldTexts } from "../../records/row-heads.ts";

/** Makes an entry from a JSON value and a body. Returns a sentence with the reason for an invalid entry, and undefined for other JSON. */
type EntryOf = (value: unknown, body?: Uint8Array) => StoredRobots | string | undefined;

/** An entry of an archive. */
export interface ArchivedRobots extends StoredRobots {
  /** Set if the archive does not state the time to the second: `fetchedAt` is then the beginning of this time. */
  readonly time?: Period;
}

/** A redirect from the robots.txt of one origin to the robots.txt of the same or another origin. */
export interface RobotsRedirect {
  readonly origin: string;
  readonly fetchedAt: number;
  readonly time: Period;
  /** The origin of the target. */
  readonly to: string;
}

/** An answer to a request for a robots.txt whose file is not known. */
export interface UnreadRobots {
  /** Whether the answer is that the file has not changed: it is one of the earlier ones. */
  readonly isUnchanged?: boolean;
  readonly origin: string;
  readonly time: Period;
  /** The URL that the answer redirected to. */
  readonly redirect: string | undefined;
}

/** What a reader does with records that are no entries. Without a function, `take` returns a sentence for them. */
export interface OtherRecords {
  /** Called for a redirect to a robots.txt. */
  readonly onRedirect?: (redirect: RobotsRedirect) => void;
  /** Called for each other answer for a robots.txt that is skipped; `take` returns a sentence nevertheless. */
  readonly onUnread?: (unread: UnreadRobots) => void;
}

/** The other types of ISO 28500. */
const otherTypes: ReadonlySet<string> = new Set(["request", "conversion", "continuation"]);

/** Converts the records of one file to entries. */
export class WarcEntries {
  readonly #entryOf: EntryOf;
  readonly #others: OtherRecords;
  /** The resource record that the next metadata record refers to. */
  #resource: WarcRecord | undefined;
  /** Whether this app wrote the records: then each of them has a place in an entry. */
  #isOwn = false;
  /** Whether the metadata record of `#resource` is still to come. */
  #isOpen = false;

  constructor(entryOf: EntryOf, others: OtherRecords = {}) {
    this.#entryOf = entryOf;
    this.#others = others;
  }

  /** Returns the entry that a record completes, a sentence with the reason for a skipped robots.txt, or undefined for other records. */
  take(record: WarcRecord): ArchivedRobots | string | undefined {
    const type = record.fields.get("warc-type");
    if (type === "response" || type === "revisit") return foreignEntryOf(record, this.#others);
    if (type === "metadata") {
      this.#isOpen = false;
      return this.#ownEntryOf(record) ?? this.#unknown(record);
    }
    if (type === "warcinfo") {
      const lost = this.end();
      this.#isOwn = /^software: robots-stream\r?$/m.test(Buffer.from(record.block ?? []).toString("latin1"));
      return lost;
    }
    if (type !== "resource") return otherTypes.has(type ?? "") ? undefined : this.#unknown(record);
    const lost = this.end();
    this.#resource = record;
    this.#isOpen = true;
    return lost;
  }

  /** To be called after the last record. Returns a sentence if the record that describes the last robots.txt is missing. */
  end(): string | undefined {
    const isLost = this.#isOwn && this.#isOpen;
    this.#isOpen = false;
    return isLost
      ? `${shownUri(this.#resource!.fields)}: the record that describes its robots.txt is missing`
      : undefined;
  }

  #unknown({ fields }: WarcRecord): string | undefined {
    return this.#isOwn ? `${shownUri(fields)}: is damaged: no such record belongs to an export` : undefined;
  }

  #ownEntryOf(record: WarcRecord): StoredRobots | string | undefined {
    const { fields, block } = record;
    if (fields.get("content-type") !== "application/json" || block === undefined) return undefined;
    if (!isAsDigested(record)) return damaged(fields);
    let value: unknown;
    try {
      value = JSON.parse(Buffer.from(block).toString("utf8"));
    } catch {
      return undefined;
    }
    const id = fields.get("warc-refers-to");
    if (id === undefined) return this.#entryOf(value);
    const resource = this.#resource;
    if (resource?.block !== undefined && resource.fields.get("warc-record-id") === id) {
      return isAsDigested(resource) ? this.#entryOf(value, resource.block) : damaged(resource.fields);
    }
    const entry = this.#entryOf(value, new Uint8Array(0));
    return entry && `${shownUri(fields)}: the record with its robots.txt is missing`;
  }
}

/** The origin of a record's URL, for messages. The rest of the URL is omitted, because it may contain personal data. */
function shownUri(fields: WarcRecord["fields"]): string {
  return shownWordOf(parseTarget(uriOf(fields))?.origin ?? "a record");
}

function uriOf(fields: WarcRecord["fields"]): string {
  return fields.get("warc-target-uri")?.replace(/^<(.*)>$/, "$1") ?? "";
}

function damaged(fields: WarcRecord["fields"]): string {
  return `${shownUri(fields)}: is damaged: its digest does not match its block`;
}

/** Whether a block matches the digest in its record's header; true for a missing digest and for one of an unknown kind. */
function isAsDigested({ fields, block }: WarcRecord): boolean {
  const [, algorithm = "", digest = ""] =
    /^(sha1|sha-?256):([0-9a-z]+=*)$/i.exec(fields.get("warc-block-digest") ?? "") ?? [];
  if (block === undefined || digest === "") return true;
  const hash = createHash(algorithm.toLowerCase().replace("-", "")).update(block).digest();
  const told = digest.replace(/=+$/, "").toLowerCase();
  return told === hash.toString("hex") || told === base32Of(hash).toLowerCase();
}

/**
 * The entry of a response record, by Google's access policy. Returns a sentence for a robots.txt that is skipped, and undefined for a
 * record of another URL and after a call of `onRedirect`.
 */
function foreignEntryOf(
  record: WarcRecord,
  { onRedirect, onUnread }: OtherRecords,
): ArchivedRobots | string | undefined {
  const { fields, block } = record;
  const target = parseTarget(uriOf(fields));
  if (target?.target !== "/robots.txt") return undefined;
  const shown = shownWordOf(target.origin + target.target);
  const date = fields.get("warc-date") ?? "";
  const time = periodOf(date);
  if (time === undefined || time.fromSeconds < 0) return `${shown}: has no date`;
  // A fraction of a second decides which of two captures is newer.
  const fetchedAt = Math.max(time.fromSeconds * 1_000, date.endsWith("Z") ? Date.parse(date) || 0 : 0);
  const { origin } = target;
  const unread = (why: string, redirect?: string): string => {
    onUnread?.({ origin, time, redirect });
    return `${shown}: ${why}`;
  };
  // The file of a revisit is that of an earlier capture, perhaps in another archive.
  if (fields.get("warc-type") === "revisit") return unread("the same as an earlier capture");
  if (!/^application\/http\b/.test(fields.get("content-type") ?? "")) return unread("no HTTP response");
  if (!isAsDigested(record)) {
    onUnread?.({ origin, time, redirect: undefined });
    return damaged(fields);
  }
  const message = block === undefined ? undefined : messageOf(Buffer.from(block));
  if (message === undefined) return unread("no HTTP response, or too large");
  const { status, headers } = message;
  // The target of a redirect is in another record, if it is in the file at all.
  if (status >= 300 && status <= 399) {
    if (status === 304) {
      onUnread?.({ origin, time, redirect: undefined, isUnchanged: true });
      return `${shown}: status 304`;
    }
    const to = redirectOf(status, headers["location"], origin);
    if (to?.target !== "/robots.txt") return unread("a redirect", to && to.origin + to.target);
    if (onRedirect === undefined) return `${shown}: a redirect`;
    onRedirect({ origin, fetchedAt, time, to: to.origin });
    return undefined;
  }
  const isCut = fields.has("warc-truncated");
  const body = status >= 200 && status <= 299 ? decodedOf(message, isCut) : new Uint8Array(0);
  if (body === undefined) return unread("its transfer or content coding is unknown or broken");
  if (body === "incomplete") return unread("the body is incomplete");
  const { maxBytes } = defaultLimits;
  const truncated = body.byteLength > maxBytes || isCut;
  const hops = [{ url: target.origin + target.target, status }];
  // `storedOf` drops the last line of a body that is cut in the record itself.
  const read = isCut && body.byteLength <= maxBytes ? { body } : { body: wholeLinesOf(body, maxBytes), endsLine: true };
  const response = { status, headers, truncated, ...read };
  const exchange = { hops, startedAt: fetchedAt, endedAt: fetchedAt, response };
  const limit = isCut ? undefined : maxBytes;
  const stored = storedOf(
    target.origin,
    exchange,
    undefined,
    accessPolicies.google,
    defaultFreshness,
    fetchedAt,
    limit,
  );
  return { ...stored, time };
}

/** The URL that a redirect of a robots.txt leads to; undefined if it leads to none. */
function redirectOf(status: number, location: string | undefined, origin: string): ReturnType<typeof parseTarget> {
  if (location === undefined || location.length > longestLocation || !redirects.has(status)) return undefined;
  const url = URL.canParse(location, `${origin}/robots.txt`) ? new URL(location, `${origin}/robots.txt`) : undefined;
  return url === undefined ? undefined : parseTarget(url.href);
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const longestLocation = 8_192;

/** An HTTP response in the block of a record. */
interface HttpMessage extends HttpHead {
  /** The payload after the HTTP header; undefined when the header has no end. */
  readonly payload: Buffer | undefined;
}

/** The head and the payload of an HTTP response; undefined for other bytes. */
function messageOf(block: Buffer): HttpMessage | undefined {
  const found = headEndOf(block);
  const head = httpHeadOf(block.toString("latin1", 0, found?.end));
  return head === undefined ? undefined : { ...head, payload: found && block.subarray(found.restStart) };
}

/**
 * The decoded body. Returns undefined for unknown codings and for bytes that cannot be decoded. Returns "incomplete" for a response without
 * the end of its header, and for a truncated body, unless the record is marked as truncated (`isCut`). A truncated robots.txt may lack
 * rules, so it must not be used as a complete one.
 */
function decodedOf({ headers, payload }: HttpMessage, isCut: boolean): Uint8Array | "incomplete" | undefined {
  if (payload === undefined) return "incomplete";
  const transfer = (headers["transfer-encoding"] ?? "").trim().toLowerCase();
  if (transfer !== "" && transfer !== "identity" && transfer !== "chunked") return undefined;
  const content = (headers["content-encoding"] ?? "").trim().toLowerCase();
  // Some WARC writers keep the Transfer-Encoding field but remove the chunk framing from the body.
  const hasChunks =
    transfer === "chunked" && /^[0-9a-f]{1,8}[ \t]*(?:;[^\n]*)?\r\n/i.test(payload.toString("latin1", 0, 200));
  // Only the length of a body without codings is checked. The decoder finds the end of a coded body, and some writers decode the body but
  // keep the Content-Length of the coded one.
  if (transfer !== "chunked" && (content === "" || content === "identity") && !isCut) {
    const [length] = /^\d{1,15}$/.exec(headers["content-length"] ?? "") ?? [];
    if (length !== undefined && payload.byteLength < Number(length)) return "incomplete";
  }
  // The number of codings has the same limit as in network responses, because each coding costs a pass over the body.
  const codings = codingsOf(content, defaultLimits.maxContentEncodings);
  if ("code" in codings) return undefined;
  let bytes = hasChunks ? joined(payload, isCut) : payload;
  for (const coding of codings.toReversed()) {
    if (bytes === undefined || bytes === "incomplete") return bytes;
    bytes = decoded(bytes, coding, isCut);
  }
  return bytes;
}

function decoded(bytes: Buffer, coding: Coding, isCut: boolean): Buffer | "incomplete" | undefined {
  // The limit of the decoded size protects against decompression bombs.
  const maxOutputLength = 8 * 1_048_576;
  const zlibOptions = { maxOutputLength, ...(isCut ? { finishFlush: constants.Z_SYNC_FLUSH } : {}) };
  const brotliOptions = { maxOutputLength, ...(isCut ? { finishFlush: constants.BROTLI_OPERATION_FLUSH } : {}) };
  try {
    switch (coding) {
      case "gzip":
        return bytes[0] === 0x1f ? gunzipSync(bytes, zlibOptions) : bytes;
      case "deflate":
        return inflateSync(bytes, zlibOptions);
      case "br":
        return brotliDecompressSync(bytes, brotliOptions);
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "Z_BUF_ERROR" ? "incomplete" : undefined;
  }
}

/** The body without its chunk framing (RFC 9112 §7.1); undefined for invalid framing, "incomplete" for an early end without `isCut`. */
function joined(payload: Buffer, isCut: boolean): Buffer | "incomplete" | undefined {
  const pieces: Buffer[] = [];
  for (let at = 0; ;) {
    const end = payload.indexOf("\r\n", at);
    if (end === -1) return isCut ? Buffer.concat(pieces) : "incomplete";
    const [digits] = /^[0-9a-f]{1,8}/i.exec(payload.toString("latin1", at, Math.min(end, at + 20))) ?? [];
    if (digits === undefined) return undefined;
    const length = Number.parseInt(digits, 16);
    if (length === 0) return Buffer.concat(pieces);
    const from = end + 2;
    if (from + length > payload.byteLength && !isCut) return "incomplete";
    pieces.push(payload.subarray(from, from + length));
    at = from + length + 2;
  }
}

/** Number of bytes kept of a page: Google Search reads no more of it. */
const mostPageBytes = 2 * 1_048_576;

/** The type of {@link pageTextsOf}, for format.ts, which imports this module on demand. */
export type PageTextsOf = typeof pageTextsOf;

/**
 * Returns the texts of a response, as bytes in the page's character encoding. `block`: the response or its beginning; `head`: the text of
 * its header. The value of each X-Robots-Tag field ends with a line feed. The content coding of the page is removed, also when only the
 * beginning of the page is given. `html` is undefined without `asksPage`, for media types other than HTML and XHTML, and for an unknown or
 * damaged coding.
 */
export function pageTextsOf(block: Buffer, head: string, asksPage: boolean): FieldTexts {
  const xRobotsTag = linesOf(head, "x-robots-tag")
    .map((line) => `${line}\n`)
    .join("");
  return { xRobotsTag, html: asksPage ? htmlOf(block, head) : undefined };
}

function htmlOf(block: Buffer, head: string): string | undefined {
  const [type = "text/html"] = linesOf(head, "content-type");
  if (!/^(?:text\/html|application\/xhtml\+xml)(?:[;\s]|$)/i.test(type)) return undefined;
  const message = messageOf(block);
  if (message === undefined) return undefined;
  const body = decodedOf(message, true);
  if (body === undefined || body === "incomplete") return undefined;
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, mostPageBytes)).toString("latin1");
}

/** The values of all header fields of a name, in the head of a message. `name` is in lower case. */
function linesOf(head: string, name: string): readonly string[] {
  const values: string[] = [];
  for (const line of head.split("\n")) {
    if (line === "" || line === "\r") break;
    const colon = line.indexOf(":");
    if (colon === name.length && line.slice(0, colon).toLowerCase() === name) values.push(line.slice(colon + 1).trim());
  }
  return values;
}
