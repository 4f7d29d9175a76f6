// Refuses the sources that no input format reads, by their beginnings: says what they are, and the remedy.
import { callerText, hint, hints, option } from "../common/caller-words.ts";
import { isLogProblem, lineLogFormats, looksLikeLogLine, suggestedPattern } from "@robots-stream/logs";
import { parseTarget } from "@robots-stream/url";
import { delimiterOf } from "../formats/csv/first-row.ts";
import { type Beginning, isMost, mostLines, type Refusal } from "../formats/input-format.ts";

/**
 * Beginnings of content that is not readable text, each with the kind of content and the remedy. The content of a gzip or zstd source is
 * already decompressed once.
 */
/* oxlint-disable no-control-regex */
const foreign: readonly (readonly [beginning: RegExp, what: string, hint: string])[] = [
  [/^\x1f\x8b/, "compressed twice", "unpack it once: gzip -dc FILE | robots-stream …"],
  [/^\x28\xb5\x2f\xfd/, "compressed twice", "unpack it once: zstd -dc FILE | robots-stream …"],
  [/^BZh[1-9](?:1AY&SY|\x17rE8P\x90)/, "bzip2-compressed", "unpack it first: bzip2 -dc FILE | robots-stream …"],
  [/^\xfd7zXZ\0/, "xz-compressed", "unpack it first: xz -dc FILE | robots-stream …"],
  [/^PAR1/, "a compressed Parquet file", "unpack it first: gzip -d FILE, or zstd -d FILE"],
  [
    /^PK\x03\x04/,
    "a ZIP archive or a spreadsheet",
    "unpack it first: unzip -p FILE | robots-stream …; a spreadsheet: save it as CSV",
  ],
  [/^[^\0]{1,100}\0[^]{156,255}ustar/, "a tar archive", "unpack it first: tar -xOf FILE | robots-stream …"],
  [
    /^(?:[\t\n\r\x20-\x7e]\0){3}[\t\n\r\x20-\x7e](?:\0|$)/,
    "UTF-16 text without its byte order mark",
    "convert it first: iconv -f UTF-16LE -t UTF-8 FILE | robots-stream …",
  ],
  [
    /^(?:\0[\t\n\r\x20-\x7e]){4}/,
    "UTF-16 text without its byte order mark",
    "convert it first: iconv -f UTF-16BE -t UTF-8 FILE | robots-stream …",
  ],
];
/* oxlint-enable no-control-regex */

/** The refusal of content that is not readable text, by the first bytes as a Latin-1 string; undefined for other content. */
export function refusalOfContent(text: string): Refusal | undefined {
  const found = foreign.find(([beginning]) => beginning.test(text));
  return found === undefined ? undefined : { what: found[1], hint: found[2] };
}

/**
 * The refusal of a text that no format recognized: a log, a document or a table. If it were read as a list, each of its lines would be a URL.
 * Undefined for any other text.
 */
export function refusalOfText(beginning: Beginning): Refusal | undefined {
  return refusalOfDirectives(beginning) ?? refusalOfKind(beginning) ?? refusalOfOwnLog(beginning);
}

/**
 * A directive of the W3C Extended Log File Format (such as `#Fields:`), or of a Zeek log (`#separator` or `#fields`, followed by white
 * space instead of a colon).
 */
const directive = /^#(?:(?:version|fields|software|date|start-date|end-date|remark):|(?:separator|fields)\s)/i;

/**
 * The refusal of a source whose first line is a directive: no line of such a log is a URL. Undefined for any
 * other first line.
 */
function refusalOfDirectives({ lines }: Beginning): Refusal | undefined {
  const [first = ""] = lines;
  if (!directive.test(first)) return undefined;
  if (lines.some((line) => /^#fields:.*\bcs-uri-stem\b/i.test(line))) {
    return {
      what: 'a W3C extended log (as of IIS) whose first lines do not have the fields that its "#Fields" line names',
      hint: hints(
        hint`read the readable lines: ${option("inputFormat", "w3c")}`,
        "where a log was joined from parts, each needs its own #Fields line",
      ),
    };
  }
  return {
    what: 'a log with custom fields (named by its "#" lines), which no input format reads',
    hint:
      callerText("fieldToLines") ??
      "extract its URLs: awk '!/^#/ { print $2 }' FILE, where 2 is the number of their field",
  };
}

/** The hint for a log that is not in the default form of the log format `name`. */
function patternOf(name: string): () => string | undefined {
  return () => {
    const pattern = hint`give its pattern, as the configuration has it: ${option("logFormat", "'PATTERN'")}`;
    const lines = hint`read the readable lines: ${option("inputFormat", name)}`;
    return pattern === undefined ? lines : hint`${pattern}; or ${lines}`;
  };
}

/** A hint, or what writes a hint with the caller's options. */
type Hint = string | (() => string | undefined);

/** For each refused kind of source: a pattern of its first line (bytes as Latin-1), its description, and the hint for the user. */
const kinds: readonly (readonly [beginning: RegExp, what: string, hint: Hint])[] = [
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
    () => hint`read the readable lines: ${option("inputFormat", "s3")}`,
  ],
  [
    /^\d{4}-\d\d-\d\dT[\d:.]+Z \S+ [\d.]+:\d+ (?:[\d.]+:\d+|-) /,
    "a log of a Classic Load Balancer of which most lines are damaged",
    () => hint`read the readable lines: ${option("inputFormat", "elb")}`,
  ],
  [
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (?:\S+ ){1,3}(?:GET|HEAD|POST|OPTIONS|PUT) \//,
    "a log of IIS without the line that names its fields",
    () =>
      callerText("headingBefore") ??
      "put that line before it, from the beginning of an older file: grep -m1 '^#Fields:' OLDER",
  ],
  [
    /^\[\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)\] "(?:[A-Z]{3,10}|-) /,
    "an access log of Envoy, but not in its default format",
    patternOf("envoy"),
  ],
  [
    /^\[pid: \d+\|app: /,
    "a request log of uWSGI, which no input format reads",
    () =>
      hint`extract its paths: ${String.raw`sed -n 's/.*\] [A-Z]* \([^ ]*\) => .*/\1/p'`} FILE | robots-stream …, and name their host with ${option("base", "https://example.com")}`,
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

/** The refusal of a source of one of these kinds; undefined for other sources. */
function refusalOfKind({ lines: [first = ""], wholeLines }: Beginning): Refusal | undefined {
  const known =
    kinds.find(([beginning]) => beginning.test(first)) ?? damaged.find(([isOne]) => isOne(wholeLines.slice(1), first));
  return known === undefined
    ? undefined
    : { what: known[1], hint: typeof known[2] === "string" ? known[2] : known[2]() };
}

/**
 * The refusal of a source whose lines have requests, each with a time or an address. Its hint has a pattern if the fields of the lines can
 * be recognised. Undefined for other sources, and if the user named the field with the URL. Called for sources that no format recognized,
 * for example because a field that `combined` does not read may be the requested host.
 */
function refusalOfOwnLog({ wholeLines, asksForField }: Beginning): Refusal | undefined {
  const [first = ""] = wholeLines;
  if (asksForField || !looksLikeLogLine(first) || !isMost(wholeLines, looksLikeLogLine)) return undefined;
  const like = formatLike(first);
  const pattern = suggestedPattern(wholeLines);
  const isSuggested = pattern !== undefined && (like === undefined || pattern.includes("$host"));
  const form = `'$remote_addr [$time_local] "$request" $status${like === undefined ? "" : " $host"}'`;
  const itsPattern = isSuggested
    ? hint`give its pattern; this one fits its first lines, with $x… for fields that are not read: ${option("logFormat", shellWordOf(pattern))}`
    : hint`give its pattern, as the server's configuration has it: ${option("logFormat", form)}`;
  if (like === undefined) return { what: "a log that no input format reads", hint: itsPattern, line: first };
  return {
    what: `a log like ${like}, with a further field that may be the requested host`,
    hint: hints(itsPattern, hint`if that field is not the requested host: ${option("inputFormat", like)}`),
    line: first,
  };
}

/** The format without hosts that reads a line, although it does not recognize the line; undefined if there is none. */
function formatLike(line: string): string | undefined {
  return ["combined", "common"].find((name) => {
    const request = lineLogFormats.find((format) => format.name === name)!.createParser()(line);
    const isRead = request !== undefined && !isLogProblem(request);
    return isRead && (name === "common" || request.userAgent !== undefined);
  });
}

/** A text in quotation marks for a POSIX shell. */
function shellWordOf(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
