// The rows of the fault matrix that are no servers: what we do, which test files show it.

/** A row that other tests show. */
interface RowElsewhere {
  readonly id: number;
  readonly title: string;
  readonly does: string;
  /** From the repository's root. */
  readonly tests: readonly string[];
}

const app = "apps/robots-stream";
const core = "packages/core";
const fetch = "packages/fetch";
const url = "packages/url";

export const elsewhere: readonly RowElsewhere[] = [
  {
    id: 60,
    title: "Proxies, and one that is down",
    does: "Used when `--proxy` or the environment names one; one that is down says nothing about the origin.",
    tests: [`${fetch}/src/proxy.test.ts`, `${app}/test/asking.test.ts`],
  },
  {
    id: 61,
    title: "The network is gone in the middle of a run",
    does: "After 100 origins in a row that no packet reaches the run ends with exit code 3.",
    tests: [`${app}/test/gone.test.ts`],
  },
  {
    id: 62,
    title: "FTP servers that refuse, stall or send elsewhere",
    does: "550 for the file is unavailable, all else unreachable; a data connection to another address is not made.",
    tests: [`${fetch}/src/ftp.test.ts`, `${fetch}/test/vsftpd.test.ts`],
  },
  {
    id: 63,
    title: "500 KiB of stars",
    does: "Linear whatever the patterns: an index over the path when many of them are worth trying.",
    tests: [`${core}/src/path-index.test.ts`, "tooling/bench/src/main.test.ts"],
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
    title: "Agents and keys called __proto__ or constructor",
    does: "Names like any other: nothing is kept under a name in an object that has a prototype.",
    tests: [`${core}/test/properties.test.ts`],
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
    tests: [`${app}/src/settings.test.ts`],
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
    tests: [`${app}/src/input/csv.test.ts`],
  },
  {
    id: 73,
    title: "Ragged rows, no URL column, a header twice or none",
    does: "A reject each with its line, or wrong usage before anything is read.",
    tests: [`${app}/src/input/csv.test.ts`, `${app}/test/cli.test.ts`],
  },
  {
    id: 74,
    title: "Input with marks, in UTF-16, with any line end, with invalid UTF-8",
    does: "Marks are dropped, UTF-16 is decoded, lines end at LF, CRLF and CR; what is echoed is echoed octet for octet.",
    tests: [`${app}/src/input/formats.test.ts`, `${app}/test/inputs.test.ts`],
  },
  {
    id: 75,
    title: "A last line without its end; nothing at all; a header only",
    does: "The last line is a record, no records are no mistake.",
    tests: [`${app}/src/input/formats.test.ts`, `${app}/test/cli.test.ts`],
  },
  {
    id: 76,
    title: "Broken JSON, no object, no text under the URL, deep nesting",
    does: "A reject each; the scan to the URL is a loop and no recursion.",
    tests: [`${app}/src/input/ndjson.test.ts`, `${app}/src/input/json-scan.test.ts`],
  },
  {
    id: 77,
    title: "Compressed input",
    does: "gzip and zstd are read as they are; other compressions are wrong usage, with the command that helps.",
    tests: [`${app}/src/input/unpack.test.ts`, `${app}/src/input/detect.test.ts`],
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
    id: 81,
    title: "A hot origin, an unsorted log",
    does: "One fetch an origin; records that wait let all others pass.",
    tests: [`${app}/src/group.test.ts`, `${app}/test/network.test.ts`],
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
    tests: [`${app}/src/input/csv.test.ts`],
  },
  {
    id: 88,
    title: "Escape sequences and direction marks in what comes in",
    does: "Escapes on stderr always, on stdout when it is a terminal; pipes and files get every octet.",
    tests: [`${app}/src/text.test.ts`, `${app}/test/faults.test.ts`],
  },
  {
    id: 89,
    title: "Line ends, quotes and delimiters in echoed fields",
    does: "What goes out is read back as what came in.",
    tests: [`${app}/src/input/formats.test.ts`],
  },
  {
    id: 90,
    title: "Credentials and tokens in URLs",
    does: "Kept in the records as they came; neither sent, nor stored, nor printed.",
    tests: [`${app}/test/secrets.test.ts`, `${fetch}/src/http.test.ts`],
  },
  {
    id: 91,
    title: "The disk with the cache becomes full",
    does: "A warning, and the run goes on without the cache; what was acknowledged stays.",
    tests: [`${app}/test/cache.test.ts`, `${fetch}/src/stores/sqlite.test.ts`],
  },
  {
    id: 92,
    title: "kill -9 while the cache is written",
    does: "Two writers, killed 200 times: every row that was acknowledged is there, and the file is sound.",
    tests: [`${fetch}/test/sqlite-kill.test.ts`],
  },
  {
    id: 93,
    title: "Files and claims that a killed process left behind",
    does: "SQLite's log is read and taken away by the next one; claims on a server expire.",
    tests: [`${fetch}/test/sqlite-kill.test.ts`, `${fetch}/test/redis.test.ts`],
  },
  {
    id: 94,
    title: "Two processes, one cache",
    does: "Writes take turns without blocking either; both decide, and all that was fetched is there.",
    tests: [`${app}/test/cache.test.ts`, `${fetch}/src/stores/sqlite.test.ts`],
  },
  {
    id: 95,
    title: "A cache that is damaged, cut, of another version, another user's, a link, a folder",
    does: "A warning and a run without it; of broken files only what was set is given, or nothing.",
    tests: [`${fetch}/src/stores/sqlite.test.ts`, `${app}/test/cache.test.ts`],
  },
  {
    id: 96,
    title: "A cache that is read-only, or has no place",
    does: "A warning and a run without it.",
    tests: [`${fetch}/src/stores/sqlite.test.ts`, `${app}/test/cache.test.ts`],
  },
  {
    id: 97,
    title:
      "kill -9 in the middle of a run, at any write, sync or rename; a write of the cache that does not come about",
    does: "With `--checkpoint`, `--resume` goes on, and the output is that of a run that nobody killed, byte for byte. Of the cache what was committed before is there, whole and in order.",
    tests: [
      `${app}/test/resume.test.ts`,
      `${app}/test/resume-modes.test.ts`,
      `${app}/test/resume-refusals.test.ts`,
      `${fetch}/src/stores/sqlite.test.ts`,
    ],
  },
  {
    id: 98,
    title: "A clock that is set",
    does: "What came after now is not fresh, an outage begins no later than now.",
    tests: [`${fetch}/src/freshness.test.ts`, `${fetch}/src/client.test.ts`],
  },
  {
    id: 99,
    title: "12 hours, 24 hours and 30 days, a second before and after",
    does: "As the policy says, to the second.",
    tests: [`${fetch}/src/client.test.ts`, `${fetch}/src/policy.test.ts`],
  },
  {
    id: 100,
    title: "A good file, then 404, then an outage",
    does: "The 404 replaces the file: the outage falls back to it.",
    tests: [`${fetch}/src/client.test.ts`],
  },
  {
    id: 101,
    title: "An outage with and without an earlier copy, under each policy",
    does: "As the policy's table says.",
    tests: [`${fetch}/src/policy.test.ts`, `${fetch}/src/client.test.ts`],
  },
  {
    id: 102,
    title: "A redirect to another origin, the same host over http and https",
    does: "An answer is kept for the origin that was asked, and for no other.",
    tests: [`${app}/test/cache.test.ts`],
  },
  {
    id: 103,
    title: "A cache that grows without end",
    does: "Never more than it may take, its log included; what was fetched longest ago goes first.",
    tests: [`${fetch}/src/stores/sqlite.test.ts`],
  },
  {
    id: 104,
    title: "SIGINT, SIGTERM, SIGHUP, and a second one",
    does: "Reading stops, decided rows are written in whole lines, exit code 130, 143 or 129, within two seconds; a second signal ends at once.",
    tests: [`${app}/test/faults.test.ts`, `${app}/test/stops.test.ts`],
  },
  {
    id: 105,
    title: "Stopped and continued, or asleep",
    does: "The time asleep does not count: an answer that came meanwhile is read.",
    tests: [`${app}/test/faults.test.ts`, `${fetch}/src/stalls.test.ts`],
  },
  {
    id: 106,
    title: "No file descriptors left",
    does: "Fewer exchanges at once, told once, and no origin called unreachable for it.",
    tests: [`${app}/test/shortage.test.ts`, `${fetch}/src/patience.test.ts`],
  },
  {
    id: 107,
    title: "A heap of 128 MB",
    does: "A million records pass.",
    tests: [`${app}/test/bounds.test.ts`],
  },
  {
    id: 109,
    title: "A load that is given up, a client that is closed",
    does: "Its connection ends, nothing is stored, no handle is left.",
    tests: [`${fetch}/src/client.test.ts`, `${fetch}/src/process.test.ts`],
  },
  {
    id: 111,
    title: "Other versions of Node",
    does: "The tests of url and fetch run on the oldest and the newest that are supported, those of the app on the oldest.",
    tests: ["tooling/checks/src/check.ts"],
  },
];
