// Runs the command `ranges`, which fetches, shows and imports lists of addresses, and returns its exit code.
import { UsageError } from "@robots-stream/engine";
import { openSource, printableOf, shownWordOf } from "@robots-stream/engine/internal";
import { mostFileCharacters, publishedChecks, type RangeFile, rangeFiles, readRanges } from "@robots-stream/verify";
import { nearestOf } from "@robots-stream/core/internal";
import { cacheFolderFlag } from "../../cli/cache/settings.ts";
import { commandBody, type Running } from "../../cli/command-body.ts";
import { flag, rowsWithout } from "../../cli/flag.ts";
import { networkFlags, networkSettingsOf } from "../../cli/network/flags.ts";
import { outputFlags, outputOf, textFormats } from "../../cli/output-format.ts";
import { readAll } from "../../cli/read-all.ts";
import { moment } from "../../cli/values.ts";
import { writeText } from "../../cli/ending.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { countText } from "../../cli/figures.ts";
import {
  rangeFolderOf,
  type StoredRanges,
  storedRangesIn,
  storeRanges,
  textOfStored,
} from "../../cli/verify/range-folder.ts";
import { entriesText, updateRanges } from "./update.ts";

const fetchFlags = rowsWithout(
  networkFlags,
  "access-policy",
  "soft-404",
  "connect-timeout",
  "headers-timeout",
  "retry-wait",
  "max-redirects",
  "max-header-bytes",
  "concurrency",
  "per-address",
  "insecure-tls",
);

const rangesFlags = [
  flag({
    name: "ranges",
    value: "DIR",
    about: "Folder of the lists.",
    otherwise: "a folder in the cache",
  }),
  cacheFolderFlag,
  flag({
    name: "at",
    value: "TIME",
    actions: ["import"],
    about: "When the operator published this list: 2026-11-21, 2026-11-21T08:00Z.",
    otherwise: "its creationTime",
    read: moment,
  }),
  ...outputFlags(textFormats).map((row) => ({ ...row, actions: ["show"] })),
  ...fetchFlags.map((row) => ({ ...row, actions: ["update"] })),
];

export const rangesCommand = commandBody({
  name: "ranges",
  actions: { names: ["update", "show", "import"], example: "update" },
  flags: rangesFlags,
  help: {
    start: `
robots-stream ranges: the lists of addresses that crawlers' operators publish

Usage
  robots-stream ranges update [NAME …]          fetches the lists, over https, into the cache
  robots-stream ranges show [NAME …]            shows which lists are stored, and their dates
  robots-stream ranges import NAME [FILE|-]     adds a list from a file

Examples
  robots-stream ranges update
  robots-stream ranges import google-common common-crawlers.json --at 2026-11-21
  robots-stream --agent-field user_agent --verify --base https://example.com access.log

Lists
${publishedChecks.flatMap(({ operator, files }) => files.map(({ name }) => `  ${name.padEnd(24)}${operator}`)).join("\n")}
`,
    exitCodes: {
      0: "done",
      1: "show: a named list is not stored",
      2: "wrong usage, nothing was done",
      3: "a list could not be fetched or read; the other lists are stored",
    },
    stopped: "",
  },
  async run(running) {
    const { action, flags, values, files, env, use, print } = running;
    if (action === "import" && (files.length === 0 || files.length > 2)) {
      const hint = "for example: robots-stream ranges import google-common common-crawlers.json";
      throw new UsageError("no-input", "name a list and a file", hint);
    }
    const names = action === "import" ? files.slice(0, 1) : files;
    const lists = names.length === 0 ? rangeFiles : names.map(listOf);
    const output = outputOf(values, textFormats);
    const network = networkSettingsOf(values);
    const atMs = flags.get("at");
    const folder = rangeFolderOf(flags.get("ranges"), flags.get("cache"), env);
    if (action === "update") return updateRanges({ lists, network }, folder, running);
    if (action === "import") return importRanges({ list: lists[0]!, path: files[1] ?? "-", atMs }, folder, running);
    return print(output, use([], output), async (stream) => {
      const isJson = output.format.name === "ndjson";
      const { text, code } = shownRanges({ lists, areNamed: names.length > 0, isJson }, folder);
      await writeText(stream, text);
      return code;
    });
  },
});

function listOf(name: string): RangeFile {
  const found = rangeFiles.find((file) => file.name === name);
  if (found !== undefined) return found;
  const names = rangeFiles.map((file) => file.name);
  const near = nearestOf(name, names);
  throw new UsageError(
    "wrong-value",
    `${shownWordOf(name, 60)}: no list has this name; the lists are ${names.join(", ")}`,
    near === undefined ? undefined : `did you mean ${near}?`,
  );
}

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
  {
    lists,
    areNamed,
    isJson,
  }: { readonly lists: readonly RangeFile[]; readonly areNamed: boolean; readonly isJson: boolean },
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
  if (isJson) return { text: rows.map((row) => `${JSON.stringify(row)}\n`).join(""), code };
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
  { list, path, atMs }: { readonly list: RangeFile; readonly path: string; readonly atMs: number | undefined },
  folder: string,
  { stdin, signal, say }: Running,
): Promise<number> {
  const shown = path === "-" ? "stdin" : shownWordOf(path);
  const bytes = await readAll(openSource(path, stdin), mostFileCharacters + 1, shown, signal);
  const body = bytes.toString("utf8");
  const isTooLong = bytes.length > mostFileCharacters;
  const read = isTooLong ? { message: `is longer than ${mostFileCharacters} bytes` } : readRanges(body);
  if (!("ranges" in read) || read.ranges === undefined) {
    throw new UsageError("unusable-input", `${shown}: ${printableOf(read.message ?? "", 200)}`);
  }
  const fetchedAtMs = atMs ?? read.ranges.createdAtMs;
  if (fetchedAtMs === undefined) {
    throw new UsageError("wrong-value", `${shown}: has no creationTime`, "give the date of the list: --at 2026-11-21");
  }
  storeRanges(folder, list.name, body, fetchedAtMs);
  const { table, ignored } = read.ranges;
  say(`${list.name}: ${entriesText(table.prefixes.length, ignored)}`);
  return exitCodes.done;
}
