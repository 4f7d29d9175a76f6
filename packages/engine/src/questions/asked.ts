// Reads the values of --agent and --agents, and returns the names of the crawlers to decide for.
import { type CrawlerSet, crawlerSetOf, crawlerSets, productTokenOf } from "@robots-stream/agents";
import { UsageError, reasonOf } from "../common/errors.ts";
import { readFileStart, readPipe } from "../files/open-file.ts";
import { nearestOf } from "@robots-stream/core/internal";
import { shownWordOf } from "../common/text.ts";

/** Size limit of a file of names. */
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
export function askedAgentsOf(
  tokens: readonly string[],
  sets: readonly string[],
  pipes: ReadPipes = noPipes,
): readonly string[] {
  if (tokens.length === 0 && sets.length === 0) {
    throw new UsageError("missing-agent", "--agent is missing: name a crawler", "for example: --agent bingbot");
  }
  const named = tokens.flatMap(namesInList);
  for (const name of named) checkToken(name, "--agent ");
  return [...new Set([...named, ...sets.flatMap((set) => namesIn(set, pipes))])];
}

/**
 * The names in a list with commas. A User-Agent header, which may contain commas, is not split, so that the error message can quote the
 * whole header.
 */
function namesInList(value: string): readonly string[] {
  return headerMark.test(value) ? [value] : value.split(",").map((name) => name.trim());
}

/** Matches characters, and a first word, that a User-Agent header contains and a product token does not. */
const headerMark = /[/();]|^mozilla\b/i;

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

/** The wording of errors about a name. */
export interface TokenMessage {
  /** Whether to quote the name. A name from a file is not quoted, because the file may contain anything. */
  readonly isShown?: boolean;
  /** Writes an example in the caller's form: a flag, or an option. */
  readonly write?: (...examples: readonly string[]) => string;
}

/**
 * Checks the name of a crawler. `where` is the beginning of the messages, such as "--agent ". Throws a `UsageError` for an empty name, a
 * name of more than 500 characters, "*", a User-Agent header and a name with a comma. Accepts other names that are not product tokens (RFC
 * 9309 §2.2.1), because nearly a quarter of the names in real files are not.
 */
export function checkToken(
  token: string,
  where: string,
  { isShown = true, write = (...examples) => `--agent ${examples.join(",")}` }: TokenMessage = {},
): void {
  const shown = isShown ? `${where}${JSON.stringify(shownWordOf(token, 100))}` : `${where}${token.length} characters`;
  if (token.trim() === "" || token.length > 500) {
    const what = token.trim() === "" ? `${where}must not be empty` : `${shown}: that is too long for a name`;
    throw new UsageError("no-product-token", what, `for example: ${write("bingbot")}`);
  }
  if (token === "*") {
    throw new UsageError(
      "no-product-token",
      `${shown}: "*" means every crawler without a group of its own, and is not a crawler's name`,
      `to use the group for "*", give a name that no robots.txt has, such as ${write("any")}`,
    );
  }
  if (headerMark.test(token)) {
    const guess = isShown ? guessToken(token) : undefined;
    throw new UsageError(
      "no-product-token",
      `${shown}: this is a User-Agent header; robots.txt names crawlers by product token`,
      guess === undefined ? `for example: ${write("bingbot")}` : `probably: ${write(guess)}`,
    );
  }
  if (token.includes(",")) {
    throw new UsageError(
      "no-product-token",
      `${shown}: contains a comma, which no product token may contain`,
      isShown ? `several names: ${write("bingbot", "GPTBot")}` : "several names: one per line",
    );
  }
}

/**
 * The probable name of the crawler in a User-Agent header: a known crawler, else the name after "compatible;", else the first name;
 * undefined when that is "Mozilla" or there is none.
 */
function guessToken(header: string): string | undefined {
  const known = productTokenOf(header);
  if (known !== undefined) return known;
  const name = /compatible;\s*([\w.-]+)/.exec(header)?.[1] ?? /^[\w.-]*/.exec(header)![0];
  return name === "" || name.toLowerCase() === "mozilla" ? undefined : name;
}
