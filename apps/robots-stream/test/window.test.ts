// Tests --since and --until for each kind of input: which records are decided, and the counts of all records.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { recordsOf } from "./run.ts";

const saved = ["--agent", "bingbot", "--robots", "examples/robots"];
const shop = "https://shop.example";
const base = ["--base", shop];
const days = ["08", "09", "10", "11", "12"];
const clf = (day: string): string =>
  `192.0.2.7 - - [${day}/Dec/2025:06:55:01 +0000] "GET /d${day} HTTP/1.1" 200 1 "-" "bingbot/2.0"\n`;
const object = (day: string): string => `{"url":"${shop}/d${day}","time":"2025-12-${day}T06:55:01Z"}\n`;

const folder = makeFolder();

interface Case {
  readonly stdin: string;
  readonly args?: readonly string[];
}

/** Five records; the records of 9 and 10 December are in the requested period. */
const cases: Record<string, Case> = {
  "a log": { stdin: days.map(clf).join(""), args: base },
  "a log, for each record's crawler": {
    stdin: days.map(clf).join(""),
    args: [...base, "--agent-field", "user_agent", "--time-field", "time"],
  },
  objects: { stdin: days.map(object).join("") },
  "objects with numbers": {
    stdin: days
      .map((day) => `{"ts":${Date.parse(`2025-12-${day}T06:00Z`) / 1_000},"url":"${shop}/d${day}"}\n`)
      .join(""),
  },
  "a nested field": {
    stdin: days.map((day) => `{"url":"${shop}/d${day}","at":{"when":"2025-12-${day}T00:00Z"}}\n`).join(""),
    args: ["--time-field", "at.when"],
  },
  "a nested field with numbers": {
    stdin: days.map((day) => `{"at":{"ms":${Date.parse(`2025-12-${day}T06:00Z`)}},"url":"${shop}/d${day}"}\n`).join(""),
    args: ["--time-field", "at.ms"],
  },
  "a table": {
    stdin: `n,When,url\n${days.map((day) => `1,2025-12-${day} 06:55Z,"${shop}/d${day}"\n`).join("")}`,
    args: ["--time-field", "when"],
  },
  "a table with a usual name": {
    stdin: `url,Timestamp\n${days.map((day) => `${shop}/d${day},2025-12-${day}T12:00Z\n`).join("")}`,
  },
  "in order": { stdin: days.map(object).join(""), args: ["--ordered"] },
  "NDJSON and --result-key": { stdin: days.map(object).join(""), args: ["-o", "ndjson", "--result-key", "robots"] },
};

const window = ["--since", "2025-12-09", "--until", "2025-12-11"];

test.each(Object.entries(cases))("the records of two days are decided: %s", async (_what, { stdin, args = [] }) => {
  const asked = args.includes("--agent-field") ? saved.slice(2) : saved;
  const { code, stdout, stderr } = await runHere([...asked, ...window, ...args], stdin);
  const found = recordsOf(stdout).map((record) => record["url"]);
  expect(found).toEqual([`${shop}/d09`, `${shop}/d10`]);
  expect([code, stderr]).toEqual([
    0,
    "robots-stream: 5 records: 2 decided, 0 rejects, 3 outside --since and --until\n",
  ]);
});

test.each([
  [["--since", "2025-12-10"], "outside --since"],
  [["--until", "2025-12-10"], "outside --until"],
])("%j: the count names the flag that was given", async (given, expected) => {
  const { code, stderr } = await runHere([...saved, ...given], days.map(object).join(""));
  expect([code, stderr.trimEnd().endsWith(expected)]).toEqual([0, true]);
});

test("records without a readable time are outside the window and reported; --quiet reports nothing", async () => {
  const stdin = `${object("10")}{"url":"${shop}/x"}\n{"url":"${shop}/y","time":"soon"}\n{"url":"${shop}/z","time":null}\nx\n${object("01")}`;
  const { stdout, stderr } = await runHere([...saved, ...window], stdin);
  expect(recordsOf(stdout)).toHaveLength(1);
  expect(stderr.split("\n").slice(-3)).toEqual([
    "robots-stream: 6 records: 1 decided, 1 reject, 4 outside --since and --until",
    "robots-stream: 3 records whose time cannot be read are among those outside",
    "",
  ]);
  expect((await runHere([...saved, ...window, "-q"], stdin)).stderr).toBe("");
  const summary = await runHere([...saved, ...window, "--summary", "-q"], stdin);
  expect(summary.stderr).toMatch(/^records +6\ndecided +1\nrejects +1\noutside the time +4\n  without a time +3\n/);
});

test("origins of records outside the period are not loaded, and a resumed run needs the same period", async () => {
  const stdin = days.map((day) => object(day).replace("shop", `d${day}`)).join("");
  const { stderr } = await runHere([...saved, ...window, "--stats-json"], stdin);
  const { origins, records } = JSON.parse(stderr.trimEnd().split("\n").at(-1)!) as Record<string, object>;
  expect([origins, records]).toMatchObject([{ known: 2 }, { read: 5, decided: 2, outside: 3, timeless: 0 }]);
  const output = join(folder, "rows.ndjson");
  const kept = ["--checkpoint", join(folder, "run.json"), "--output-file", output, "--resume"];
  expect((await runHere([...saved, ...window, ...kept], stdin)).code).toBe(0);
  expect(recordsOf(readFileSync(output, "utf8"))).toHaveLength(2);
  const again = await runHere([...saved, ...window, ...kept], stdin);
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("the run is finished") as string]);
  const relative = await runHere([...saved, "--since", "24h", ...kept], stdin);
  expect([relative.code, relative.stderr]).toEqual([2, expect.stringContaining("an age means another time") as string]);
});

test.each<[what: string, args: readonly string[]]>([
  ["for one crawler", saved],
  ["for each record's crawler", [...saved.slice(2), "--agent-field", "ua"]],
])("the counts of all shards add up to the counts of one run: %s", async (_what, args) => {
  const urls = [...[shop, "https://news.example", "http://wiki.example:8080"].map((origin) => `${origin}/x`), "no url"];
  const times = ["never", "soon", null, "2025-12-08", "2025-12-10T06:55:01Z", 1_765_350_000, 1_700_000_000];
  const stdin = urls
    .flatMap((url) => times.flatMap((time) => ["bingbot/2.0", "Firefox"].map((ua) => ({ url, time, ua }))))
    .map((record) => `${JSON.stringify(record)}\n`)
    .join("");
  const countsOf = async (shard: readonly string[]): Promise<Readonly<Record<string, number>>> => {
    const { stderr } = await runHere([...args, ...window, ...shard, "--stats-json", "-q"], stdin);
    return (JSON.parse(stderr.trimEnd().split("\n").at(-1)!) as { records: Record<string, number> }).records;
  };
  const whole = await countsOf([]);
  expect(whole).toMatchObject({ read: 56, decided: 16, outside: 40, timeless: 24, zoneless: 8, elsewhere: 0 });
  const parts = await Promise.all(["1/3", "2/3", "3/3"].map((part) => countsOf(["--shard", part])));
  for (const name of ["decided", "outside", "timeless", "zoneless", "noCrawler"]) {
    expect([name, parts.reduce((sum, part) => sum + part[name]!, 0)]).toEqual([name, whole[name]]);
  }
  for (const { read, decided, elsewhere, outside } of parts) expect(decided! + elsewhere! + outside!).toBe(read);
});

test.each([
  ["lines", `${shop}/\n`, [], /the first record has no field that usually holds a time/],
  [
    "objects",
    `{"url":"${shop}/"}\n`,
    [],
    /no field that usually holds a time \(--since\)[^]*name it: --time-field NAME/,
  ],
  ["objects", `{"url":"${shop}/"}\n`, ["--time-field", "at"], /no field "at" \(--time-field\)/],
  ["a table", `a,url\n1,${shop}/\n`, [], /no field that usually holds a time/],
  ["a log", clf("10"), [...base, "--time-field", "at"], /no field "at"/],
])("%s without the field of the time: input %j, flags %j", async (_what, stdin, args, message) => {
  const { code, stdout, stderr } = await runHere([...saved, ...window, ...args], stdin);
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message) as string]);
});
