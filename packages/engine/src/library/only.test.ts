// Tests the option `only` of decideStream: decisions and NDJSON rows are only the chosen ones, and the summary counts all records.
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type DecideOptions, createSavedRobots, decideStream } from "../index.ts";
import { robotsOf } from "../robots/in-force.ts";
import type { LoadedOrigin } from "./types.ts";

const robots = createSavedRobots(fileURLToPath(new URL("../../../../examples/robots", import.meta.url)));
const shop = "https://shop.example";
const records = [
  { url: `${shop}/cart`, ua: "bingbot/2.0" },
  { url: `${shop}/`, ua: "bingbot/2.0" },
  { url: "mailto:x", ua: "bingbot/2.0" },
  { url: `${shop}/cart`, ua: "Firefox/1" },
];
const bytes = (): Iterable<Uint8Array> => [Buffer.from(records.map((each) => `${JSON.stringify(each)}\n`).join(""))];
const kinds = { bing: { agents: "bingbot" }, each: { agentField: "ua" } } as const;

const cases: readonly (readonly [
  who: keyof typeof kinds,
  only: DecideOptions["only"] | undefined,
  numbers: readonly number[],
])[] = [
  ["bing", undefined, [0, 1, 2, 3]],
  ["bing", "disallowed", [0, 3]],
  ["bing", ["allowed", "undecided"], [1, 2]],
  ["each", undefined, [0, 1, 2, 3]],
  ["each", "crawlers", [0, 1, 2]],
  ["each", "undecided", [2]],
  ["each", ["crawlers", "allowed"], [0, 1, 2]],
];

test.each(cases)("crawlers %s, only %j: records %j", async (who, only, numbers) => {
  const options: DecideOptions = { ...kinds[who], robots, ordered: true, parkBytes: 1, ...(only && { only }) };
  const expected = numbers.map((at) => records[at]);
  const leftOut = records.length - numbers.length;
  for (const input of [records, bytes()]) {
    const decisions = decideStream({ ...options, input: input as typeof records });
    const found: unknown[] = [];
    for await (const batch of decisions) found.push(...batch.map(({ record }) => ({ ...record })));
    expect(found).toEqual(expected);
    expect(decisions.summary).toMatchObject({ records: 4, decided: 4, leftOut });
  }
  const stream = decideStream(options);
  for (const chunk of bytes()) stream.write(chunk);
  stream.end();
  const rows = (await text(stream)).split("\n").slice(0, -1);
  expect(rows.map((row) => ({ ...JSON.parse(row), robots: undefined }))).toEqual(expected);
  expect(stream.summary).toMatchObject({ records: 4, decided: 4, leftOut });
});

test.each([
  [["disalowed"], /only: must be one of allowed, disallowed, undecided, crawlers, not disalowed/],
  [[], /only: must name allowed/],
  ["crawlers", /only: crawlers needs agentField/],
])("only %j is refused", (only, message) => {
  const options: DecideOptions = { agents: "bingbot", robots, only: only as "allowed" };
  expect(() => decideStream({ ...options, input: [] })).toThrow(message);
});

test("with two dialects, a record of no crawler has one decision, which releases it", async () => {
  const input = Array.from({ length: 2_500 }, () => records[3]!);
  const decisions = decideStream({ agentField: "ua", dialects: ["google", "rfc9309"], robots, parkBytes: 1, input });
  let count = 0;
  for await (const batch of decisions) count += batch.length;
  expect(count).toBe(input.length);
});

test("with one decision for each record, members see the decision of their own agent", async () => {
  const [yes, no] = [["true"], ["false"]];
  const members = [
    {
      names: ["was"],
      fields: [],
      texts: [],
      valuesOf: ({ isAllowed }: { isAllowed?: boolean | undefined }) => (isAllowed === true ? yes : no),
    },
  ];
  const input = ["https://shop.example/cart", "https://shop.example/"];
  for await (const batch of decideStream({
    agents: ["bingbot", "GPTBot", "Googlebot"],
    rows: "record",
    robots,
    members,
    input,
  })) {
    for (const { agents } of batch) {
      for (const answer of Object.values(agents)) expect(answer).toMatchObject({ was: answer.allowed });
    }
  }
});

test("with memory for few matchers, one decision for each record has the answers of its own origin", async () => {
  const input = Array.from({ length: 20_000 }, (_, at) => `https://h${at % 2_000}.example/${at % 3}`);
  const load = (origin: string): LoadedOrigin => {
    const body = Buffer.from(`user-agent: GPTBot\ndisallow: /${origin.length % 3}\n`);
    return { ...robotsOf(body), stored: { code: "http-200", body } };
  };
  const found = [];
  const options = { agents: ["bingbot", "GPTBot"], rows: "record", ordered: true, matcherBytes: 1 } as const;
  for await (const batch of decideStream({ ...options, robots: { load }, input })) {
    for (const { url, origin, agents } of batch) found.push([url, origin, agents["GPTBot"]!.allowed]);
  }
  expect(found).toEqual(
    input.map((url) => {
      const { origin, pathname } = new URL(url);
      return [url, origin, pathname !== `/${origin.length % 3}`];
    }),
  );
});
