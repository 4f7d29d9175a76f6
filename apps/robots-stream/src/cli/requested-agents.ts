// Reads the values of --agent, --agents and --crawlers, and returns the crawlers that they name.
import { type CrawlerSet, crawlerSetOf, crawlerSets, type OwnCrawler } from "@robots-stream/agents";
import { nearestOf } from "@robots-stream/core/internal";
import { UsageError } from "@robots-stream/engine";
import {
  checkToken,
  readFileStart,
  readPipe,
  reasonOf,
  shownWordOf,
  tokensIn,
  crawlersInText,
} from "@robots-stream/engine/internal";

const mostFileBytes = 16 * 1_048_576;

/** The content of named pipes by path. Pipes are read in advance: reading a pipe must not block the thread, and is possible only once. */
export type ReadPipes = ReadonlyMap<string, Uint8Array>;

/** The value when no named pipe was read. */
export const noPipes: ReadPipes = new Map();

/** The sets of crawlers that a value of --agents names, such as "ai" or "ai,seo"; undefined for any other value, such as a file name. */
export function namedSetsOf(value: string): readonly CrawlerSet[] | undefined {
  const sets = value.split(",", crawlerSets.length + 1).map((name) => crawlerSetOf(name.trim()));
  return sets.every((set) => set !== undefined) ? sets : undefined;
}

/** Reads the named pipes among the values of --agents, such as `<(…)` of a shell. Rejects with the signal's reason when it is aborted. */
export async function readAgentPipes(sets: readonly string[], signal?: AbortSignal): Promise<ReadPipes> {
  const read = new Map<string, Uint8Array>();
  for (const path of new Set(sets)) {
    const bytes = namedSetsOf(path) === undefined ? await readPipe(path, mostFileBytes + 1, signal) : undefined;
    if (bytes !== undefined) read.set(path, bytes);
  }
  return read;
}

/**
 * The names of the crawlers to decide for, without repetitions. `tokens` are the values of --agent, whose names come first; `sets` are the
 * values of --agents. Reads the files that `sets` names. Throws a `UsageError` if there are no values, for an invalid name and for an
 * unusable file.
 */
export function requestedAgentsOf(
  tokens: readonly string[],
  sets: readonly string[],
  pipes: ReadPipes = noPipes,
): readonly string[] {
  if (tokens.length === 0 && sets.length === 0) {
    throw new UsageError("missing-agent", "--agent is missing: name a crawler", "for example: --agent bingbot");
  }
  const named = tokens.flatMap((value) => tokensIn(value, "--agent "));
  return [...new Set([...named, ...sets.flatMap((set) => namesIn(set, pipes))])];
}

/** The names in the sets, or in the file, that a value of --agents names. */
function namesIn(set: string, pipes: ReadPipes): readonly string[] {
  const sets = namedSetsOf(set);
  if (sets === undefined) return namesInFile(set, pipes);
  return sets.flatMap(({ crawlers }) => crawlers.map(({ productToken }) => productToken));
}

function namesInFile(path: string, pipes: ReadPipes): readonly string[] {
  const shown = `--agents ${shownWordOf(path, 100)}`;
  let bytes: Uint8Array;
  try {
    bytes = pipes.get(path) ?? readFileStart(path, mostFileBytes + 1);
  } catch (error) {
    const names = crawlerSets.map(({ name }) => name);
    const near = nearestOf(path, names);
    throw new UsageError(
      "wrong-value",
      `${shown}: this is neither a set (${names.join(", ")}) nor a readable file: ${reasonOf(error)}`,
      near === undefined ? undefined : `did you mean --agents ${near}?`,
    );
  }
  if (bytes.length > mostFileBytes) throw new UsageError("wrong-value", `${shown}: is too large for a list of names`);
  const names = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .split(/\r\n?|\n/)
    .flatMap((line, index) => {
      const end = line.indexOf("#");
      const name = (end < 0 ? line : line.slice(0, end)).trim();
      if (name === "") return [];
      checkToken(name, `${shown}, line ${index + 1}: `, { isShown: false });
      return [name];
    });
  if (names.length === 0) throw new UsageError("wrong-value", `${shown}: contains no names (one per line)`);
  return names;
}

const mostCrawlersBytes = 1_048_576;

/**
 * Reads a file of --crawlers: one JSON object per line; empty lines and lines that begin with # are ignored. Throws a `UsageError` for a
 * file that is unreadable or too large, and for the first mistake in the file.
 */
export function readOwnCrawlers(path: string): readonly OwnCrawler[] {
  const shown = `--crawlers ${shownWordOf(path, 100)}`;
  let bytes: Uint8Array;
  try {
    bytes = readFileStart(path, mostCrawlersBytes + 1);
  } catch (error) {
    throw new UsageError("wrong-value", `${shown}: ${reasonOf(error)}`);
  }
  if (bytes.length > mostCrawlersBytes) throw new UsageError("wrong-value", `${shown}: is larger than 1 MiB`);
  const text = Buffer.from(bytes)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  return crawlersInText(text, shown);
}
