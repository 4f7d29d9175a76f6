// Entries are converted to records and back unchanged; bodies are compressed when that saves enough.
import type { StoredRobots } from "@robots-stream/fetch";
import { packedOf } from "@robots-stream/fetch/archives";
import { expect, test } from "vitest";
import { bytesOfRecord, recordOf } from "./snapshot-record.ts";

const origin = "https://a.example";
const line = "Disallow: /wp-admin/\n";

function entryWith(body: Buffer): StoredRobots {
  const hops = [{ url: `${origin}/robots.txt`, status: 200 }];
  return { origin, fetchedAt: 1, freshUntil: 2, access: "successful", code: "ok", status: 200, hops, body };
}

test.each<[what: string, body: Buffer, isPacked: boolean]>([
  ["an empty body", Buffer.alloc(0), false],
  ["one line", Buffer.from(line), false],
  ["a body too short to save enough", Buffer.from(line.repeat(12)), false],
  ["a body that compresses just enough", Buffer.from(line.repeat(14)), true],
  ["a long file", Buffer.from(line.repeat(1_000)), true],
  [
    "a body that does not compress",
    Buffer.from(Array.from({ length: 2_000 }, (_, at) => (at * at * 7_919) >> 5)),
    false,
  ],
])("%s is unchanged after conversion to a record and back", (_what, body, isPacked) => {
  const bytes = bytesOfRecord(entryWith(body))!;
  const without = bytesOfRecord(entryWith(Buffer.alloc(0)))!.length;
  expect(bytes.length - without).toBe(isPacked ? packedOf(body).byteLength : body.length);
  const record = recordOf(bytes, origin)!;
  expect(Buffer.compare(record.ordinaryBody()!, body)).toBe(0);
  expect(record.entry()).toMatchObject({ origin, access: "successful", code: "ok" });
  expect(Buffer.compare(record.entry()!.body!, body)).toBe(0);
  // A reader reads the next record into the same memory.
  const kept = record.ordinaryBody()!;
  bytes.fill(0);
  expect(Buffer.compare(kept, body)).toBe(0);
});
