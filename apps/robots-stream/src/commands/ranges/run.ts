// Runs the command `ranges`, which fetches, shows and imports lists of addresses, and returns its exit code.
import { IoError, UsageError } from "@robots-stream/engine";
import { openSource, printableOf, shownWordOf } from "@robots-stream/engine/internal";
import { mostFileCharacters, publishedChecks, readRanges } from "@robots-stream/verify";
import type { CommandRun } from "../../cli/command.ts";
import { printTo } from "../../cli/command-output.ts";
import { runToExitCode, writeText } from "../../cli/ending.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { countText } from "../../cli/figures.ts";
import { usedFilesOf } from "../../cli/named-files.ts";
import {
  rangeFolderOf,
  type StoredRanges,
  storedRangesIn,
  storeRanges,
  textOfStored,
} from "../../cli/verify/range-folder.ts";
import { type RangesCommand, rangesCommandOf, renderRangesHelp } from "./flags.ts";
import { entriesText, updateRanges } from "./update.ts";

/** Runs an action of `ranges` and resolves to the exit code. Never rejects: errors are written to stderr. */
export function runRanges(run: CommandRun): Promise<number> {
  return runToExitCode(run, async (say) => {
    const command = rangesCommandOf(run.argv);
    if (command === "help") return { help: renderRangesHelp() };
    const folder = rangeFolderOf(command.rangesText, command.cacheText, run.env);
    if (command.action === "update") return updateRanges(command, folder, { env: run.env, say, signal: run.signal });
    if (command.action === "import") return importRanges(command, folder, run, say);
    const { path } = command.output;
    const rowsTo = path === undefined ? run.stdout : undefined;
    const used = usedFilesOf(command.namedFiles, { inputs: [], stdout: rowsTo, stderr: run.stderr });
    used.check();
    return printTo(command.output, run.stdout, used, async (stream) => {
      const { text, code } = shownRanges(command, folder);
      await writeText(stream, text);
      return code;
    });
  });
}

/** The facts that `ranges show` prints about a stored list. */
interface ShownRanges {
  readonly name: string;
  readonly agents: readonly string[];
  readonly fetched: string | null;
  readonly created: string | null;
  readonly prefixes: number;
  /** Number of entries of the list that cannot be parsed. */
  readonly ignored: number;
  readonly versions: number;
}

function shownRanges(
  { lists, areNamed, output }: RangesCommand,
  folder: string,
): { readonly text: string; readonly code: number } {
  const stored = storedRangesIn(folder);
  let missing = 0;
  const rows = lists.flatMap(({ name }): readonly ShownRanges[] => {
    const versions = stored.filter((each) => each.name === name);
    const [newest] = versions;
    if (newest === undefined) missing++;
    return newest === undefined ? [] : [shownOf(newest, versions.length)];
  });
  const code = missing > 0 && areNamed ? exitCodes.conditionMet : exitCodes.done;
  if (output.format.name === "ndjson") return { text: rows.map((row) => `${JSON.stringify(row)}\n`).join(""), code };
  if (rows.length === 0) return { text: "no lists are stored; to fetch them: robots-stream ranges update\n", code };
  const width = Math.max(...rows.map(({ name }) => name.length));
  const text = rows
    .map(({ name, fetched, prefixes, ignored, versions, agents }) => {
      const lost = ignored === 0 ? "" : `, ${ignored} not readable`;
      const times = versions === 1 ? "" : `, ${versions} versions`;
      const crawlers = agents.length > 3 ? `${agents.slice(0, 3).join(", ")} …` : agents.join(", ");
      return `${name.padEnd(width)}  ${fetched ?? "no date"}  ${countText(prefixes, "prefix", "prefixes")}${lost}${times}  ${crawlers}\n`;
    })
    .join("");
  return { text, code };
}

function shownOf(stored: StoredRanges, versions: number): ShownRanges {
  const { ranges } = readRanges(textOfStored(stored));
  const timeOf = (ms: number | undefined): string | null =>
    ms === undefined ? null : new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
  return {
    name: stored.name,
    agents: publishedChecks.flatMap(({ files, productTokens }) =>
      files.some(({ name }) => name === stored.name) ? productTokens : [],
    ),
    fetched: timeOf(stored.fetchedAtMs),
    created: timeOf(ranges?.createdAtMs),
    prefixes: ranges?.table.prefixes.length ?? 0,
    ignored: ranges?.ignored ?? 0,
    versions,
  };
}

async function importRanges(
  { lists, importPath, atMs }: RangesCommand,
  folder: string,
  { stdin, signal }: CommandRun,
  say: (sentence: string) => void,
): Promise<number> {
  const [list] = lists;
  const shown = importPath === "-" ? "stdin" : shownWordOf(importPath);
  const chunks: Buffer[] = [];
  let bytes = 0;
  const source = openSource(importPath, stdin);
  const stop = (): void => source.destroy();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    for await (const chunk of source.chunks) {
      signal?.throwIfAborted();
      bytes += chunk.length;
      if (bytes > mostFileCharacters) break;
      chunks.push(Buffer.from(chunk as Uint8Array));
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw new IoError("input", shown, error);
  } finally {
    signal?.removeEventListener("abort", stop);
    source.destroy();
  }
  const body = Buffer.concat(chunks).toString("utf8");
  const read =
    bytes > mostFileCharacters ? { message: `is longer than ${mostFileCharacters} bytes` } : readRanges(body);
  if (!("ranges" in read) || read.ranges === undefined) {
    throw new UsageError("unusable-input", `${shown}: ${printableOf(read.message ?? "", 200)}`);
  }
  const fetchedAtMs = atMs ?? read.ranges.createdAtMs;
  if (fetchedAtMs === undefined) {
    throw new UsageError("wrong-value", `${shown}: has no creationTime`, "give the date of the list: --at 2026-11-21");
  }
  storeRanges(folder, list!.name, body, fetchedAtMs);
  const { table, ignored } = read.ranges;
  say(`${list!.name}: ${entriesText(table.prefixes.length, ignored)}`);
  return exitCodes.done;
}
