// Runs the command `fetch`, which requests the robots.txt of each origin once and writes a snapshot, and returns its exit code.
import { statSync } from "node:fs";
import type { Writable } from "node:stream";
import { IoError, UsageError } from "@robots-stream/engine";
import { FetchJournal } from "@robots-stream/engine/archives";
import { isInShard, openSource, printableOf, reasonOf, shownWordOf } from "@robots-stream/engine/internal";
import { importEntries } from "../../cli/cache/import-entries.ts";
import { cacheFlags, cacheSettingsOf } from "../../cli/cache/settings.ts";
import { commandBody, type Running } from "../../cli/command-body.ts";
import { worstOf, writeText } from "../../cli/ending.ts";
import { plainCountText } from "../../cli/figures.ts";
import { flag, rowsWithout } from "../../cli/flag.ts";
import { findFiles } from "../../cli/found-files.ts";
import { inputSettingsOf, readingFlags, shardFlag } from "../../cli/input-settings.ts";
import { networkFlags, networkSettingsOf } from "../../cli/network/flags.ts";
import { createNetworkSource, type NetworkSource } from "../../cli/network/network.ts";
import { OriginCounter } from "../../cli/origins/counter.ts";
import { readOrigins, recordsText } from "../../cli/origins/read-origins.ts";
import { outputFlags, outputOf, textFormats } from "../../cli/output-format.ts";
import { maxBytesFlag } from "../../cli/robots/flags.ts";
import { firstTold } from "../../cli/terminal.ts";
import { wholeFrom } from "../../cli/values.ts";

/** Maximum number of parts of a snapshot. The number is limited, because each part is an open file. */
const mostParts = 1_024;

const fetchFlags = [
  flag({
    name: "snapshot",
    value: "DIR",
    about:
      "Folder of the snapshot: new, empty, or from an earlier fetch, which is then continued. Later runs read it with --robots DIR.",
  }),
  flag({
    name: "parts",
    value: "N",
    about: "Number of files in the snapshot. Origins are divided as by --shard I/N.",
    otherwise: "1",
    read: wholeFrom(1, mostParts),
    usual: 1,
  }),
  { ...shardFlag, about: "Fetch only the origins of part I of N, to share the work between machines." },
  flag({
    name: "add",
    value: "DIR|FILE",
    file: { use: "reads" },
    isRepeatable: true,
    about:
      "Also copy the results of another snapshot, such as another machine's --shard, or those in an NDJSON export of a cache or a WARC file. Without ORIGINS, nothing is fetched.",
  }),
  flag({
    name: "refresh",
    about: "Also request the origins that are already in the snapshot, and ignore the cache.",
  }),
  ...readingFlags,
  maxBytesFlag,
  ...rowsWithout(cacheFlags, "offline", "refresh"),
  ...networkFlags,
  ...outputFlags(textFormats),
];

export const fetchCommand = commandBody({
  name: "fetch",
  flags: fetchFlags,
  help: {
    start: `
robots-stream fetch: fetches the robots.txt of many origins once, into a snapshot

Usage
  robots-stream fetch ORIGINS … --snapshot DIR [flags]
  … | robots-stream fetch --snapshot DIR [flags]
  robots-stream fetch --snapshot DIR --add DIR|FILE …

ORIGINS is the output of robots-stream origins, or any input that robots-stream origins accepts. Each origin is requested once, in an order that spreads the requests over servers, and each result is written to DIR immediately. After a stop, the same command line continues. At the end, DIR is an indexed snapshot: --robots DIR opens it immediately and reads entries on demand. A failure is stored as a result (unreachable). The next run requests such an origin again only if its host name was not found or this machine had no network. The counts go to stdout: records = the sum of the origins' counts + records without an origin; origins = fetched + already in DIR + in other shards.

Examples
  robots-stream origins access.log.gz | robots-stream fetch --snapshot robots/
  robots-stream fetch origins.ndjson --snapshot robots/ --parts 16
  robots-stream fetch origins.ndjson --snapshot robots-2/ --shard 2/4 --cache redis://cache.example
  robots-stream fetch --snapshot robots/ --add crawl.warc.gz
  robots-stream fetch --snapshot robots/ --parts 16 --add robots-1/ --add robots-2/
`,
    exitCodes: {
      0: "the snapshot is complete",
      2: "wrong usage, nothing was fetched",
      3: "reading or writing failed, or this machine's network is down; run the command again to continue",
    },
    stopped: "; run the command again to continue",
  },
  async run(running) {
    const { use, print, inputs, say } = running;
    const settings = settingsOf(running);
    const isAdding = running.files.length === 0 && settings.added.length > 0;
    const example = "robots-stream fetch origins.ndjson --snapshot robots/";
    const named = isAdding ? [] : inputs("name a file of origins, or pipe one in", example);
    const { files, notes } = findFiles(named, () => false);
    const used = use(files, settings.output);
    for (const note of notes) say(note);
    const counter = new OriginCounter({ order: "hash" });
    try {
      return await print(settings.output, used, (stream) =>
        fetchTo({ ...settings, files }, counter, { ...running, stream }),
      );
    } finally {
      counter.close();
    }
  },
});

function settingsOf({ flags, values }: Running<(typeof fetchFlags)[number]>) {
  const folder = flags.get("snapshot");
  if (folder === undefined || folder === "") {
    throw new UsageError(
      "wrong-value",
      "--snapshot is missing: name the folder to write",
      "for example: robots-stream fetch origins.ndjson --snapshot robots/",
    );
  }
  return {
    ...inputSettingsOf(values),
    output: outputOf(values, textFormats),
    folder,
    /** Folders of other snapshots, and files with robots.txt files. Their entries are copied into the new snapshot. */
    added: flags.get("add"),
    parts: flags.get("parts"),
    shard: flags.get("shard"),
    network: networkSettingsOf(values),
    maxBytes: flags.get("max-bytes"),
    // --refresh also applies to the results in the snapshot, so the flag is valid without a cache.
    cache: {
      ...cacheSettingsOf({
        get: (name) => (name === "refresh" ? undefined : values.get(name)),
        has: (name) => name !== "refresh" && values.has(name),
      }),
      isRefreshed: flags.get("refresh"),
    },
  };
}

type FetchSettings = ReturnType<typeof settingsOf> & { readonly files: readonly string[] };

interface FetchSurroundings extends Pick<Running, "stdin" | "env" | "say" | "signal"> {
  readonly stream: Writable;
}

async function fetchTo(
  settings: FetchSettings,
  counter: OriginCounter,
  { stdin, env, signal, stream, say }: FetchSurroundings,
): Promise<number> {
  const { folder, parts, cache, added } = settings;
  const source = createNetworkSource(settings, { env, say, signal });
  let journal: FetchJournal | undefined;
  try {
    await source.check?.();
    const read = await readOrigins(settings, counter, { stdin, say, signal });
    const [folders, files] = [added.filter(isFolder), added.filter((path) => !isFolder(path))];
    journal = openJournal(folder, {
      isRefreshed: cache.isRefreshed,
      reject: faultsOf(folder, say),
      signal,
      added: folders,
    });
    // With --refresh, origins are requested although a file has them.
    if (!cache.isRefreshed) await addFiles(files, journal, { stdin, signal, say });
    const counts = await fetchAll(settings, { source, journal, counter, signal });
    if (cache.isRefreshed) await addFiles(files, journal, { stdin, signal, say });
    const { manifest, leftOut } = await journal.finish(parts);
    const { records, withoutOrigin, rejects } = read;
    const { entries, origins } = manifest;
    const { codes, ...numbers } = counts;
    const results = Object.fromEntries(resultsOf(codes));
    const snapshot = { parts: manifest.parts.length, entries, origins, leftOut, digest: manifest.digest };
    const fetches = `${plainCountText(entries, "fetch", "fetches")} of ${plainCountText(origins, "origin")}`;
    const more = leftOut === 0 ? "" : `, ${leftOut} left out because they are too long`;
    const told =
      settings.output.format.name === "ndjson"
        ? JSON.stringify({ records, withoutOrigin, rejects, ...numbers, results, snapshot })
        : `${settings.files.length === 0 ? "" : textOf(counts, read)}${shownWordOf(folder)}: ${fetches}${more}`;
    await writeText(stream, `${told}\n`);
    return worstOf(read.failures, say);
  } finally {
    await journal?.close();
    await source.close();
  }
}

/** Adds the entries of files to the journal. Rejects with a `UsageError` for a file without an entry, and as `importEntries` does. */
async function addFiles(
  paths: readonly string[],
  journal: FetchJournal,
  { stdin, signal, say }: Pick<FetchSurroundings, "stdin" | "signal" | "say">,
): Promise<void> {
  for (const path of paths) {
    const shown = `--add ${shownWordOf(path)}`;
    const source = openSource(path, stdin);
    const entries = await importEntries({ shown, source, merge: (batch) => journal.merge(batch), say, signal });
    if (entries > 0) continue;
    const hint = "--add takes the folder of a snapshot, an NDJSON export of a cache, or a WARC file";
    throw new UsageError("unusable-robots", `${shown}: has no robots.txt of an origin`, hint);
  }
}

/** Whether a path of `--add` is a folder. Throws a `UsageError` for a path that leads to nothing. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw new UsageError("unusable-robots", `--add ${shownWordOf(path)}: ${reasonOf(error)}`);
  }
}

function openJournal(folder: string, options: ConstructorParameters<typeof FetchJournal>[1]): FetchJournal {
  try {
    return new FetchJournal(folder, options);
  } catch (error) {
    if (error instanceof UsageError || error instanceof IoError) throw error;
    throw new UsageError("unusable-output", `--snapshot ${shownWordOf(folder)}: ${reasonOf(error)}`);
  }
}

function faultsOf(folder: string, say: (sentence: string) => void): (where: string, why: string) => void {
  const damaged = firstTold(say, "damaged entries");
  return (where, why) =>
    damaged.tell(`--snapshot ${shownWordOf(folder)}: ${printableOf(where)} ${why}; its origin is requested again`);
}

/** The code of the results that a flag changes. */
const blocked = "blocked-address";

/** The codes of the results, with their numbers: first `blocked-address`, then the most frequent ones. */
function resultsOf(codes: ReadonlyMap<string, number>): readonly (readonly [code: string, count: number])[] {
  const place = (code: string): number => (code === blocked ? 0 : 1);
  return [...codes].toSorted(
    ([one, many], [other, more]) => place(one) - place(other) || more - many || (one < other ? -1 : 1),
  );
}

/** The counts as text, of which a line has the results. */
function textOf({ fetched, known, elsewhere, codes }: FetchCounts, read: Parameters<typeof recordsText>[0]): string {
  const parts = [
    `${plainCountText(fetched + known + elsewhere, "origin")}: ${fetched} fetched`,
    `${known} already there`,
    ...(elsewhere === 0 ? [] : [`${elsewhere} in other parts`]),
  ];
  const results = resultsOf(codes).map(
    ([code, count]) => `${count} ${code}${code === blocked ? " (requested only with --allow-private)" : ""}`,
  );
  const line = results.length === 0 ? "" : `fetched: ${results.join(", ")}\n`;
  return `${parts.join(", ")}; of ${recordsText(read)}\n${line}`;
}

interface Fetching {
  readonly source: NetworkSource;
  readonly journal: FetchJournal;
  readonly counter: OriginCounter;
  readonly signal: AbortSignal;
}

type FetchCounts = Awaited<ReturnType<typeof fetchAll>>;

/**
 * Requests the robots.txt of every origin of the shard that has no result yet, and adds the results to the journal. Rejects with an
 * `IoError`, or with the signal's reason. In both cases, earlier results are on disk.
 */
async function fetchAll({ shard, network }: FetchSettings, { source, journal, counter, signal }: Fetching) {
  /** How many of the fetched origins have each code. */
  const codes = new Map<string, number>();
  // Each origin is counted in one member. `known`: its result is in the journal already. `elsewhere`: it belongs to another part of --shard.
  const counts = { fetched: 0, known: 0, elsewhere: 0, codes };
  let running = 0;
  /** Number of loads that wait for the end of a server's Retry-After. Such loads are not included in the limit `concurrency`. */
  let waiting = 0;
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => undefined;
  source.onWaiting?.((loads) => {
    waiting = loads;
    wake();
  });
  const stop = (): void => wake();
  signal.addEventListener("abort", stop, { once: true });
  const fetch = async (origin: string): Promise<void> => {
    try {
      const entry = await source.loadEntry(origin, signal);
      await journal.add(entry);
      counts.fetched++;
      codes.set(entry.code, (codes.get(entry.code) ?? 0) + 1);
    } catch (error) {
      failure ??= { error };
    } finally {
      running--;
      wake();
    }
  };
  const turn = (): Promise<void> => new Promise((resolve) => (wake = resolve));
  try {
    let passed = 0;
    for (const { origin } of counter.origins()) {
      while (running >= network.concurrency + waiting && failure === undefined && !signal.aborted) await turn();
      // Yields to the event loop from time to time. Otherwise signals would not be handled while no origin needs a request.
      if (++passed % 1_024 === 0) await new Promise(setImmediate);
      if (failure !== undefined || signal.aborted) break;
      if (shard !== undefined && !isInShard(origin, shard)) counts.elsewhere++;
      else if (journal.has(origin)) counts.known++;
      else {
        running++;
        void fetch(origin);
      }
    }
    while (running > 0 && failure === undefined && !signal.aborted) await turn();
  } finally {
    signal.removeEventListener("abort", stop);
  }
  signal.throwIfAborted();
  if (failure !== undefined) throw failure.error;
  return counts;
}
