// Refuses a source that no format recognized and that begins like a log: one whose "#" lines name the fields, or lines with requests.
import { isLogProblem, lineLogFormats, looksLikeLogLine, suggestedPattern } from "@robots-stream/logs";
import { type Beginning, type Refusal, isMost } from "../recognition.ts";

/**
 * A directive of the W3C Extended Log File Format (such as `#Fields:`), or of a Zeek log (`#separator` or `#fields`, followed by white
 * space instead of a colon).
 */
const directive = /^#(?:(?:version|fields|software|date|start-date|end-date|remark):|(?:separator|fields)\s)/i;

/** Whether a line begins with "#", like the lines that describe a log, or with "CDX ", like the header of a web archive index. */
export function isHeading(line: string): boolean {
  return line.startsWith("#") || line.startsWith("CDX ");
}

/**
 * The refusal of a source whose first line is a directive: no line of such a log is a URL. Undefined for any other first line. Called for
 * sources that no format recognized.
 */
export function refuseUnknownLog({ lines }: Beginning): Refusal | undefined {
  const [first = ""] = lines;
  if (!directive.test(first)) return undefined;
  if (lines.some((line) => /^#fields:.*\bcs-uri-stem\b/i.test(line))) {
    return {
      what: 'a W3C extended log (as of IIS) whose first lines do not have the fields that its "#Fields" line names',
      hint: "read the readable lines: --input w3c; where a log was joined from parts, each needs its own #Fields line",
    };
  }
  return {
    what: 'a log with custom fields (named by its "#" lines), which no input format reads',
    hint: "extract its URLs: awk '!/^#/ { print $2 }' FILE | robots-stream --input lines …, where 2 is the number of their field",
  };
}

/**
 * The refusal of a source whose lines have requests, each with a time or an address. Its hint has a pattern if the fields of the lines can
 * be recognised. Undefined for other sources, and if the user named the field with the URL. Called for sources that no format recognized,
 * for example because a field that `combined` does not read may be the requested host.
 */
export function refuseOwnLog({ wholeLines, asksForField }: Beginning): Refusal | undefined {
  const [first = ""] = wholeLines;
  if (asksForField || !looksLikeLogLine(first) || !isMost(wholeLines, looksLikeLogLine)) return undefined;
  const like = formatLike(first);
  const pattern = suggestedPattern(wholeLines);
  const isSuggested = pattern !== undefined && (like === undefined || pattern.includes("$host"));
  const hint = isSuggested
    ? `give its pattern; this one fits its first lines, with $x… for fields that are not read: --log-format ${shellWordOf(pattern)}`
    : `give its pattern, as the server's configuration has it: --log-format '$remote_addr [$time_local] "$request" $status${like === undefined ? "" : " $host"}'`;
  if (like === undefined) return { what: "a log that no input format reads", hint, line: first };
  return {
    what: `a log like ${like}, with a further field that may be the requested host`,
    hint: `${hint}; if that field is not the requested host: --input ${like}`,
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
