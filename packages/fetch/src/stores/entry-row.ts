// Converts an entry to the values of a row and back, for the SQLite store, parts of snapshots and Redis: one checksum covers all of them.
import crypto from "node:crypto";
import zlib from "node:zlib";
import { definedOf } from "../common/defined.ts";
import type { AccessResult, Hop, LastCopy, StoredRobots } from "../common/types.ts";
import { hasMembersOfCopy, hasMembersOfEntry } from "./json.ts";
import { packedOf, unpackedOf } from "./pack.ts";

// No named imports: an old Node without these functions would throw for them before supported-node.ts can refuse that Node.
const { hash } = crypto;
const { crc32 } = zlib;

/** Access results by their number in the column `access`: part of the format. */
const accessResults: readonly AccessResult[] = ["successful", "unavailable", "unreachable"];

/** The values of an entry's row, except its bodies. */
type EntryRow = readonly [
  origin: string,
  fetchedAt: number,
  freshForMs: number,
  access: number,
  code: string,
  status: number | null,
  rest: string | null,
  checksum: number,
];

/** A stored body. */
export interface PackedBody {
  readonly key: number;
  readonly size: number;
  readonly packed: Uint8Array;
}

/** An entry ready to be written. */
export interface PackedEntry {
  readonly entry: StoredRobots;
  /** Key of the origin: 32 bits of its hash. */
  readonly key: number;
  readonly row: EntryRow;
  readonly body: PackedBody | undefined;
  readonly lastBody: PackedBody | undefined;
  /** Approximate size of the row and its bodies. */
  readonly bytes: number;
}

/** The size of a body, and its packed bytes. */
export type BodyRow = readonly [size: number | null, packed: Uint8Array | null];

/** A row of `fetches` with its origin and its body, as node:sqlite gives it. */
export type FetchRow = readonly [id: number, ...row: EntryRow, ...body: BodyRow, lastBody: number | null];

/** The members without columns. `hops` is left out when it is one request for the origin's robots.txt with the entry's status. */
interface Rest {
  readonly hops?: readonly (readonly [url: string, status: number])[];
  /** Header fields: names and values alternate; a number refers to an element of `usualTexts`. */
  readonly f?: readonly (string | number)[];
  readonly truncated?: boolean;
  readonly cut?: number;
  readonly since?: number;
  readonly copy?: Omit<LastCopy, "body">;
}

/** Names and values of header fields that many rows have, by their number: part of the format. */
const usualTexts: readonly string[] = [
  "content-type",
  "cache-control",
  "last-modified",
  "etag",
  "retry-after",
  "text/plain",
  "text/plain; charset=utf-8",
  "text/plain; charset=UTF-8",
  "text/plain;charset=UTF-8",
  "text/plain;charset=utf-8",
  "text/html; charset=UTF-8",
  "text/html; charset=utf-8",
  "text/html",
  "no-cache",
  "max-age=3600",
  "public, max-age=3600",
  "max-age=86400",
  "public, max-age=86400",
  "public, max-age=0, must-revalidate",
  "no-cache, must-revalidate, max-age=0",
];
const usualNumbers: ReadonlyMap<string, number> = new Map(usualTexts.map((text, number) => [text, number]));

/**
 * Packs an entry. Compressing its bodies is most of the cost of storing it; unpacking takes several times as long as copying. A body is
 * compressed only if that saves at least `leastSaved` bytes.
 */
export function packedEntryOf(entry: StoredRobots, leastSaved = 1): PackedEntry {
  const rest = restOf(entry);
  const access = accessResults.indexOf(entry.access);
  const body = entry.body && packedBodyOf(entry.body, leastSaved);
  const lastBody = entry.lastCopy?.body && packedBodyOf(entry.lastCopy.body, leastSaved);
  const { origin, fetchedAt, freshUntil, code, status = null } = entry;
  const text = textOf(origin, fetchedAt, freshUntil, access, code, status, rest);
  const checksum = checksumOf(text, entry.body, entry.lastCopy?.body);
  const row: EntryRow = [origin, fetchedAt, freshUntil - fetchedAt, access, code, status, rest, checksum];
  const bytes =
    200 + (rest?.length ?? 0) + origin.length * 2 + (body?.packed.byteLength ?? 0) + (lastBody?.packed.byteLength ?? 0);
  return { entry, key: keyOf(origin), row, body, lastBody, bytes };
}

function packedBodyOf(bytes: Uint8Array, leastSaved: number): PackedBody {
  const size = bytes.byteLength;
  const shorter = size > leastSaved ? packedOf(bytes) : bytes;
  const packed = shorter.byteLength + leastSaved <= size ? shorter : bytes;
  // The copy belongs to the store: the caller may reuse the array. `slice` of a Buffer would not copy, and Node 22 stores an empty one as NULL.
  return { key: keyOf(bytes), size, packed: packed === bytes ? new Uint8Array(bytes) : packed };
}

/** The first 32 bits of the SHA-256: the search key of origins and bodies. */
export function keyOf(bytes: Uint8Array | string): number {
  return Number.parseInt(hash("sha256", bytes, "hex").slice(0, 8), 16) | 0;
}

/** The entry of a row; undefined when the row is damaged. */
export function entryOfRow(row: FetchRow, lastBodyRow: BodyRow | undefined): StoredRobots | undefined {
  const [, origin, fetchedAt, freshForMs, accessNumber, code, status, restText, checksum, size, packed] = row;
  const freshUntil = fetchedAt + freshForMs;
  const access = accessResults[accessNumber];
  const body = bodyOf(packed, size);
  const lastBody = lastBodyRow && bodyOf(lastBodyRow[1], lastBodyRow[0]);
  if (access === undefined || body === null || lastBody === null) return undefined;
  const text = textOf(origin, fetchedAt, freshUntil, accessNumber, code, status, restText);
  if (checksumOf(text, body, lastBody) !== checksum) return undefined;
  try {
    const rest = (restText === null ? {} : JSON.parse(restText)) as Rest;
    const entry = definedOf<StoredRobots>({
      origin,
      fetchedAt,
      freshUntil,
      access,
      code,
      status: status ?? undefined,
      body,
      truncated: rest.truncated,
      cutAtBytes: rest.cut,
      headers: rest.f && headersOf(rest.f),
      unreachableSince: rest.since,
      lastCopy: rest.copy && (lastBody === undefined ? rest.copy : { ...rest.copy, body: lastBody }),
      hops: rest.hops?.map(([url, answered]) => ({ url, status: answered })) ?? [usualHop(origin, status ?? 0)],
    });
    // A forged file may have valid checksums, and any values in any column.
    const isEntry = hasMembersOfEntry(entry as unknown as Record<string, unknown>);
    return isEntry && (rest.copy === undefined || hasMembersOfCopy(rest.copy)) ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** The size limit of a body (limits.ts). Decompression allocates the size that a row states. */
const maxBodyBytes = 268_435_456;

/** Unpacks a body; undefined without a body, null for a damaged one. */
function bodyOf(packed: Uint8Array | null, size: number | null): Uint8Array | undefined | null {
  if (size === null) return undefined;
  if (size > maxBodyBytes) return null;
  return (packed === null ? undefined : unpackedOf(packed, size)) ?? null;
}

function restOf(entry: StoredRobots): string | null {
  const { origin, status, hops, headers, truncated, cutAtBytes, unreachableSince, lastCopy } = entry;
  const [first] = hops;
  const isUsual = hops.length === 1 && first?.status === (status ?? 0) && first.url === `${origin}/robots.txt`;
  if (isUsual && (headers ?? truncated ?? unreachableSince ?? lastCopy) === undefined) return null;
  const { body: _body, ...copy } = lastCopy ?? {};
  return JSON.stringify({
    hops: isUsual ? undefined : hops.map(({ url, status: answered }) => [url, answered]),
    f: headers && fieldsOf(headers),
    truncated,
    cut: cutAtBytes,
    since: unreachableSince,
    copy: lastCopy && copy,
  });
}

function fieldsOf(headers: Readonly<Record<string, string>>): readonly (string | number)[] {
  return Object.entries(headers)
    .flat()
    .map((text) => usualNumbers.get(text) ?? text);
}

function headersOf(fields: readonly (string | number)[]): Record<string, string> {
  const texts = fields.map((text) => (typeof text === "number" ? (usualTexts[text] ?? "") : text));
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < texts.length; at += 2) headers.push([texts[at]!, texts[at + 1]!]);
  return Object.fromEntries(headers);
}

function usualHop(origin: string, status: number): Hop {
  return { url: `${origin}/robots.txt`, status };
}

/**
 * The text that a checksum covers besides the bodies. Different values have different texts: the length of `origin` precedes `origin`, and
 * `rest` is JSON, which contains no line feed.
 */
function textOf(
  origin: string,
  fetchedAt: number,
  freshUntil: number,
  access: number,
  code: string,
  status: number | null,
  rest: string | null,
): string {
  return `${fetchedAt} ${freshUntil} ${access} ${status} ${origin.length} ${origin} ${code}\n${rest}\n`;
}

function checksumOf(text: string, body: Uint8Array | undefined, lastBody: Uint8Array | undefined): number {
  // The lengths distinguish an empty body from a missing body, and the two bodies from each other.
  let sum = crc32(`${text}${body?.byteLength},${lastBody?.byteLength}`);
  // For an empty input, Node 22 returns 0 and ignores the sum so far.
  if (body !== undefined && body.byteLength > 0) sum = crc32(body, sum);
  if (lastBody !== undefined && lastBody.byteLength > 0) sum = crc32(lastBody, sum);
  // SQLite stores a signed 32-bit number in four bytes, and a larger unsigned number in six.
  return sum | 0;
}
