// Tests members per record in NDJSON, CSV and decisions: each row has the members of its own record and crawler.
import { setTimeout as delay } from "node:timers/promises";
import { readerOf } from "@robots-stream/fetch/internal";
import { describe, expect, test } from "vitest";
import {
  type DecideDuplexOptions,
  type DecideOptions,
  type LoadedOrigin,
  type RecordMembers,
  decideStream,
} from "../index.ts";
import { utf8TextOf } from "../common/text.ts";

const robotsTxt = new TextEncoder().encode("User-agent: *\nDisallow: /b\nUser-agent: bingbot\nDisallow: /c\n");

/** Origins whose name begins with "slow" take a moment to load; records of other origins overtake them. */
const robots = {
  async load(origin: string): Promise<LoadedOrigin> {
    if (origin.includes("slow")) await delay(5);
    const stored = { code: "ok", body: robotsTxt };
    return { access: "successful", fetched: true, stored, ...readerOf("successful", robotsTxt) };
  },
};

/**
 * Members that show what `valuesOf` receives: the address, and a list of the crawler, the origin, the target, the length of the file and
 * the X-Robots-Tag header.
 */
const telling: RecordMembers = {
  names: ["from", "told"],
  fields: ["address", "xRobotsTag"],
  texts: [
    { name: "address", field: "client", flag: "members", isRequired: false },
    { name: "xRobotsTag", field: undefined, flag: "members", isRequired: false },
  ],
  valuesOf(record) {
    const { question, origin } = record;
    const address = utf8TextOf(record.textOf(0));
    const tag = utf8TextOf(record.textOf(1));
    const told = [question.agent, origin ?? null, record.target(), record.robots()?.body?.length ?? null, tag];
    return [address === "" ? undefined : JSON.stringify(address), JSON.stringify(told)];
  },
};

/** A second source, which reads a field that the first source reads too. */
const second: RecordMembers = {
  names: ["again"],
  fields: ["address"],
  texts: [telling.texts[0]!],
  valuesOf: (record) => [record.startOf(0) === record.endOf(0) ? undefined : JSON.stringify(record.textOf(0).length)],
};

interface Visit {
  readonly url: string;
  readonly client?: string;
  readonly user_agent?: string;
  readonly x_robots_tag?: string | readonly string[];
}

const visits: readonly Visit[] = [
  { url: "https://a.example/a", client: "192.0.2.1" },
  { url: "https://slow.example/b?q=é", client: "2001:db8::1", x_robots_tag: ["noindex", "nofollow, ü"] },
  { url: "https://a.example/b", x_robots_tag: "none" },
  { url: "mailto:x@y.example", client: "192.0.2.3" },
  { url: "https://slow.example/c", client: 'a"b,c\\' },
];

const options = (more: Partial<DecideOptions> = {}): DecideOptions => ({ robots, members: [telling, second], ...more });

/** The members that a record has to have for an agent. */
function expectedOf({ url, client, x_robots_tag: tag }: Visit, agent: string): Record<string, unknown> {
  const parsed = url.startsWith("https") ? new URL(url) : undefined;
  const target = parsed === undefined ? "" : parsed.href.slice(parsed.origin.length);
  const body = parsed === undefined ? null : robotsTxt.length;
  const tags = tag === undefined ? "" : typeof tag === "string" ? tag : tag.join("\n");
  const told = [agent, parsed?.origin ?? null, target, body, tags];
  return {
    ...(client === undefined ? {} : { from: client }),
    told,
    ...(client === undefined ? {} : { again: client.length }),
  };
}

async function textOf(given: DecideDuplexOptions, input: string): Promise<string> {
  const stream = decideStream(given);
  stream.end(input);
  let text = "";
  for await (const piece of stream) text += String(piece);
  return text;
}

const ndjson = visits.map((visit) => `${JSON.stringify(visit)}\n`).join("");
const members = ({ from, told, again }: Record<string, unknown>): Record<string, unknown> => ({
  ...(from === undefined ? {} : { from }),
  told,
  ...(again === undefined ? {} : { again }),
});

const byUrl = <T extends { url: string }>(rows: readonly T[]): T[] =>
  visits.flatMap(({ url }) => rows.filter((row) => row.url === url));

describe.each([
  ["rows as soon as they are decided", {}],
  ["rows in order", { ordered: true }],
  ["a little memory for waiting records", { ordered: true, parkBytes: 1 }],
  ["a little memory for matchers", { matcherBytes: 1 }],
  ["normalized targets", { target: "normalized" as const }],
])("%s", (_name, more) => {
  test("NDJSON: one row for each record and agent", async () => {
    const agents = ["bingbot", "GPTBot"];
    const text = await textOf(options({ agents, ...more }), ndjson);
    const rows = byUrl(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Visit & { robots: Record<string, unknown> }),
    );
    const found = rows.map((row) => members(row.robots));
    const expected = visits.flatMap((visit) => agents.map((agent) => expectedOf(visit, agent)));
    expect(found).toEqual(expected);
  });

  test("NDJSON: one row for each record", async () => {
    const agents = ["bingbot", "GPTBot", "ClaudeBot"];
    const text = await textOf(options({ agents, rows: "record", ...more }), ndjson);
    const rows = byUrl(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Visit & { robots: { agents: Record<string, Record<string, unknown>> } }),
    );
    expect(rows).toHaveLength(visits.length);
    for (const [index, row] of rows.entries()) {
      expect(Object.keys(row.robots.agents)).toEqual(agents);
      for (const agent of agents) {
        expect(members(row.robots.agents[agent]!)).toEqual(expectedOf(visits[index]!, agent));
      }
    }
  });
});

test("CSV rows have columns for the members, which are empty for a request that no crawler made", async () => {
  const input = "url,client,user_agent\nhttps://a.example/b,192.0.2.1,bingbot/2.0\nhttps://a.example/b,,Mozilla/5.0\n";
  const text = await textOf(
    options({ agentField: "user_agent", members: [second, telling], output: "csv" } as never),
    input,
  );
  expect(text.split("\n")[0]).toBe(
    "url,client,user_agent,robots_agent,robots_allowed,robots_because,robots_group,robots_rule,robots_line,robots_origin,robots_kind,robots_again,robots_from,robots_told",
  );
  expect(text.split("\n")[1]).toMatch(/,9,192\.0\.2\.1,"\[""bingbot"",/);
  expect(text.split("\n")[2]).toBe("https://a.example/b,,Mozilla/5.0,,,not-a-crawler,,,,,,,,");
});

test("decisions about objects and about bytes have the members", async () => {
  const given = { ...options({ agents: "GPTBot" }), input: visits };
  const all: { url: string }[] = [];
  for await (const batch of decideStream(given)) all.push(...batch);
  expect(byUrl(all).map((row) => members(row as never))).toEqual(visits.map((visit) => expectedOf(visit, "GPTBot")));
  const ofBytes: { url: string }[] = [];
  for await (const batch of decideStream({
    ...options({ agents: "GPTBot" }),
    input: new TextEncoder().encode(ndjson),
  })) {
    ofBytes.push(...batch);
  }
  expect(byUrl(ofBytes).map((row) => members(row as never))).toEqual(
    visits.map((visit) => expectedOf(visit, "GPTBot")),
  );
});

test("only the chosen rows are written, and `prepare` gets all records", async () => {
  const asked: string[] = [];
  const looking: RecordMembers = {
    ...second,
    async prepare(records) {
      await delay(1);
      for (let record = 0; record < records.count; record++) asked.push(records.fieldOf("address", record));
    },
  };
  const text = await textOf(options({ agents: "GPTBot", only: "disallowed", members: [looking] }), ndjson);
  const rows = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { url: string; robots: { again?: number } });
  expect(rows.map(({ url, robots: { again } }) => [url, again]).toSorted()).toEqual([
    ["https://a.example/b", undefined],
    ["https://slow.example/b?q=é", 11],
  ]);
  expect(asked).toHaveLength(visits.length);
});

test("a source without names is a sink: it takes each decision, changes no row, and is told the end once", async () => {
  const seen: string[] = [];
  const sink: RecordMembers = {
    names: [],
    fields: [],
    texts: [],
    valuesOf(record) {
      seen.push(`${record.question.agent} ${record.target()} ${record.isAllowed}`);
      return [];
    },
    end: () => void seen.push("end"),
  };
  const urls = ["https://a.example/a", "https://slow.example/b", "mailto:x@y.example"];
  const input = urls.map((url) => `${JSON.stringify({ url })}\n`).join("");
  for (const more of [{}, { rows: "record" }] as const) {
    const asked: DecideOptions = { robots, agents: ["bingbot", "otherbot"], ordered: true, ...more };
    expect(await textOf({ ...asked, members: [sink] }, input)).toBe(await textOf(asked, input));
    expect(seen.splice(0)).toEqual([
      "bingbot /a true",
      "otherbot /a true",
      "bingbot /b true",
      "otherbot /b false",
      "bingbot  undefined",
      "otherbot  undefined",
      "end",
    ]);
  }
});

test("an access log gives the client's address, whatever members its rows have", async () => {
  const line = '192.0.2.7 - - [10/Dec/2025:09:00:00 +0000] "GET /b HTTP/1.1" 200 5 "-" "bingbot/2.0"\n';
  for (const more of [{}, { without: "client" }, { keepLine: true }]) {
    for (const output of ["ndjson", "csv"] as const) {
      const given = {
        ...options({ agentField: "user_agent", base: "https://a.example", members: [second], ...more }),
        output,
      };
      expect(await textOf(given, line)).toContain(output === "csv" ? ",https://a.example,,9\n" : '"again":9}}\n');
    }
  }
});

test("behind proxies, the address is the whole list of addresses in a log line", async () => {
  const rest = '[10/Dec/2025:09:00:00 +0000] "GET /b HTTP/1.1" 200 5 "-" "bingbot/2.0"';
  const lines: readonly [line: string, address: string][] = [
    [`192.0.2.7 - - ${rest}`, "192.0.2.7"],
    [`192.0.2.7 - frank ${rest}`, "192.0.2.7"],
    [`192.0.2.7 203.0.113.1 - - ${rest}`, "192.0.2.7, 203.0.113.1"],
    [`192.0.2.7, 10.0.0.1 203.0.113.1 - - ${rest}`, "192.0.2.7, 10.0.0.1, 203.0.113.1"],
    [`192.0.2.7, 10.0.0.1 - - ${rest}`, "192.0.2.7, 10.0.0.1"],
  ];
  const showing: RecordMembers = { ...second, valuesOf: (record) => [JSON.stringify(record.textOf(0))] };
  const given = options({ agentField: "user_agent", base: "https://a.example", members: [showing] });
  const text = await textOf(given, lines.map(([line]) => `${line}\n`).join(""));
  const found = text
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { robots: { again: string } }).robots.again);
  expect(found).toEqual(lines.map(([, address]) => address));
});
