// Recognizes, by their beginning, documents, tables and logs that no input format has recognized. If such a source were read as a list,
// each of its lines would be a URL.
import { parseTarget } from "@robots-stream/url";
import { delimiterOf } from "./csv/first-row.ts";
import { type Beginning, type Refusal, isMost, mostLines } from "./recognition.ts";

/** The hint for a log that is not in the default form of the log format `name`. */
function patternOf(name: string): string {
  return `give its pattern, as the configuration has it: --log-format 'PATTERN'; or read the readable lines: --input ${name}`;
}

const namesHost = "name their host with --base https://example.com";

/** For each refused kind of source: a pattern of its first line (bytes as Latin-1), its description, and the hint for the user. */
const kinds: readonly (readonly [beginning: RegExp, what: string, hint: string])[] = [
  [/^<(?:!doctype\s+html|html|head|body)\b/i, "an HTML page", "give its links in a list, one URL per line"],
  [
    /^<(?:\?xml|rss|feed)\b/i,
    "XML, but not a sitemap",
    "extract its URLs: grep -o 'http[^<]*</loc>' FILE | sed 's/<.*//; s/&amp;/\\&/g' | robots-stream …",
  ],
  [
    /^(?:\x89PNG|\xff\xd8\xff|GIF8[79]a|%PDF-\d|\x7fELF|MZ\x90\0)/,
    "not text: an image, a PDF or a program",
    "give URLs, one per line",
  ],
  [
    /^\d{9,10}\.\d{3} +\d+ \S+ [A-Z_]+\/\d{3} \d+ [A-Z]+ \S+ /,
    "an access log of Squid, but not in its native format",
    patternOf("squid"),
  ],
  [
    /^[0-9a-f]{64} \S+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:/,
    "an access log of Amazon S3 of which most lines are damaged",
    "read the readable lines: --input s3",
  ],
  [
    /^\d{4}-\d\d-\d\dT[\d:.]+Z \S+ [\d.]+:\d+ (?:[\d.]+:\d+|-) /,
    "a log of a Classic Load Balancer of which most lines are damaged",
    "read the readable lines: --input elb",
  ],
  [
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (?:\S+ ){1,3}(?:GET|HEAD|POST|OPTIONS|PUT) \//,
    "a log of IIS without the line that names its fields",
    "put that line before it, from the beginning of an older file: (grep -m1 '^#Fields:' OLDER; cat FILE) | robots-stream --input w3c …",
  ],
  [
    /^\[\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)\] "(?:[A-Z]{3,10}|-) /,
    "an access log of Envoy, but not in its default format",
    patternOf("envoy"),
  ],
  [
    /^\[pid: \d+\|app: /,
    "a request log of uWSGI, which no input format reads",
    `extract its paths: sed -n 's/.*\\] [A-Z]* \\([^ ]*\\) => .*/\\1/p' FILE | robots-stream …, and ${namesHost}`,
  ],
  [
    /^(?:[^[]{1,100} haproxy\[\d+\]: )?[\da-f.:]+:\d+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:[\d:.]+\] \S+ \S+ [-+\d/]+ /,
    "a log of HAProxy, but not in its HTTP format",
    patternOf("haproxy"),
  ],
  [
    /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \[[a-z]+\] \d+#\d+: /,
    "an error log of nginx, which has no requests of its own",
    "give its access log",
  ],
  [
    /^\[[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d[\d.]* \d{4}\] \[[\w:-]+\] /,
    "an error log of Apache, which has no requests of its own",
    "give its access log",
  ],
  [
    /^(?:<\d+>\d )?\S{19,40} (?:\S+ )?heroku\[router\]: |^\S{19,40} heroku router - - |^at=\w+ (?:code=\w+ desc="[^"]*" )?method=[A-Z]+ path="/,
    "a log of Heroku's router, but not as it is documented",
    patternOf("heroku"),
  ],
];

/**
 * Like `kinds`, for sources whose first line is damaged. Instead of a pattern, each row has a test of the other lines and the first line.
 */
const damaged: readonly (readonly [
  isOne: (others: readonly string[], first: string) => boolean,
  what: string,
  hint: string,
])[] = [
  [
    (others) => isMost(others, (line) => line.startsWith("<")),
    "XML or HTML whose first line is damaged",
    "repair that line; or extract its URLs, one per line",
  ],
  [
    (others) => isMost(others, (line) => /^(?:WARC-[A-Z][\w-]{1,40}|Content-(?:Type|Length)): /.test(line)),
    "a WARC file whose first line is damaged",
    'repair that line, which is "WARC/1.0" or "WARC/1.1"',
  ],
  [
    (others, first) => !isUrl(first) && delimiterOf(first) === "" && isTable(others),
    "a table whose first line, with the names of the columns, is damaged",
    "repair that line: its names show which column has the URL",
  ],
];

function isUrl(line: string): boolean {
  return line.startsWith("/") || parseTarget(line) !== undefined;
}

/**
 * Whether there are at least two lines, all with the same number of fields, two or more. The lines of a list of URLs seldom have equally
 * many commas.
 */
function isTable(lines: readonly string[]): boolean {
  const rows = lines.slice(0, mostLines);
  return ["\t", ",", ";", "|"].some((delimiter) => {
    const counts = rows.map((line) => line.replaceAll(/"[^"]*"/g, "").split(delimiter).length);
    return rows.length >= 2 && counts[0]! > 1 && counts.every((count) => count === counts[0]);
  });
}

/** Returns the refusal for a source of one of these kinds; undefined for other sources. Call it for sources that no format recognized. */
export function refuseNoList({ lines: [first = ""], wholeLines }: Beginning): Refusal | undefined {
  const known =
    kinds.find(([beginning]) => beginning.test(first)) ?? damaged.find(([isOne]) => isOne(wholeLines.slice(1), first));
  return known === undefined ? undefined : { what: known[1], hint: known[2] };
}
