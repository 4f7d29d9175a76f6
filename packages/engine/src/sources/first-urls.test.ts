// Tests when batches with and without URLs are passed on, and which batches are wrong usage.
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { UsageError } from "../common/errors.ts";
import { inputFormats, outputFormats } from "../formats/registry/registry.ts";
import type { Batch } from "../records/batch.ts";
import { PackedRecords } from "../records/packed.ts";
import type { Clock } from "./peek.ts";
import { withFirstUrl } from "./first-urls.ts";
import { readWithBase } from "./input.ts";
import { batchOf as batchOfRecords } from "../../test/reading.ts";

const readAs = { source: "s", urlField: undefined, base: undefined, format: { name: "ndjson" } };
const batchOf = (...urls: readonly string[]): Batch => batchOfRecords(urls.map((url) => ({ head: url, url })));
const rejected = (code: Batch["rejects"][number]["code"], text = ""): Batch => ({
  ...batchOf(),
  rejects: [{ source: "s", line: 1, code, message: "is odd", text }],
});
const packedOf = (url: string): Batch => {
  const packed = new PackedRecords(Buffer.alloc(0), Buffer.from(url), 1);
  packed.push(0, 0, 0, url.length);
  return { records: packed, rejects: [] };
};
const many = (count: number, batch: Batch): readonly Batch[] => Array.from({ length: count }, () => batch);

/** 1,000 rejects of adjacent lines. */
const rejectsFrom = (line: number): Batch => ({
  ...batchOf(),
  rejects: Array.from({ length: 1_000 }, (_, at) => ({ ...rejected("not-json").rejects[0]!, line: line + at })),
});

async function* given(batches: readonly Batch[], error?: Error): AsyncGenerator<Batch> {
  yield* batches;
  if (error !== undefined) throw error;
}

/** The number of batches that are passed on, and the error. */
async function passed(
  batches: AsyncIterable<Batch>,
  clock?: Clock,
): Promise<readonly [count: number, error: string | undefined]> {
  let count = 0;
  try {
    for await (const _batch of withFirstUrl(batches, readAs, clock)) count++;
  } catch (error) {
    return [count, (error as UsageError).message.replace(/;.*/, "")];
  }
  return [count, undefined];
}

test.each<[what: string, batches: readonly Batch[], count: number, error?: string]>([
  ["nothing", [], 0],
  ["one URL", [batchOf("https://a.example/")], 1],
  ["one URL in bytes", [packedOf("https://a.example/")], 1],
  ["a URL without an origin", [batchOf("mailto:someone")], 1],
  ["a URL that is too long", [batchOf(`https://a.example/${"x".repeat(100_000)}`)], 1],
  ["one odd record first", [batchOf("oops"), batchOf("https://a.example/")], 2],
  ["one reject first", [rejected("not-json"), batchOf("https://a.example/")], 2],
  [
    "the last of 100 has a URL",
    [...many(99, batchOf("x")), batchOf("https://a.example/"), ...many(200, batchOf("x"))],
    300,
  ],
  ["requests without a URL alone", many(500, rejected("no-request")), 500],
  ["rejects from line 2 on, and a URL in the next batch", [rejectsFrom(2), batchOf("https://a.example/")], 2],
  [
    "100 rejects first",
    [rejectsFrom(1), batchOf("https://a.example/")],
    0,
    "s: none of its first 100 records has a URL",
  ],
  [
    "100 rejects first, and a URL in the same batch",
    [{ ...batchOf("https://a.example/"), rejects: rejectsFrom(1).rejects }],
    0,
    "s: none of its first 100 records has a URL",
  ],
  ["one record without a URL", [batchOf("oops")], 0, "s: its only record has no URL"],
  ["one record in bytes without a URL", [packedOf("oops")], 0, "s: its only record has no URL"],
  ["one reject alone", [rejected("not-json")], 0, "s: its only record has no URL"],
  ["a word before a colon, and spaces", [batchOf("error: it failed")], 0, "s: its only record has no URL"],
  ["some records without a URL", [batchOf("a", "b"), rejected("not-json")], 0, "s: none of its 3 records has a URL"],
  [
    "100 records without a URL, in many batches",
    [...many(100, batchOf("a")), batchOf("https://a.example/")],
    0,
    "s: none of its first 100 records has a URL",
  ],
  [
    "100 records without a URL, in one batch",
    [batchOf(...Array<string>(101).fill("a"), "https://a.example/")],
    0,
    "s: none of its first 100 records has a URL",
  ],
  ["large rejects end the check, and pass", many(3, rejected("not-json", "x".repeat(1_000_000))), 3],
])("%s", async (_what, batches, count, error) => {
  expect(await passed(given(batches))).toEqual([count, error]);
});

test.each([
  ["no record has a URL", undefined],
  ["the reader refuses the first record", new UsageError("no-agent-field", "s: the first record has no field")],
])("the lines after an overlong first line were not examined: %s", async (_what, error) => {
  const batches = withFirstUrl(given([rejected("too-long"), batchOf("a")], error), { ...readAs, isUnexamined: true });
  const all = async (): Promise<void> => {
    for await (const _batch of batches);
  };
  await expect(all()).rejects.toMatchObject({
    mistake: error?.mistake ?? "no-urls",
    message: "s: its format was not detected, because line 1 has more than 1048576 bytes; it cannot be read as ndjson",
    hint: expect.stringContaining("inputFormat: NAME"),
  });
});

test("an error of the reader is thrown after the held batches", async () => {
  expect(await passed(given(many(3, batchOf("x")), new Error("the reader's")))).toEqual([3, "the reader's"]);
});

test("records without URLs are passed on when the source is silent; a record with a URL is not held", async () => {
  const waits: (() => void)[] = [];
  const clock: Clock = {
    after(_ms, act) {
      waits.push(act);
      return () => undefined;
    },
  };
  const lines = inputFormats.find(({ name }) => name === "lines")!;
  const shape = { resultKey: "robots", hasDialect: false, hasKind: false, csvSafe: false };
  const stream = new PassThrough();
  const options = {
    ...readAs,
    format: lines,
    lineEnd: "\n",
    maxLineBytes: 1_000,
    writer: outputFormats[0]!.createWriter(shape),
  } as const;
  const batches = withFirstUrl(readWithBase(lines, stream, options), options, clock)[Symbol.asyncIterator]();
  stream.write("oops\n");
  const first = batches.next();
  while (waits.length === 0) await new Promise(setImmediate);
  waits[0]!();
  const urlOf = ({ value }: IteratorResult<Batch>): string | undefined => (value as Batch).records.urlOf(0);
  expect(urlOf(await first)).toBe("oops");
  stream.write("no URL either\n");
  expect(urlOf(await batches.next())).toBe("no URL either");
  stream.end();
  expect(await batches.next()).toEqual({ done: true, value: undefined });

  const live = new PassThrough();
  live.write("oops\nhttps://a.example/\n");
  const flowing = withFirstUrl(readWithBase(lines, live, options), options, clock);
  const { records } = (await flowing[Symbol.asyncIterator]().next()).value as Batch;
  expect([records.urlOf(0), records.urlOf(1)]).toEqual(["oops", "https://a.example/"]);
  live.destroy();
});

/** A record with a URL, with or without the field of the User-Agent header. */
const sparse = (lacksAgent: boolean): Batch => {
  const packed = new PackedRecords(Buffer.alloc(0), Buffer.from("https://a.example/"), 1);
  packed.push(0, 0, 0, 18);
  if (lacksAgent) packed.pushDecodedField("noAgentField", "1");
  return { records: packed, rejects: [] };
};

test.each<[what: string, batches: readonly Batch[], count: number, error?: string]>([
  ["only its first records lack the field", [...many(99, sparse(true)), sparse(false)], 100],
  ["its only record lacks it", [sparse(true)], 0, 's: none of the first records has the field "ua"'],
  [
    "100 records lack it",
    [...many(100, sparse(true)), sparse(false)],
    0,
    's: none of the first records has the field "ua"',
  ],
  ["no record has a URL", [batchOf("oops")], 0, "s: its only record has no URL"],
])("a source whose records must have a field: %s", async (_what, batches, count, error) => {
  const found: Batch[] = [];
  const reading = async (): Promise<void> => {
    for await (const batch of withFirstUrl(given(batches), { ...readAs, agentField: "ua", needsAgents: true })) {
      found.push(batch);
    }
  };
  const message = await reading().then(
    () => undefined,
    (reason: unknown) => (reason as UsageError).message.replace(/;.*/, ""),
  );
  expect([found.length, message]).toEqual([count, error]);
});
