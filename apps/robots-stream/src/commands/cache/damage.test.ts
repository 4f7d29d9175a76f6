// Imports of exports with one inverted bit: every imported entry equals an exported entry, and every missing entry is reported or belongs
// to a skipped record.
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { StoredRobots } from "@robots-stream/fetch";
import { jsonOfStored } from "@robots-stream/fetch/json";
import { entriesOf, lineOfEntry } from "@robots-stream/engine/archives";
import { warcBeginning, warcRecordsOf } from "./export.ts";

/** Distance between tested bits: 1 in thorough runs, else a prime, so that every bit position within a byte is tested. */
const step = process.env["ROBOTS_STREAM_THOROUGH"] === undefined ? 17 : 1;
const at = Date.UTC(2026, 10, 21);
const plain: StoredRobots = {
  origin: "https://shop.example",
  fetchedAt: at,
  freshUntil: at + 86_400_000,
  access: "successful",
  code: "ok",
  status: 200,
  body: Buffer.from("User-agent: *\r\nDisallow: /é\n"),
  headers: { "content-type": "text/plain", etag: '"1"' },
  hops: [{ url: "https://shop.example/robots.txt", status: 200 }],
};
const { body: _body, headers: _headers, ...bare } = plain;
const entries: readonly StoredRobots[] = [
  plain,
  { ...bare, origin: "https://raw.example", body: Buffer.from([0xff, 0, 0xfe, 0x0a]), truncated: true },
  { ...bare, origin: "https://gone.example", access: "unavailable", code: "http-404", status: 404, hops: [] },
  {
    ...bare,
    origin: "https://down.example",
    access: "unreachable",
    code: "http-503",
    status: 503,
    unreachableSince: at,
    lastCopy: { fetchedAt: at - 1, access: "successful", code: "ok", status: 200, body: Buffer.from("Allow: /\n") },
  },
];
const textOf = (entry: StoredRobots): string => JSON.stringify(jsonOfStored(entry));
const known: ReadonlySet<string> = new Set(entries.map(textOf));

const exportedLines = Buffer.from(entries.map(lineOfEntry).join(""));
const exportedWarc = Buffer.concat([
  gunzipSync(warcBeginning(at)),
  ...entries.flatMap(warcRecordsOf).map((record) => gunzipSync(record)),
]);

async function imported(bytes: Uint8Array): Promise<{ readonly texts: readonly string[]; readonly told: number }> {
  const texts: string[] = [];
  let told = 0;
  const source = (async function* () {
    yield await Promise.resolve(bytes);
  })();
  try {
    for await (const entry of entriesOf(source, () => void told++)) texts.push(textOf(entry));
  } catch {
    // The fault is reported with exit code 3, because the file begins like compressed data.
    told++;
  }
  return { texts, told };
}

describe.each([
  ["NDJSON", exportedLines],
  ["WARC", exportedWarc],
])("%s", (format, exported) => {
  test("as it was exported", async () => {
    expect(await imported(exported)).toEqual({ texts: entries.map(textOf), told: 0 });
  });

  test("with one bit inverted", async () => {
    const wrong: string[] = [];
    const unheard: string[] = [];
    let missing = 0;
    for (let bit = 0; bit < exported.byteLength * 8; bit += step) {
      const flipped = Buffer.from(exported);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      const { texts, told } = await imported(flipped);
      const where = `${bit}: ${flipped.toString("latin1", Math.max(0, (bit >> 3) - 20), (bit >> 3) + 20)}`;
      if (texts.some((text) => !known.has(text))) wrong.push(where);
      if (texts.length < entries.length) missing++;
      if (texts.length < entries.length && told === 0) unheard.push(where);
    }
    expect(wrong).toEqual([]);
    expect(missing).toBeGreaterThan(100);
    // Records of other kinds are skipped, and so is a record whose header no longer states its kind.
    if (format === "NDJSON") expect(unheard).toEqual([]);
  }, 600_000);
});

test.each<[what: string, from: string, to: string]>([
  ["its body", "Disallow", "Disallou"],
  ["its origin", "https://shop.example", "https://shot.example"],
  ["its times", String(at + 86_400_000), String(at + 86_400_001)],
  ["a header", 'etag":"\\"1', 'etag":"\\"2'],
  ["a hop", "/robots.txt", "/robots.tyt"],
  ["the result", '"status":200', '"status":201'],
])("a line whose checksum does not fit %s is rejected because of the checksum", async (_what, from, to) => {
  const line = lineOfEntry(plain).replaceAll(from, to);
  expect(line).not.toBe(lineOfEntry(plain));
  const why: string[] = [];
  for await (const entry of entriesOf(piecesOf(line), (_where, reason) => void why.push(reason)))
    why.push(textOf(entry));
  expect(why).toEqual([expect.stringContaining("checksum")]);
});

test("a line that another program has rewritten, or that has no checksum, is an entry", async () => {
  const { checksum, ...rest } = JSON.parse(lineOfEntry(plain)) as Record<string, unknown>;
  const turned = Object.fromEntries([["checksum", checksum], ...Object.entries(rest).toReversed()]);
  const escaped = JSON.stringify(turned).replaceAll("é", "\\u00e9").replaceAll(",", " , ");
  for (const line of [escaped, JSON.stringify(rest)]) {
    expect(await imported(Buffer.from(line))).toEqual({ texts: [textOf(plain)], told: 0 });
  }
});

test("a successful result without its robots.txt is not an entry, because such an entry would allow everything", async () => {
  const { body: _without, ...rest } = JSON.parse(textOf(plain)) as Record<string, unknown>;
  expect(await imported(Buffer.from(JSON.stringify(rest)))).toEqual({ texts: [], told: 1 });
});

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

test.each(["__proto__", "constructor"])(
  "%s as a member of a line changes no object and is not an origin",
  async (name) => {
    const line = JSON.stringify(jsonOfStored(plain));
    const harm = `${JSON.stringify(name)}:{"access":"unavailable","checksum":"x","origin":"https://else.example"}`;
    const bytes = Buffer.from(`{${harm},${line.slice(1)}\n${line.replace("https://shop.example", name)}\n`);
    expect(await imported(bytes)).toEqual({ texts: [textOf(plain)], told: 1 });
    expect(({} as Record<string, unknown>)["access"]).toBeUndefined();
  },
);

test("a record with a wrong digest is reported with its origin, but without the rest of its URL", async () => {
  const head = (uri: string): string =>
    `WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Target-URI: ${uri}\r\nWARC-Block-Digest: sha1:AAAA\r\n` +
    "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}\r\n\r\n";
  const uris = ["<https://user:hunter2@a.example/hunter2?token=hunter2>", "hunter2:hunter2@b"];
  const why: string[] = [];
  for await (const entry of entriesOf(piecesOf(uris.map(head).join("")), (_where, reason) => void why.push(reason))) {
    why.push(textOf(entry));
  }
  expect(why).toEqual(
    ["https://a.example", "a record"].map((shown) => expect.stringContaining(`${shown}: is damaged`)),
  );
  expect(why.join()).not.toContain("hunter2");
});
