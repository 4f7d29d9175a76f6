// Compares @robots-stream/core with npm robots-parser in parsing, building and matching, on the same generated files and URLs.
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { createRandom } from "../data/random.ts";
import { createOneGroupFile, createOrdinaryFile, createRobotsFiles } from "../data/robots-files.ts";
import { createRuleFile, ruleMixes } from "../data/rules.ts";
import { createLongTarget, createUrls, flat } from "../data/urls.ts";
import { type Times, type Work, measure } from "../measure.ts";
import { type Report, type Row, type SuiteOptions, showRatio, showTime, verdictAtLeast } from "../report.ts";
import { robotsParser } from "../robots-parser.ts";

const origin = "https://www.example.com";
const robotsUrl = `${origin}/robots.txt`;
const token = "bingbot";

/** One row: two pieces of work, and the decisions by which they are compared. */
interface Comparison {
  readonly ours: Work;
  readonly theirs: Work;
  /** Pairs of decisions on the same URLs, which show that both do the same work; none for parsing alone. */
  readonly decisions?: () => Iterable<readonly [ours: boolean, theirs: boolean]>;
}

interface Case {
  readonly name: string;
  /** The lower bound of the ratio; null: no bound. */
  readonly wanted: number | null;
  readonly prepare: () => Comparison;
}

interface File {
  readonly bytes: Uint8Array;
  readonly text: string;
}

export function runCore(options: SuiteOptions): Report {
  const rows: Row[] = [];
  for (const each of casesFor(options)) {
    if (!options.wants(each.name)) continue;
    options.progress(each.name);
    const comparison = each.prepare();
    const [ours, theirs] = measure([comparison.ours, comparison.theirs], options) as [Times, Times];
    const ratio = theirs.cpuNs / ours.cpuNs;
    rows.push({
      work: each.name,
      ours: ours.cpuNs,
      theirs: theirs.cpuNs,
      ratio,
      wallRatio: theirs.wallNs / ours.wallNs,
      wanted: each.wanted,
      verdict: verdictAtLeast(ratio, each.wanted),
      oursWall: ours.wallNs,
      theirsWall: theirs.wallNs,
      ...agreement(comparison),
    });
  }
  return {
    suite: "core",
    title: "CPU time per file or decision, against npm robots-parser 3.0.1",
    columns: [
      { key: "work", heading: "work" },
      { key: "ours", heading: "robots-stream", show: showTime },
      { key: "theirs", heading: "robots-parser", show: showTime },
      { key: "ratio", heading: "CPU ratio", show: showRatio },
      { key: "wallRatio", heading: "wall ratio", show: showRatio },
      { key: "wanted", heading: "wanted ≥" },
      { key: "verdict", heading: "" },
      { key: "compared", heading: "compared" },
      { key: "ourAllowed", heading: "allowed" },
      { key: "theirAllowed", heading: "theirs" },
      { key: "different", heading: "differ" },
    ],
    rows,
    notes: [
      'robots-stream parses bytes; robots-parser gets decoded text. In the row "both from text" both get text.',
      "compared: URLs decided by both. allowed, theirs: URLs that each of them allowed. differ: URLs on which they disagree.",
      "Each list holds 100,000 URLs. Where robots-parser would take minutes, it decides every n-th URL.",
    ],
  };
}

function casesFor(options: SuiteOptions): Case[] {
  const { seed, quick } = options;
  const size = quick ? 50_000 : 500_000;
  const files = once(() => createRobotsFiles(quick ? 50 : 1000, seed).map(fileOf));
  const large = once(() => [fileOf(createOrdinaryFile(size, seed))]);
  const oneGroup = once(() => [fileOf(createOneGroupFile(size, seed))]);
  const urls = once(() => createUrls(origin, quick ? 500 : 100_000, seed));
  const wanted = {
    plain: [7, 20, 20, 20],
    mixed: [7, 12, 20, 20],
    wildcards: [7, 12, 20, 20],
  };
  const counts = [10, 100, 1000, 10_000];
  return [
    { name: "parse, mixed files (mean 2 KB)", wanted: 7, prepare: () => parsing(files()) },
    { name: "parse, mixed files, both from text", wanted: null, prepare: () => parsing(files(), true) },
    { name: "parse and read every group, mixed files", wanted: 2, prepare: () => readingGroups(files()) },
    { name: "parse, 500 KB, many groups", wanted: 11, prepare: () => parsing(large()) },
    { name: "parse, 500 KB, one group", wanted: 11, prepare: () => parsing(oneGroup()) },
    {
      name: "parse, build, decide once, mixed files (mean 2 KB)",
      wanted: 3,
      prepare: () => decidingOnce(files(), urls()),
    },
    {
      name: "parse, build, decide once, 500 KB, many groups",
      wanted: 5.5,
      prepare: () => decidingOnce(large(), urls()),
    },
    {
      name: "parse, build, decide once, 500 KB, one group",
      wanted: 4,
      prepare: () => decidingOnce(oneGroup(), urls()),
    },
    ...counts.flatMap((count, at) =>
      ruleMixes.map((mix) => ({
        name: `match, ${count.toLocaleString("en")} rules, ${mix}`,
        wanted: wanted[mix][at]!,
        prepare: () => matching(createRuleFile(count, mix, seed), urls(), theirShare(count)),
      })),
    ),
    {
      name: "match, 10,000 wildcard rules, 2 KB paths",
      wanted: 100,
      prepare: () => {
        const random = createRandom(seed, "long-paths");
        const paths = Array.from({ length: quick ? 1 : 4 }, () => flat(origin + createLongTarget(random, 2048)));
        return matching(createRuleFile(10_000, "floating", seed), paths, 1);
      },
    },
    ...[2000, 8000].map((length) => ({
      name: `match, /*a*a*a*a*a*a*a*a*a*b, ${length.toLocaleString("en")} characters`,
      wanted: 10,
      prepare: () =>
        matching("User-agent: *\nDisallow: /*a*a*a*a*a*a*a*a*a*b\n", [flat(`${origin}/${"a".repeat(length - 1)}`)], 1),
    })),
  ];
}

/** The share of the URL list that robots-parser decides in about one second per round. */
function theirShare(rules: number): number {
  return Math.min(1, 100 / rules);
}

function parsing(files: readonly File[], fromText = false): Comparison {
  return {
    ours: {
      units: files.length,
      run: () => {
        let sum = 0;
        for (const { bytes, text } of files) if (parseRobotsTxt(fromText ? text : bytes) !== undefined) sum++;
        return sum;
      },
    },
    theirs: {
      units: files.length,
      run: () => {
        let sum = 0;
        for (const { text } of files) if (robotsParser(robotsUrl, text) !== undefined) sum++;
        return sum;
      },
    },
  };
}

function readingGroups(files: readonly File[]): Comparison {
  const { theirs } = parsing(files);
  return {
    ours: {
      units: files.length,
      run: () => {
        let sum = 0;
        for (const { bytes } of files) for (const group of parseRobotsTxt(bytes).groups) sum += group.rules.length;
        return sum;
      },
    },
    theirs,
  };
}

function decidingOnce(files: readonly File[], urls: readonly string[]): Comparison {
  const urlOf = (at: number): string => urls[(at * 7) % urls.length]!;
  const oursAt = (at: number): boolean =>
    createMatcher(parseRobotsTxt(files[at]!.bytes), token).decide(urlOf(at)).allowed;
  const theirsAt = (at: number): boolean =>
    robotsParser(robotsUrl, files[at]!.text).isAllowed(urlOf(at), token) === true;
  return {
    ours: { units: files.length, run: () => countTrue(files.length, oursAt) },
    theirs: { units: files.length, run: () => countTrue(files.length, theirsAt) },
    decisions: () => files.map((_, at) => [oursAt(at), theirsAt(at)] as const),
  };
}

function matching(text: string, urls: readonly string[], share: number): Comparison {
  const matcher = createMatcher(parseRobotsTxt(Buffer.from(text)), token);
  const robots = robotsParser(robotsUrl, flat(text));
  // These rows measure a matcher after many decisions; the "decide once" rows measure the first decision.
  for (let at = 0; at < 200; at++) matcher.decide(urls[at % urls.length]!);
  const every = Math.round(1 / share);
  const theirUrls = urls.filter((_, at) => at % every === 0);
  return {
    ours: {
      units: urls.length,
      run: () => {
        let allowed = 0;
        for (const url of urls) if (matcher.decide(url).allowed) allowed++;
        return allowed;
      },
    },
    theirs: {
      units: theirUrls.length,
      run: () => {
        let allowed = 0;
        for (const url of theirUrls) if (robots.isAllowed(url, token) === true) allowed++;
        return allowed;
      },
    },
    decisions: () =>
      theirUrls.map((url) => [matcher.decide(url).allowed, robots.isAllowed(url, token) === true] as const),
  };
}

function agreement(comparison: Comparison): Row {
  if (comparison.decisions === undefined) return {};
  let compared = 0;
  let ourAllowed = 0;
  let theirAllowed = 0;
  let different = 0;
  for (const [ours, theirs] of comparison.decisions()) {
    compared++;
    if (ours) ourAllowed++;
    if (theirs) theirAllowed++;
    if (ours !== theirs) different++;
  }
  return { compared, ourAllowed, theirAllowed, different };
}

function countTrue(count: number, isTrue: (at: number) => boolean): number {
  let sum = 0;
  for (let at = 0; at < count; at++) if (isTrue(at)) sum++;
  return sum;
}

function fileOf(text: string): File {
  const bytes = new Uint8Array(Buffer.from(text));
  return { bytes, text: Buffer.from(bytes).toString() };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
