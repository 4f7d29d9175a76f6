// Converts a cache entry to WARC/1.1 records: a resource record with the robots.txt, and a metadata record with the other data of the
// entry. Each record is compressed separately (ISO 28500:2017, annex D).
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { StoredRobots } from "@robots-stream/fetch";
import { jsonOfStored } from "@robots-stream/fetch/json";
import { robotsUrlOf } from "@robots-stream/url";
import { base32Of, checksumOf } from "@robots-stream/engine/archives";
import { isoOf } from "./list.ts";

/** Returns the warcinfo record, the first record of a WARC file. */
export function warcBeginning(nowMs: number): Uint8Array {
  const block =
    "software: robots-stream\r\nformat: WARC File Format 1.1\r\n" +
    "description: robots.txt files as they were decoded, and a metadata record for each fetch\r\n";
  return recordOf(
    "warcinfo",
    idOf("warcinfo", String(nowMs)),
    nowMs,
    "application/warc-fields",
    Buffer.from(block),
    [],
  );
}

/**
 * Returns the records of an entry. An entry without a robots.txt has only a metadata record. The resource record is not a response record,
 * because the cache stores neither the request nor most header fields of the response.
 */
export function warcRecordsOf(entry: StoredRobots): Uint8Array[] {
  const { body, ...rest } = entry;
  const url = robotsUrlOf(entry.origin);
  const block = Buffer.from(JSON.stringify({ ...jsonOfStored(rest), checksum: checksumOf(entry) }));
  const place: Field[] = [["WARC-Target-URI", url]];
  if (body === undefined) return [metadataOf(place)];
  const id = idOf("resource", entry.origin, String(entry.fetchedAt), body);
  const type = /^[\x20-\x7e]{1,200}$/.exec(entry.headers?.["content-type"] ?? "")?.[0] ?? "text/plain";
  const digest: Field = ["WARC-Payload-Digest", digestOf(body)];
  const cut: Field[] = entry.truncated === true ? [["WARC-Truncated", "length"]] : [];
  const resource = recordOf("resource", id, entry.fetchedAt, type, body, [...place, digest, ...cut]);
  return [resource, metadataOf([...place, ["WARC-Refers-To", `<${id}>`]])];

  function metadataOf(fields: readonly Field[]): Uint8Array {
    const metadataId = idOf("metadata", entry.origin, String(entry.fetchedAt), block);
    return recordOf("metadata", metadataId, entry.fetchedAt, "application/json", block, fields);
  }
}

type Field = readonly [name: string, value: string];

function recordOf(
  type: string,
  id: string,
  dateMs: number,
  contentType: string,
  block: Uint8Array,
  fields: readonly Field[],
): Uint8Array {
  const all: readonly Field[] = [
    ["WARC-Type", type],
    ["WARC-Record-ID", `<${id}>`],
    ["WARC-Date", isoOf(dateMs)],
    ...fields,
    ["WARC-Block-Digest", digestOf(block)],
    ["Content-Type", contentType],
    ["Content-Length", String(block.byteLength)],
  ];
  const head = `WARC/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  return gzipSync(Buffer.concat([Buffer.from(head, "utf8"), block, Buffer.from("\r\n\r\n")]));
}

/** Returns a UUID of version 8 (RFC 9562 §5.8), computed from `parts`. So the records of an entry have the same ids in every export. */
function idOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  const bytes = hash.digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return `urn:uuid:${bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")}`;
}

/** Returns the SHA-1 digest in Base32, the form of digests that every WARC tool can check. */
function digestOf(bytes: Uint8Array): string {
  return `sha1:${base32Of(createHash("sha1").update(bytes).digest())}`;
}
