// After one stored bit is flipped, a store returns for each origin the entry that was set last, or none.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { StoredRobots } from "../common/types.ts";
import { bytesOfEntry, entryOfBytes } from "./redis-value.ts";
import { openDatabase } from "./sqlite-open.ts";
import { packedEntryOf } from "./entry-row.ts";
import { Table } from "./sqlite-table.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
/** The step between flipped bits: 1 in the thorough form, otherwise a prime, so that all eight bits of a byte are covered. */
const step = isThorough ? 1 : 13;
const folder = mkdtempSync(join(tmpdir(), "robots-stream-damage-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = 1_700_000_000_000;
const plain: StoredRobots = {
  origin: "https://shop.example",
  fetchedAt: at,
  freshUntil: at + 86_400_000,
  access: "successful",
  code: "ok",
  status: 200,
  body: Buffer.from("User-agent: *\nDisallow: /private\nAllow: /private/public\nSitemap: https://shop.example/s.xml\n"),
  hops: [{ url: "https://shop.example/robots.txt", status: 200 }],
};
const { body: _body, ...bare } = plain;
const entries: readonly StoredRobots[] = [
  plain,
  // Long enough to be deflated.
  { ...plain, origin: "https://long.example", body: Buffer.from("Disallow: /é\nUser-agent: x\n".repeat(300)) },
  // Not compressible.
  { ...plain, origin: "https://raw.example", body: Uint8Array.from({ length: 200 }, (_, i) => (i * 89) & 0xff) },
  { ...plain, origin: "https://empty.example", body: new Uint8Array(0), truncated: true },
  { ...bare, origin: "https://gone.example", access: "unavailable", code: "http-404", status: 404 },
  {
    ...bare,
    origin: "https://down.example",
    access: "unreachable",
    code: "http-503",
    status: 503,
    headers: { "retry-after": "120", etag: '"1"' },
    unreachableSince: at - 1_000,
    lastCopy: {
      fetchedAt: at - 9_000,
      access: "successful",
      code: "ok",
      status: 200,
      body: Buffer.from("Allow: /\nAllow: /"),
    },
    hops: [],
  },
];

/** Converts an entry to plain data, so that byte arrays of any class are compared by their bytes. */
function textOf(entry: StoredRobots | undefined): string | undefined {
  const hex = (body: Uint8Array | undefined): string | undefined => body && Buffer.from(body).toString("hex");
  return (
    entry &&
    JSON.stringify({
      ...entry,
      body: hex(entry.body),
      lastCopy: entry.lastCopy && { ...entry.lastCopy, body: hex(entry.lastCopy.body) },
    })
  );
}

/** Calls `use` with the bytes for each flipped bit, one at a time. */
function flipEach(bytes: Buffer, use: (flipped: Buffer, bit: number) => void, every = step): void {
  for (let bit = 0; bit < bytes.byteLength * 8; bit += every) {
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    use(bytes, bit);
    bytes[bit >> 3]! ^= 1 << (bit & 7);
  }
}

describe("a value in Redis", () => {
  test.each(entries.map((entry) => [entry.origin, entry] as const))("%s", (_origin, entry) => {
    const bytes = bytesOfEntry(entry);
    const set = textOf(entryOfBytes(bytes));
    expect(JSON.parse(set ?? "")).toEqual(JSON.parse(textOf(entry) ?? ""));
    const wrong: number[] = [];
    flipEach(bytes, (flipped, bit) => {
      const got = entryOfBytes(flipped);
      if (got !== undefined && textOf(got) !== set) wrong.push(bit);
    });
    expect(wrong).toEqual([]);
  });

  test("cut anywhere, or with additional bytes, is not an entry", () => {
    for (const entry of entries) {
      const bytes = bytesOfEntry(entry);
      for (let end = 0; end < bytes.byteLength; end++) expect(entryOfBytes(bytes.subarray(0, end))).toBeUndefined();
      for (const more of ["\0", "\n", "more"]) {
        expect(entryOfBytes(Buffer.concat([bytes, Buffer.from(more)]))).toBeUndefined();
      }
    }
  });

  test("of an earlier version, without a checksum, is not an entry", () => {
    // {"origin":"https://a.example","fetchedAt":1,…}, as the first version wrote it.
    const json = Buffer.from(JSON.stringify({ ...bare, bodyBytes: 3 }));
    const lengths = Buffer.alloc(8);
    lengths.writeUInt32BE(json.byteLength + 3, 0);
    lengths.writeUInt32BE(json.byteLength, 4);
    expect(entryOfBytes(Buffer.concat([lengths, json, Buffer.from("# a")]))).toBeUndefined();
  });

  test("is not an entry for programs of the earlier version, which read the first four bytes as a length", () => {
    for (const entry of entries) expect(bytesOfEntry(entry).readUInt32BE(0)).toBeGreaterThan(600 * 1_048_576);
  });
});

describe("a cell of the SQLite store", () => {
  test("with a flipped bit in any cell, reading gives the entry, none, or an error", () => {
    const database = openDatabase(join(folder, "robots.sqlite"), 1_048_576);
    const table = new Table(database);
    // Each origin also has an older fetch, which must not be returned as the newest. There are eight such rows, so that the id of an
    // origin's older row differs in one bit from the id of its newest row.
    const others = Array.from({ length: 8 - entries.length }, (_, i) => `https://other${i}.example`);
    for (const origin of [...entries.map((entry) => entry.origin), ...others]) {
      const body = Buffer.from(`# ${origin}, before\n`);
      table.add(packedEntryOf({ ...plain, origin, fetchedAt: at - 5_000, body }), false);
    }
    for (const entry of entries) table.add(packedEntryOf(entry), false);
    const set = new Map(entries.map(({ origin }) => [origin, textOf(table.get(origin))]));
    const wrong: string[] = [];
    let flips = 0;
    const seen = { same: 0, none: 0, refused: 0 };
    const look = (what: string): void => {
      for (const { origin } of entries) {
        try {
          const got = table.get(origin);
          if (got === undefined) seen.none++;
          else if (textOf(got) === set.get(origin)) seen.same++;
          else wrong.push(`${what}: ${origin}`);
        } catch {
          // The store reports this as a StoreError.
          seen.refused++;
        }
      }
    };
    for (const name of ["origins", "fetches", "bodies"]) {
      for (const { id, ...cells } of database.prepare(`SELECT * FROM ${name}`).all()) {
        for (const [column, cell] of Object.entries({ id, ...cells })) {
          if (cell === null) continue;
          const update = database.prepare(`UPDATE ${name} SET ${column} = ? WHERE id = ?`);
          const flip = (flipped: Buffer, bit: number): void => {
            database.exec("BEGIN");
            try {
              update.run(cellOf(flipped, cell), id as number);
              flips++;
              look(`${name} ${String(id)} ${column} bit ${bit}`);
            } catch {
              // SQLite refuses the change: the id exists already.
            }
            database.exec("ROLLBACK");
          };
          flipEach(bytesOfCell(cell), flip, column === "latest" ? 1 : step);
        }
      }
    }
    database.close();
    expect(wrong).toEqual([]);
    expect(flips).toBeGreaterThan(1_000);
    expect(Math.min(seen.same, seen.none)).toBeGreaterThan(100);
  }, 600_000);

  type Cell = number | string | Uint8Array;

  function bytesOfCell(cell: unknown): Buffer {
    if (typeof cell === "string") return Buffer.from(cell, "utf8");
    if (cell instanceof Uint8Array) return Buffer.from(cell);
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(BigInt(cell as number));
    return bytes;
  }

  function cellOf(bytes: Buffer, like: unknown): Cell | bigint {
    if (typeof like === "string") return bytes.toString("utf8");
    return like instanceof Uint8Array ? Buffer.from(bytes) : bytes.readBigInt64BE();
  }
});
