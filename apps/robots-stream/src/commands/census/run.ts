// Runs the command `census`, which counts what many robots.txt files say, and returns its exit code.
import { existsSync } from "node:fs";
import { crawlerOf, type Crawler, crawlers, dataVersion } from "@robots-stream/agents";
import { Census, type CensusCrawler, type CensusDocument, documentOf } from "@robots-stream/census";
import {
  isInShard,
  readHistory,
  nameOf,
  seenByOrigin,
  type SeenRobots,
  type UsedFiles,
} from "@robots-stream/engine/internal";
import type { CommandRun } from "../../cli/command.ts";
import { printTo } from "../../cli/command-output.ts";
import { runToExitCode } from "../../cli/ending.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { findFiles } from "../../cli/found-files.ts";
import { usedFilesOf } from "../../cli/named-files.ts";
import { readAgents } from "../../cli/question-settings.ts";
import { captureOf } from "./capture.ts";
import { type CensusSettings, censusSettingsOf, renderCensusHelp } from "./flags.ts";
import { writeCensus } from "./render.ts";

/** Limit of the work for the proof about one class of crawlers in a file, in steps. */
const mostSteps = 1_000_000;

/** Counts and resolves to the exit code. Never rejects: errors are written to stderr. */
export function runCensus(run: CommandRun): Promise<number> {
  const { argv, stdout, stderr } = run;
  return runToExitCode(run, async (say) => {
    const settings = censusSettingsOf(argv);
    if (settings === "help") return { help: renderCensusHelp() };
    const { path } = settings.output;
    const used = usedFilesOf(settings.namedFiles, {
      inputs: [],
      stdout: path === undefined ? stdout : undefined,
      stderr,
    });
    used.check();
    return printTo(settings.output, stdout, used, async (stream) => {
      await writeCensus(await documentFor(settings, { run, used, say }), settings, stream, run);
      return exitCodes.done;
    });
  });
}

interface Surroundings {
  readonly run: CommandRun;
  readonly used: UsedFiles;
  readonly say: (sentence: string) => void;
}

/** Counts the origins of the sources. Rejects with a `UsageError` for a source that cannot be used, and with the signal's reason. */
async function documentFor(settings: CensusSettings, { run, used, say }: Surroundings): Promise<CensusDocument> {
  const { by, shard, maxBytes } = settings;
  const { signal } = run;
  const census = new Census({ crawlers: await askedCrawlers(settings, signal), by, mostSteps });
  const sources = settings.sources.flatMap((path) => sourcesAt(path, used));
  let rejects = 0;
  const { from } = settings;
  const isDated = from === "robotsHistory";
  const onReject = (): unknown => rejects++;
  const seen = await readHistory(sources, { from, isDated, maxBytes, origin: undefined, used, say, signal, onReject });
  try {
    await count(seen, census, { shard, signal });
    return documentOf(census, {
      settings: { registry: dataVersion, by: by ?? null, mostSteps, maxBytes, groupList: null, groupField: null },
      parts: [
        {
          source: seen.timeline().digest,
          shard: shard === undefined ? null : `${shard.part}/${shard.count}`,
          names: sources.map((each) => nameOf(each)),
        },
      ],
      groups: [],
      rejects,
    });
  } finally {
    seen.close();
  }
}

/** The files of a pattern; a path of a file or a folder stays as it is. */
function sourcesAt(path: string, used: UsedFiles): readonly string[] {
  return existsSync(path) ? [path] : findFiles([path], (each) => used.isWritten(each)).files;
}

/** The crawlers that the command line names; by default all known ones. A name that is not known stands for a crawler of that name. */
async function askedCrawlers(
  { values }: CensusSettings,
  signal: AbortSignal | undefined,
): Promise<readonly CensusCrawler[]> {
  const names = await readAgents(values, undefined, signal);
  if (names === undefined) return crawlers;
  const found = names.map((name): Crawler | CensusCrawler => crawlerOf(name) ?? ownCrawlerOf(name));
  return [...new Map(found.map((crawler) => [crawler.productToken.toLowerCase(), crawler])).values()];
}

function ownCrawlerOf(name: string): CensusCrawler {
  return { productToken: name, names: [name], boundByEverybody: true, bound: "undocumented" };
}

/** Signals are handled after this many origins. */
const originsAtOnce = 256;

async function count(
  seen: SeenRobots,
  census: Census,
  { shard, signal }: Pick<CensusSettings, "shard"> & Pick<CommandRun, "signal">,
): Promise<void> {
  let counted = 0;
  for (const origin of seenByOrigin(seen)) {
    if (shard === undefined || isInShard(origin.origin, shard)) census.addOrigin(countedOf(origin));
    if (++counted % originsAtOnce !== 0) continue;
    await new Promise(setImmediate);
    signal?.throwIfAborted();
  }
}

type SeenOrigin = ReturnType<typeof seenByOrigin> extends Iterable<infer Seen> ? Seen : never;

function countedOf({ observations, bodyOf, isCut }: SeenOrigin): Parameters<Census["addOrigin"]>[0] {
  return { captures: observations.map(captureOf), bytesOf: bodyOf, isCut };
}
