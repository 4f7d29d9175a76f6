// An entry ↔ the values of its row: what is asked for by column, the rest as JSON, all of it under one checksum.
import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { AccessResult, Hop, LastCopy, StoredRobots } from "../types.ts";
import { packedOf, unpackedOf } from "./pack.ts";

/** In the order of their numbers in the column `access`: part of the format. */
const accessResults: readonly AccessResult[] = ["successful", "unavailable", "unreachable"];

/** A body as it is kept. */
export interface PackedBody {
  /** The first 128 bits of its SHA-256. */
  readonly hash: Uint8Array;
  /** The first 48 bits of `hash`: an index of numbers is a quarter of one of hashes. */
  readonly key: number;
  readonly size: number;
  readonly packed: Uint8Array;
}

/** An entry ready to be written. */
export interface PackedEntry {
  readonly entry: StoredRobots;
  readonly access: number;
  readonly rest: string | null;
  readonly checksum: number;
  readonly body: PackedBody | undefined;
  readonly lastBody: PackedBody | undefined;
  /** About what it will take. */
  readonly bytes: number;
}

/** A row of `fetches` with its origin and bodies, as node:sqlite gives it. */
export interface FetchRow {
  readonly origin: string;
  readonly fetched_at: number;
  readonly fresh_until: number;
  readonly access: number;
  readonly code: string;
  readonly status: number | null;
  readonly rest: string | null;
  readonly checksum: number;
  readonly size: number | null;
  readonly packed: Uint8Array | null;
  readonly last_size: number | null;
  readonly last_packed: Uint8Array | null;
}

/** The members without columns; `hops` is left out when it is the one request that everybody makes. */
interface Rest {
  readonly hops?: readonly (readonly [url: string, status: number])[];
  /** Names and values by turns; a number stands for one of `usualNames`. */
  readonly fields?: readonly (string | number)[];
  readonly truncated?: boolean;
  readonly since?: number;
  readonly copy?: Omit<LastCopy, "body">;
}

/** Names of header fields that most rows have, by their number: part of the format. */
const usualNames: readonly string[] = ["content-type", "cache-control", "last-modified", "etag", "retry-after"];

/** Packs an entry: compresses its bodies, which is most of what keeping it costs. */
export function packedEntryOf(entry: StoredRobots): PackedEntry {
  const rest = restOf(entry);
  const access = accessResults.indexOf(entry.access);
  const body = entry.body && packedBodyOf(entry.body);
  const lastBody = entry.lastCopy?.body && packedBodyOf(entry.lastCopy.body);
  const { origin, fetchedAt, freshUntil, code, status } = entry;
  const checksum = checksumOf(
    textOf(origin, fetchedAt, freshUntil, access, code, status ?? null, rest),
    entry.body,
    entry.lastCopy?.body,
  );
  const bytes =
    200 + (rest?.length ?? 0) + origin.length * 2 + (body?.packed.byteLength ?? 0) + (lastBody?.packed.byteLength ?? 0);
  return { entry, access, rest, checksum, body, lastBody, bytes };
}

function packedBodyOf(bytes: Uint8Array): PackedBody {
  const digest = hash("sha256", bytes, "buffer").subarray(0, 16);
  // The copy is the store's own: the caller may use his array for something else.
  const packed = packedOf(bytes);
  return {
    hash: digest,
    key: digest.readUIntBE(0, 6),
    size: bytes.byteLength,
    packed: packed === bytes ? bytes.slice() : packed,
  };
}

/** The entry of a row; undefined when what was read is not what was written. */
export function entryOfRow(row: FetchRow): StoredRobots | undefined {
  const { origin, fetched_at: fetchedAt, fresh_until: freshUntil, code, status, rest: restText } = row;
  const access = accessResults[row.access];
  const body = bodyOf(row.packed, row.size);
  const lastBody = bodyOf(row.last_packed, row.last_size);
  if (access === undefined || body === null || lastBody === null) return undefined;
  const text = textOf(origin, fetchedAt, freshUntil, row.access, code, status, restText);
  if (checksumOf(text, body, lastBody) !== row.checksum) return undefined;
  const rest = (restText === null ? {} : JSON.parse(restText)) as Rest;
  return {
    origin,
    fetchedAt,
    freshUntil,
    access,
    code,
    ...(status === null ? {} : { status }),
    ...(body === undefined ? {} : { body }),
    ...(rest.truncated === undefined ? {} : { truncated: rest.truncated }),
    ...(rest.fields === undefined ? {} : { headers: headersOf(rest.fields) }),
    ...(rest.since === undefined ? {} : { unreachableSince: rest.since }),
    ...(rest.copy === undefined
      ? {}
      : { lastCopy: lastBody === undefined ? rest.copy : { ...rest.copy, body: lastBody } }),
    hops: rest.hops?.map(([url, answered]) => ({ url, status: answered })) ?? [usualHop(origin, status ?? 0)],
  };
}

/** Undefined where there is none, null for a broken one. */
function bodyOf(packed: Uint8Array | null, size: number | null): Uint8Array | undefined | null {
  if (size === null) return undefined;
  return (packed === null ? undefined : unpackedOf(packed, size)) ?? null;
}

function restOf({ origin, status, hops, headers, truncated, unreachableSince, lastCopy }: StoredRobots): string | null {
  const usual = usualHop(origin, status ?? 0);
  const [first] = hops;
  const isUsual = hops.length === 1 && first?.url === usual.url && first.status === usual.status;
  const { body: _body, ...copy } = lastCopy ?? {};
  const rest = {
    hops: isUsual ? undefined : hops.map(({ url, status: answered }) => [url, answered]),
    fields: headers && fieldsOf(headers),
    truncated,
    since: unreachableSince,
    copy: lastCopy && copy,
  };
  const text = JSON.stringify(rest);
  return text === "{}" ? null : text;
}

function fieldsOf(headers: Readonly<Record<string, string>>): readonly (string | number)[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const number = usualNames.indexOf(name);
    return [number === -1 ? name : number, value];
  });
}

function headersOf(fields: readonly (string | number)[]): Record<string, string> {
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at]!;
    headers.push([typeof name === "number" ? (usualNames[name] ?? "") : name, String(fields[at + 1])]);
  }
  return Object.fromEntries(headers);
}

function usualHop(origin: string, status: number): Hop {
  return { url: `${origin}/robots.txt`, status };
}

function textOf(...values: readonly (string | number | null)[]): string {
  return JSON.stringify(values);
}

function checksumOf(text: string, body: Uint8Array | undefined, lastBody: Uint8Array | undefined): number {
  // Their lengths tell a file from none, and one place from the other.
  let sum = crc32(`${text}${body?.byteLength},${lastBody?.byteLength}`);
  // Of no bytes Node 22 makes 0, whatever the sum before.
  if (body !== undefined && body.byteLength > 0) sum = crc32(body, sum);
  if (lastBody !== undefined && lastBody.byteLength > 0) sum = crc32(lastBody, sum);
  return sum;
}
