// Rows of the fault matrix about the content of files and inputs: how robots-stream handles each fault, and the files that test it.
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
    does: "Time is linear for any pattern: an index over the path is used if many patterns must be tried. A URL with more than 65,536 characters of path and query is not decided; its output row has the reason `url-too-long`.",
    tests: [
      `${core}/src/path-index.test.ts`,
      `${core}/test/long-paths.test.ts`,
      "packages/engine/src/common/target.test.ts",
      "tooling/bench/src/main.test.ts",
    ],
  },
  {
    id: 64,
    title: "100,000 groups, 100,000 rules, one line of 512 KB",
    does: "In memory, each line takes a few numbers, not an object. Only the beginning of a line counts, up to the limit of Google's parser.",
    tests: [`${core}/test/google.test.ts`, "tooling/bench/src/main.test.ts"],
  },
  {
    id: 65,
    title: "Files in other encodings, with byte order marks, NULs and every line end",
    does: "Read octet by octet, as Google's parser reads them.",
    tests: [`${core}/test/google.test.ts`, `${core}/src/parse.test.ts`],
  },
  {
    id: 66,
    title: "Agents, keys, headers and origins called __proto__ or constructor",
    does: "Treated like any other name: no object with a prototype is used as a map.",
    tests: [`${core}/test/properties.test.ts`, `${fetch}/src/stores/prototype.test.ts`],
  },
  {
    id: 67,
    title: "A Crawl-delay of 1e999, -5, NaN, 0x10, 1,5, 1e20",
    does: "Only plain numbers count, capped at 300 seconds.",
    tests: [`${fetch}/src/pace.test.ts`],
  },
  {
    id: 68,
    title: "100,000 sitemaps, some of them with javascript: URLs",
    does: "They are text and never requested. lint reports a hundred findings of each code, and the number of the others.",
    tests: [`${core}/src/lint/lint.test.ts`],
  },
  {
    id: 69,
    title: "Random octets",
    does: "Any octets parse, and the decision equals that of the slow reference implementation.",
    tests: [`${core}/test/properties.test.ts`],
  },
  {
    id: 70,
    title: "An --agent that is not a product token",
    does: "Wrong usage, with the violated rule. An invalid name that real files use is matched whole, and a message reports that.",
    tests: [`${app}/src/commands/decide/settings.test.ts`],
  },
  {
    id: 71,
    title: "A line or a field of hundreds of megabytes",
    does: "That record is a reject, and the next one is decided. No more than the line limit is kept in memory.",
    tests: [`${app}/test/bounds.test.ts`],
  },
  {
    id: 72,
    title: "A stray quote in CSV",
    does: "Only its own record is lost, none after it.",
    tests: [`${engine}/src/formats/csv/read.test.ts`],
  },
  {
    id: 73,
    title: "Ragged rows, no URL column, a repeated or missing header",
    does: "One reject each, with its line; or wrong usage before anything is read.",
    tests: [`${engine}/src/formats/csv/read.test.ts`, `${app}/test/cli.test.ts`],
  },
  {
    id: 74,
    title: "Input with byte order marks, in UTF-16, with any line end, with invalid UTF-8",
    does: "Marks are dropped, UTF-16 is decoded, and LF, CRLF and CR end lines. Echoed fields are echoed octet for octet.",
    tests: [`${engine}/src/formats/formats.test.ts`, `${app}/test/inputs.test.ts`],
  },
  {
    id: 75,
    title: "A last line without a line end; no input at all; only a header",
    does: "The last line is a record. An input without records is not an error.",
    tests: [`${engine}/src/formats/formats.test.ts`, `${app}/test/cli.test.ts`],
  },
  {
    id: 76,
    title: "Malformed JSON, a value that is not an object, a URL that is not text, deep nesting",
    does: "One reject each; the scan for the URL is a loop without recursion.",
    tests: [`${engine}/src/formats/ndjson/read.test.ts`, `${engine}/src/formats/ndjson/walk.test.ts`],
  },
  {
    id: 77,
    title: "Compressed input",
    does: "gzip and zstd are decompressed; other compressions are wrong usage, and the message contains the command that decompresses them.",
    tests: [`${engine}/src/sources/unpack.test.ts`, `${engine}/src/sources/detect.test.ts`],
  },
  {
    id: 78,
    title: "Invalid URLs and URLs of other schemes",
    does: "The record is written with `allowed: null` and the reason.",
    tests: [`${url}/src/target.test.ts`, `${app}/test/cli.test.ts`],
  },
  {
    id: 79,
    title: "URLs that Node versions read differently",
    does: "Our own scanner reads origin and target from the raw text: the same result on every Node.",
    tests: [`${url}/test/same-answers.test.ts`, `${url}/test/standard.test.ts`],
  },
  {
    id: 80,
    title: "Millions of distinct origins",
    does: "Rules stay within `--matcher-bytes`; robots.txt files and waiting records go to temporary files. Per origin, a name and some numbers remain in memory; `--shard` divides the origins.",
    tests: [`${engine}/src/origins/origins.test.ts`, `${app}/test/forget.test.ts`, `${engine}/src/shard.test.ts`],
  },
  {
    id: 81,
    title: "A hot origin, an unsorted log",
    does: "One fetch per origin; waiting records do not delay the others.",
    tests: [`${engine}/src/decide/group.test.ts`, `${app}/test/network.test.ts`],
  },
  {
    id: 82,
    title: "stdin that is a terminal, closed, or a named pipe without a writer",
    does: "At a terminal, the run prints a hint. A closed stdin has no records. On a named pipe, the run waits until a writer or a signal comes.",
    tests: [`${app}/test/faults.test.ts`, `${app}/test/inputs.test.ts`],
  },
  {
    id: 83,
    title: "A source that is removed, truncated or extended while it is read; a failing read",
    does: "A removed or extended source is read to its end. After a truncation or an error, the records read so far are decided, and the exit code is 3.",
    tests: [`${app}/test/faults.test.ts`],
  },
  {
    id: 84,
    title: "The reader of the output closes it",
    does: "The run ends quietly with 0 and fetches nothing more.",
    tests: [`${app}/test/faults.test.ts`],
  },
  {
    id: 85,
    title: "A full disk, a limit on file sizes",
    does: "Exit code 3, the number of decided records, and a file that ends with a whole row.",
    tests: [`${app}/test/faults.test.ts`],
  },
  {
    id: 86,
    title: "A reader of the output that stops reading",
    does: "Reading pauses; memory stays constant.",
    tests: [`${app}/test/bounds.test.ts`],
  },
  {
    id: 87,
    title: "Fields that a spreadsheet would run as a formula",
    does: "Unchanged by default; `--csv-safe` puts `'` before them. JSON is not affected.",
    tests: [`${engine}/src/formats/csv/read.test.ts`],
  },
  {
    id: 88,
    title: "Escape sequences and invisible characters in the input",
    does: "Shown as escapes on stderr always, and on stdout if it is a terminal; pipes and files get every octet unchanged.",
    tests: [`${app}/test/hidden-characters.test.ts`, `${app}/test/faults.test.ts`],
  },
  {
    id: 89,
    title: "Line ends, quotes and delimiters in echoed fields",
    does: "A reader of the output gets the same field values as in the input.",
    tests: [`${engine}/src/formats/formats.test.ts`],
  },
];
