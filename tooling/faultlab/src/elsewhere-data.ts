// The rows of the fault matrix about what files and inputs say, and what becomes of it: what we do, which test files show it.
import type { RowElsewhere } from "./row-elsewhere.ts";

const app = "apps/robots-stream";
const engine = "packages/engine";
const core = "packages/core";
const fetch = "packages/fetch";
const url = "packages/url";

export const elsewhereData: readonly RowElsewhere[] = [
  {
    id: 63,
    title: "500 KiB of stars, and URLs of a megabyte",
    does: "Linear whatever the patterns: an index over the path when many of them are worth trying. Beyond 65,536 characters of path and query a URL is not decided, and that is told.",
    tests: [
      `${core}/src/path-index.test.ts`,
      `${core}/test/long-paths.test.ts`,
      "packages/engine/src/locate/target.test.ts",
      "tooling/bench/src/main.test.ts",
    ],
  },
  {
    id: 64,
    title: "100,000 groups, 100,000 rules, one line of 512 KB",
    does: "Numbers a line instead of objects; a line counts up to its limit, as in Google's parser.",
    tests: [`${core}/test/google.test.ts`, "tooling/bench/src/main.test.ts"],
  },
  {
    id: 65,
    title: "Files in other encodings, with marks, NULs and every line end",
    does: "Read octet by octet as Google's parser reads them.",
    tests: [`${core}/test/google.test.ts`, `${core}/src/parse.test.ts`],
  },
  {
    id: 66,
    title: "Agents, keys, headers and origins called __proto__ or constructor",
    does: "Names like any other: nothing is kept under a name in an object that has a prototype.",
    tests: [`${core}/test/properties.test.ts`, `${fetch}/src/stores/prototype.test.ts`],
  },
  {
    id: 67,
    title: "A Crawl-delay of 1e999, -5, NaN, 0x10, 1,5, 1e20",
    does: "Only plain numbers count, and none for more than 300 seconds.",
    tests: [`${fetch}/src/pace.test.ts`],
  },
  {
    id: 68,
    title: "100,000 sitemaps, some of them of javascript:",
    does: "They are text, and nobody follows them. lint tells a hundred of each finding, and how many more there are.",
    tests: [`${core}/src/lint/lint.test.ts`],
  },
  {
    id: 69,
    title: "Random octets",
    does: "Any octets parse, and decide as the slow definition says.",
    tests: [`${core}/test/properties.test.ts`],
  },
  {
    id: 70,
    title: "An --agent that is no product token",
    does: "Wrong usage, with the rule it breaks; names that real files use all the same are found whole, and that is told.",
    tests: [`${app}/src/commands/decide/settings.test.ts`],
  },
  {
    id: 71,
    title: "A line or a field of hundreds of megabytes",
    does: "That record is a reject, the next one is decided; no more of it is kept than a line may have.",
    tests: [`${app}/test/bounds.test.ts`],
  },
  {
    id: 72,
    title: "A stray quote in CSV",
    does: "Costs its own record and none after it.",
    tests: [`${engine}/src/formats/csv/read.test.ts`],
  },
  {
    id: 73,
    title: "Ragged rows, no URL column, a header twice or none",
    does: "A reject each with its line, or wrong usage before anything is read.",
    tests: [`${engine}/src/formats/csv/read.test.ts`, `${app}/test/cli.test.ts`],
  },
  {
    id: 74,
    title: "Input with marks, in UTF-16, with any line end, with invalid UTF-8",
    does: "Marks are dropped, UTF-16 is decoded, lines end at LF, CRLF and CR; what is echoed is echoed octet for octet.",
    tests: [`${engine}/src/formats/formats.test.ts`, `${app}/test/inputs.test.ts`],
  },
  {
    id: 75,
    title: "A last line without its end; nothing at all; a header only",
    does: "The last line is a record, no records are no mistake.",
    tests: [`${engine}/src/formats/formats.test.ts`, `${app}/test/cli.test.ts`],
  },
  {
    id: 76,
    title: "Broken JSON, no object, no text under the URL, deep nesting",
    does: "A reject each; the scan to the URL is a loop and no recursion.",
    tests: [`${engine}/src/formats/ndjson/read.test.ts`, `${engine}/src/formats/ndjson/scan.test.ts`],
  },
  {
    id: 77,
    title: "Compressed input",
    does: "gzip and zstd are read as they are; other compressions are wrong usage, with the command that helps.",
    tests: [`${engine}/src/sources/unpack.test.ts`, `${engine}/src/sources/detect.test.ts`],
  },
  {
    id: 78,
    title: "What is no URL, or one of another scheme",
    does: "The record comes back with `allowed: null` and the reason.",
    tests: [`${url}/src/target.test.ts`, `${app}/test/cli.test.ts`],
  },
  {
    id: 79,
    title: "URLs that Node versions read differently",
    does: "Origin and target come from the raw text by a scanner of our own: the same on every Node.",
    tests: [`${url}/test/same-answers.test.ts`, `${url}/test/standard.test.ts`],
  },
  {
    id: 80,
    title: "Millions of distinct origins",
    does: "Rules stay within `--matcher-bytes`, files and records that wait in temporary files; of each origin a name and some numbers remain. What is too much of those, `--shard` divides.",
    tests: [`${engine}/src/origins/origins.test.ts`, `${app}/test/forget.test.ts`, `${engine}/src/shard.test.ts`],
  },
  {
    id: 81,
    title: "A hot origin, an unsorted log",
    does: "One fetch an origin; records that wait let all others pass.",
    tests: [`${engine}/src/decide/group.test.ts`, `${app}/test/network.test.ts`],
  },
  {
    id: 82,
    title: "stdin that is a terminal, closed, a named pipe nobody writes into",
    does: "A hint, no records, a wait that a signal ends.",
    tests: [`${app}/test/faults.test.ts`, `${app}/test/inputs.test.ts`],
  },
  {
    id: 83,
    title: "A source that is removed, cut or grows while it is read; reading that fails",
    does: "Removed and grown it is read to its end; cut, or with an error, what came is decided and the exit code is 3.",
    tests: [`${app}/test/faults.test.ts`],
  },
  {
    id: 84,
    title: "The reader of the output leaves",
    does: "A quiet end with 0, and no more fetches.",
    tests: [`${app}/test/faults.test.ts`],
  },
  {
    id: 85,
    title: "A full disk, a limit on file sizes",
    does: "Exit code 3, how many records were decided, and a file that ends with a whole row.",
    tests: [`${app}/test/faults.test.ts`],
  },
  {
    id: 86,
    title: "A reader of the output that does not read",
    does: "Reading pauses with it; memory stays where it is.",
    tests: [`${app}/test/bounds.test.ts`],
  },
  {
    id: 87,
    title: "Fields that a spreadsheet would run",
    does: "As they are by default; `--csv-safe` puts a quote before them. JSON is not concerned.",
    tests: [`${engine}/src/formats/csv/read.test.ts`],
  },
  {
    id: 88,
    title: "Escape sequences and direction marks in what comes in",
    does: "Escapes on stderr always, on stdout when it is a terminal; pipes and files get every octet.",
    tests: [`${engine}/src/text.test.ts`, `${app}/test/faults.test.ts`],
  },
  {
    id: 89,
    title: "Line ends, quotes and delimiters in echoed fields",
    does: "What goes out is read back as what came in.",
    tests: [`${engine}/src/formats/formats.test.ts`],
  },
];
