// Runs the command `census`, which counts what many robots.txt files say, and returns its exit code.
import { existsSync } from "node:fs";
import { crawlerOf, crawlers, dataVersion } from "@robots-stream/agents";
import {
  Census,
  type CensusCapture,
  type CensusCrawler,
  type CensusDocument,
  originsOf,
  periodKinds,
  rejectsOf,
  slicesOfGroup,
} from "@robots-stream/census";
import type { Observation } from "@robots-stream/fetch/history";
import { UsageError } from "@robots-stream/engine";
import { isInShard, readHistory, nameOf, seenByOrigin, type UsedFiles } from "@robots-stream/engine/internal";
import { asUsage } from "../../cli/audit/read-document.ts";
import { commandBody, type Running } from "../../cli/command-body.ts";
import { countText, durationText, numberText } from "../../cli/figures.ts";
import { CommandProgress, fittedLine, leftText, type Measured } from "../../cli/progress.ts";
import { notTogether } from "../../cli/command-line.ts";
import { endedBySignals } from "../../cli/exit-codes.ts";
import { flag } from "../../cli/flag.ts";
import { shardFlag } from "../../cli/input-settings.ts";
import { writeCensus, censusReportFlags, censusReportOf } from "../../cli/census-report.ts";
import { historyFlag, maxBytesFlag } from "../../cli/robots/flags.ts";
import { sayMistypedNames } from "../../cli/name-notes.ts";
import { oneOf } from "../../cli/values.ts";
import { findFiles } from "../../cli/found-files.ts";
import { agentFlag, agentsFlag, readAgents } from "../../cli/question-settings.ts";
import { readGroupList } from "./group-list.ts";

/** Signals are handled after this time, and after every file that takes longer. */
const turnMs = 50;

const censusFlags = [
  flag({
    name: "robots",
    value: "SOURCE",
    file: { use: "reads" },
    isRepeatable: true,
    about:
      "The robots.txt files to count: a snapshot, a cache, an NDJSON file of cache export, a WARC file, or a folder with example.com.txt …; a pattern such as 'captures/*.warc.gz' stands for its files.",
  }),
  {
    ...historyFlag,
    about:
      "As --robots; a folder has files with times in their names, example.com@2026-03-01T00:00:00Z.txt …. All sources together are one history.",
  },
  flag({
    name: "by",
    value: "PERIOD",
    choices: periodKinds,
    about: `Count the robots.txt in force at the end of each PERIOD: ${periodKinds.join(", ")} (UTC).`,
    otherwise: "the newest capture of each origin",
    read: oneOf(periodKinds),
  }),
  { ...agentFlag, about: "Count for this crawler. Several: A,B." },
  { ...agentsFlag, otherwise: "all known crawlers" },
  { ...shardFlag, about: "Count only the origins of part I of N. merge adds the parts up." },
  maxBytesFlag,
  flag({
    name: "group",
    value: "FILE",
    file: { use: "reads" },
    about:
      "Count also for each group of a list of origins (CSV, NDJSON, Parquet …). An origin with https also stands for the one with http, and the reverse.",
  }),
  flag({
    name: "group-field",
    value: "NAME",
    about: "Field with the group in the list: a bucket of ranks, a country.",
  }),
  flag({ name: "url-field", value: "NAME", about: "Field with the origin in the list.", otherwise: "url, origin, …" }),
  flag({
    name: "url-template",
    value: "TEXT",
    about: "How to compose the origin from fields of the list, which stand in braces: '{scheme}://{host}'.",
  }),
  ...censusReportFlags,
];

export const censusCommand = commandBody({
  name: "census",
  flags: censusFlags,
  help: {
    start: `
robots-stream census: which share of sites closes itself to which crawler, and since when?

Usage
  robots-stream census --robots SOURCE … [flags]
  robots-stream census --robots-history SOURCE … --by quarter [flags]

Counts what the robots.txt files of many origins say, in bounded memory. A site is closed to a crawler if no URL of it is allowed, which is proved for all URLs. Unreachable origins are never counted as open, and a crawler that the group for * does not bind is not closed by it. docs/CENSUS.md defines every figure.

Examples
  robots-stream census --robots snapshot/ --agents ai
  robots-stream census --robots-history captures.warc.gz --by quarter --output-file census.html
  robots-stream census --robots snapshot/ --group ranks.csv --group-field bucket -o csv --table crawlers
  robots-stream census --robots snapshot/ --shard 1/4 -o json > part1.json; robots-stream merge part*.json
`,
    exitCodes: {
      0: "everything was counted",
      1: "everything was counted, and --fail-on was met",
      2: "wrong usage, or sources that cannot be read",
      3: "the output could not be written; or entries of the sources are damaged, and the others were counted",
    },
    stopped: "",
  },
  async run(running) {
    const { files, flags, values, use, print } = running;
    const example = "for example: robots-stream census --robots snapshot/ --agents ai";
    if (files.length > 0)
      throw new UsageError("wrong-value", "census reads only the sources of --robots or --robots-history", example);
    if (flags.has("robots") && flags.has("robots-history")) {
      throw notTogether("robots", "robots-history", "name all sources with one of them");
    }
    if (flags.first("robots", "robots-history") === undefined)
      throw new UsageError("no-input", "name the robots.txt files to count: --robots SOURCE", example);
    const report = censusReportOf(values);
    const useless = flags.has("group") ? undefined : flags.first("group-field", "url-field", "url-template");
    if (useless !== undefined)
      throw new UsageError("wrong-value", `--${useless} needs --group FILE, a list of origins`);
    if (flags.has("group") && !flags.has("group-field")) {
      const hint = "for example: --group-field country";
      throw new UsageError("wrong-value", "--group needs --group-field NAME, the field with the group", hint);
    }
    const used = use([], report.output);
    const progress = new CommandProgress<CountedSoFar>(running, censusLineOf);
    let document: CensusDocument;
    const code = await print(report.output, used, async (stream) => {
      try {
        document = await documentFor({ ...running, say: progress.say }, used, progress);
      } finally {
        progress.stop();
      }
      return writeCensus(document, report, stream, running);
    });
    if (report.output.path !== undefined) progress.tellCounts(countsOf(document!));
    return code;
  },
});

/** Counts the origins of the sources. Rejects with a `UsageError` for a source that cannot be used, and with the signal's reason. */
async function documentFor(
  running: Running<(typeof censusFlags)[number]>,
  used: UsedFiles,
  progress: CommandProgress<CountedSoFar>,
): Promise<CensusDocument> {
  const { flags, say, signal } = running;
  const [by, shard, maxBytes] = [flags.get("by"), flags.get("shard"), flags.get("max-bytes")];
  const [path, field = ""] = [flags.get("group"), flags.get("group-field")];
  const list = path === undefined ? undefined : await readGroupList(path, field, running);
  const census = new Census({ crawlers: await askedCrawlers(running), by, groups: list?.groups.length });
  const isDated = flags.has("robots-history");
  const from = isDated ? "robotsHistory" : "robots";
  const named = flags.get(isDated ? "robots-history" : "robots");
  const sources = named.flatMap((each) => sourcesAt(each, used, say));
  const beganAt = performance.now();
  let all: CountedSoFar["all"];
  let counted = 0;
  let rejects = 0;
  progress.begin(() => ({ records: counted, all }));
  const onReject = (): unknown => rejects++;
  const reading = { from, isDated, isOnce: true, maxBytes, origin: undefined, hasBase: false } as const;
  const seen = await readHistory(sources, { ...reading, used, say, signal, onReject });
  try {
    const { origins, digest } = seen.timeline();
    all = { origins: origins.length, afterMs: performance.now() - beganAt };
    let turnedAt = performance.now();
    for (const { origin, observations, bodyOf, isCut } of seenByOrigin(seen)) {
      if (shard === undefined || isInShard(origin, shard)) {
        const captures = observations.map(captureOf);
        census.addOrigin({ captures, group: list?.groupOf(origin), bytesOf: bodyOf, isCut });
      }
      counted++;
      if (performance.now() - turnedAt < turnMs) continue;
      await new Promise(setImmediate);
      signal.throwIfAborted();
      turnedAt = performance.now();
    }
    const [groupList, groupField] = list === undefined ? [null, null] : [list.digest, field];
    const settings = { registry: dataVersion, maxBytes, groupList, groupField };
    const part = shard === undefined ? null : `${shard.part}/${shard.count}`;
    const parts = [{ source: digest, shard: part, names: sources.map((each) => nameOf(each)), rejects }];
    const facts = { settings, parts, groups: list?.groups ?? [] };
    return endedBySignals(() => asUsage("", () => census.document(facts)));
  } finally {
    seen.close();
  }
}

/** The capture of an observation, by Google's access policy. Its time is the latest second at which the observation may have been made. */
function captureOf({ access, atSeconds, toSeconds = atSeconds, sha256 }: Observation): CensusCapture {
  const result = typeof access === "string" ? access : access.google;
  if (result === "successful") return { atSeconds: toSeconds, result: "robots-txt", version: sha256 };
  const names = { unavailable: "not-found", unreachable: "unreachable", unknown: "unread" } as const;
  return { atSeconds: toSeconds, result: names[result] };
}

/** The files of a pattern; a path of a file or a folder stays as it is. */
function sourcesAt(path: string, used: UsedFiles, say: (sentence: string) => void): readonly string[] {
  if (existsSync(path)) return [path];
  const { files, notes } = findFiles([path], (each) => used.isWritten(each));
  for (const note of notes) say(note);
  return files;
}

/** The crawlers that the command line names; by default all known ones. A name that is not known stands for a crawler of that name. */
async function askedCrawlers({
  values,
  say,
  signal,
}: Pick<Running, "values" | "say" | "signal">): Promise<readonly CensusCrawler[]> {
  const names = await readAgents(values, undefined, signal);
  if (names === undefined) return crawlers;
  sayMistypedNames(names, say);
  const found = names.map(
    (name): CensusCrawler =>
      crawlerOf(name) ?? { productToken: name, names: [name], boundByEverybody: true, bound: "undocumented" },
  );
  return [...new Map(found.map((crawler) => [crawler.productToken.toLowerCase(), crawler])).values()];
}

/** How far the sources were read and counted. */
interface CountedSoFar {
  /** Origins. */
  readonly records: number;
  /** The number of origins, and the milliseconds until it was known; undefined while the sources are read. */
  readonly all?: { readonly origins: number; readonly afterMs: number } | undefined;
}

/** Makes the line. It is ASCII and has at most `columns - 1` characters. */
export function censusLineOf(view: CountedSoFar & Measured, columns: number): string {
  const { records, all, recordsPerSecond, elapsedMs } = view;
  if (all === undefined) return fittedLine([{ text: `reading for ${durationText(elapsedMs)}`, rank: 0 }], columns);
  const counting = { readBytes: records, totalBytes: all.origins, earlierBytes: 0, elapsedMs: elapsedMs - all.afterMs };
  const left = leftText(counting);
  const parts = [
    { text: `${numberText(records)} of ${countText(all.origins, "origin")}`, rank: 0 },
    { text: `${numberText(recordsPerSecond)}/s`, rank: 2 },
    ...(left === undefined ? [] : [{ text: left, rank: 1 }]),
  ];
  return fittedLine(parts, columns);
}

/** Returns the counts: "450 origins", "1 reject", "2 sources". */
export function countsOf(document: CensusDocument): readonly string[] {
  const { parts } = document;
  const rejects = rejectsOf(document);
  const last = slicesOfGroup(document, null).at(-1);
  const sources = parts.flatMap(({ names }) => names).length;
  return [
    countText(last === undefined ? 0 : originsOf(last), "origin"),
    ...(rejects === 0 ? [] : [countText(rejects, "reject")]),
    countText(sources, "source"),
  ];
}
