// Compares @robots-stream/core with npm robots-parser in parsing, building and matching, on the same generated files and URLs.
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { createRandom } from "../data/random.ts";
import {
  createOneGroupFile,
  createOrdinaryFile,
  createRobotsFiles,
  createRuleFile,
  ruleMixes,
} from "../data/robots-files.ts";
import { createLongTarget, createUrls, flat } from "../data/urls.ts";
import { type Times, type Work, measure } from "../measure.ts";
import { type Report, type Row, type SuiteOptions, judged, judgement, showRatio, showTime } from "../report.ts";
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
  /** The lower bound of the ratio, and who would notice if it were missed. */
  readonly wanted: number;
  readonly who: string;
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
    const row = {
      work: each.name,
      ours: ours.cpuNs,
      theirs: theirs.cpuNs,
      ratio: theirs.cpuNs / ours.cpuNs,
      wallRatio: theirs.wallNs / ours.wallNs,
      ...agreement(comparison),
    };
    rows.push(judged(row, [["ratio", "≥", each.wanted]], each.who));
  }
  return {
    suite: "core",
    title: "CPU time per file or decision, against npm robots-parser 3.0.1",
    columns: [
      { key: "work" },
      { key: "ours", heading: "robots-stream", show: showTime },
      { key: "theirs", heading: "robots-parser", show: showTime },
      { key: "ratio", heading: "CPU ratio", show: showRatio },
      { key: "wallRatio", heading: "wall ratio", show: showRatio },
      { key: "different", heading: "differ" },
      ...judgement,
    ],
    rows,
    notes: [
      "robots-stream parses bytes; robots-parser gets decoded text. differ: URLs on which they disagree.",
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
  const index = "an index or a crawl of billions of URLs";
  const attack = "a service, when a site wants to slow it down";
  const wanted = { plain: [7, 20, 20, 20], mixed: [7, 12, 20, 20], wildcards: [7, 12, 20, 20] };
  const counts = [10, 100, 1000, 10_000];
  return [
    { name: "parse, mixed files", wanted: 7, who: "who loads an archive", prepare: () => parsing(files()) },
    { name: "parse, 500 KB, many groups", wanted: 11, who: attack, prepare: () => parsing(large()) },
    { name: "parse, 500 KB, one group", wanted: 11, who: attack, prepare: () => parsing(oneGroup()) },
    { name: "parse and read every group", wanted: 2, who: "a linter", prepare: () => readingGroups(files()) },
    {
      name: "parse, build, decide once, mixed files",
      wanted: 3,
      who: "a crawl of few pages a host",
      prepare: () => decidingOnce(files(), urls()),
    },
    {
      name: "parse, build, decide once, 500 KB, one group",
      wanted: 4,
      who: attack,
      prepare: () => decidingOnce(oneGroup(), urls()),
    },
    ...counts.flatMap((count, at) =>
      ruleMixes.map((mix) => ({
        name: `match, ${count.toLocaleString("en")} rules, ${mix}`,
        wanted: wanted[mix][at]!,
        who: index,
        prepare: () => matching(createRuleFile(count, mix, seed), urls(), theirShare(count)),
      })),
    ),
    {
      name: "match, 10,000 wildcard rules, 2 KB paths",
      wanted: 100,
      who: attack,
      prepare: () => {
        const random = createRandom(seed, "long-paths");
        const paths = Array.from({ length: quick ? 1 : 4 }, () => flat(origin + createLongTarget(random, 2048)));
        return matching(createRuleFile(10_000, "floating", seed), paths, 1);
      },
    },
    {
      name: "match, /*a*a*a*a*a*a*a*a*a*b, 8,000 characters",
      wanted: 10,
      who: attack,
      prepare: () =>
        matching("User-agent: *\nDisallow: /*a*a*a*a*a*a*a*a*a*b\n", [flat(`${origin}/${"a".repeat(7999)}`)], 1),
    },
  ];
}

/** The share of the URL list that robots-parser decides in about one second per round. */
function theirShare(rules: number): number {
  return Math.min(1, 100 / rules);
}

function parsing(files: readonly File[]): Comparison {
  return {
    ours: {
      units: files.length,
      run: () => {
        let sum = 0;
        for (const { bytes } of files) if (parseRobotsTxt(bytes) !== undefined) sum++;
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

function agreement({ decisions }: Comparison): Row {
  if (decisions === undefined) return {};
  let [compared, allowed, different] = [0, 0, 0];
  for (const [ours, theirs] of decisions()) {
    compared++;
    if (ours) allowed++;
    if (ours !== theirs) different++;
  }
  return { compared, allowed, different };
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
