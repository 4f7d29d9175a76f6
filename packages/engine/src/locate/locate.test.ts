// The same records as strings and as ranges of bytes give the same results, with and without `--agent-field`, in whole and divided runs.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Crawlers } from "../questions/questions.ts";
import { Locator, type LocatedBatch, firstOf, targetOf } from "./locate.ts";
import { OriginTable } from "../origins/origins.ts";
import type { Batch } from "../records/batch.ts";
import { PackedRecords, headEndAt, headStartAt, spanSize } from "../records/packed.ts";
import { constantOf } from "../robots/in-force.ts";
import type { Shard } from "../common/shard.ts";
import { Tally } from "../origins/tally.ts";
import { batchOf } from "../../test/reading.ts";

interface TestRecord {
  readonly url: string;
  readonly agent: string;
  /** Whether the texts are unchanged ranges of the input. */
  readonly isPlain: boolean;
}

const url = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("https://a.example", "http://b.example:8080", "HTTPS://A.example", "https://user@c.example"),
      fc.constantFrom("", "/", "/x?y", "/a/../b", "/caf%C3%A9", "/café", "/#x", `/${"a".repeat(70_000)}`),
    )
    .map((parts) => parts.join("")),
  fc.constantFrom("mailto:a@b", "", "https://", "/only/a/path", "ftp://d.example/x"),
);
const agent = fc.constantFrom(
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; bingbot/2.0)",
  "CCBot/2.0",
  "Mozilla/5.0 Firefox/128.0",
  "",
  `bingbot ${"x".repeat(2_000)}`,
  "Caf\u00c3\u00a9bot",
);
const records = fc.array(fc.record({ url, agent, isPlain: fc.boolean() }), { maxLength: 40 });

function headOf(record: number): string {
  return `{"n":${record}`;
}

function stringsOf(all: readonly TestRecord[]): Batch {
  return batchOf(all.map(({ url: text, agent: header }, at) => ({ head: headOf(at), url: text, agent: header })));
}

/** The same records as bytes; texts that were decoded are separate strings. */
function packedOf(all: readonly TestRecord[]): Batch {
  const text = all.map((record, at) => headOf(at) + record.url + record.agent);
  const bytes = Buffer.from(text.map((each) => Buffer.from(each, "latin1").toString("latin1")).join(""), "latin1");
  const packed = new PackedRecords(bytes, bytes, 0);
  let start = 0;
  for (const [at, record] of all.entries()) {
    const headEnd = start + headOf(at).length;
    const urlEnd = headEnd + record.url.length;
    const end = urlEnd + record.agent.length;
    // The Latin-1 byte of "é" alone is not valid UTF-8.
    if (record.isPlain && !record.url.includes("é")) packed.push(start, headEnd, headEnd, urlEnd);
    else packed.pushDecoded(start, headEnd, record.url);
    if (record.isPlain) packed.pushField("agent", urlEnd, end);
    else packed.pushDecodedField("agent", record.agent);
    start = end;
  }
  return { records: packed, rejects: [] };
}

interface Options {
  readonly byRecord: boolean;
  readonly shard: Shard | undefined;
}

interface Seen {
  readonly located: readonly unknown[];
  readonly tally: Pick<Tally, "origins" | "elsewhere">;
  readonly agents: readonly string[];
}

function locate(batches: readonly Batch[], { byRecord, shard }: Options): Seen {
  const tally = new Tally([]);
  const options = { dialects: ["google"], tokenMatch: undefined, hasFallback: true } as const;
  const crawlers = byRecord ? new Crawlers(options, (asked) => tally.ask(asked)) : undefined;
  const origins = new OriginTable({
    source: { isRemote: false, load: () => constantOf("unavailable", "http-404"), close: () => undefined },
    questions: [],
    crawlers,
    tally,
    shard,
    concurrency: 1,
    signal: new AbortController().signal,
  });
  const locator = new Locator({ origins, tally, shard, crawlers });
  const located = batches.flatMap((batch) => textsOf(locator.locate(batch)));
  return { located, tally, agents: tally.questions.map(({ question }) => question.agent) };
}

function textsOf(batch: LocatedBatch): readonly unknown[] {
  return Array.from({ length: batch.count }, (_, record) => {
    const at = record * spanSize;
    const head = batch.heads.toString("latin1", batch.spans[at + headStartAt], batch.spans[at + headEndAt]);
    return [head, batch.states[record]?.origin, firstOf(batch, record), targetOf(batch, record)];
  });
}

test.each([
  ["all questions about each record", { byRecord: false, shard: undefined }],
  ["each record names its crawler", { byRecord: true, shard: undefined }],
  ["a shard", { byRecord: false, shard: { part: 2, count: 3 } }],
  ["a shard, and each record names its crawler", { byRecord: true, shard: { part: 1, count: 2 } }],
] as const)("strings and ranges of bytes are located alike: %s", (_what, options) => {
  fc.assert(
    fc.property(fc.array(records, { maxLength: 4 }), (batches) => {
      const strings = locate(batches.map(stringsOf), options);
      const packed = locate(batches.map(packedOf), options);
      expect(packed.located).toEqual(strings.located);
      expect(packed.agents).toEqual(strings.agents);
      const counts = ({ tally: { origins, elsewhere } }: Seen): unknown => [origins, elsewhere];
      expect(counts(packed)).toEqual(counts(strings));
    }),
    { numRuns: 60 },
  );
});

test("crawlers are found for more headers than the cache holds", () => {
  const tally = new Tally([]);
  const crawlers = new Crawlers({ dialects: ["google"], tokenMatch: undefined, hasFallback: true }, (asked) =>
    tally.ask(asked),
  );
  const headers = Array.from({ length: 25_000 }, (_, at) => (at % 2 === 0 ? `bingbot/${at}` : `Firefox/${at}`));
  const bytes = Buffer.from(headers.join(""));
  const packed = new PackedRecords(bytes, bytes, 0);
  let start = 0;
  for (const header of headers) {
    packed.push(0, 0, 0, 0);
    packed.pushField("agent", start, (start += header.length));
  }
  const firsts = [0, 1].map(() => headers.map((_header, record) => crawlers.firstOf(packed, record)));
  expect(firsts[0]).toEqual(headers.map((_header, at) => (at % 2 === 0 ? 0 : 0xffffffff)));
  expect(firsts[1]).toEqual(firsts[0]);
});
