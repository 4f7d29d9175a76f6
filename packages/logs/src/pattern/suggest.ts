// Makes a pattern from the lines of a log of unknown format: the fields that can be recognised by their form, as nginx's variables.
import { timeIn } from "../instant.ts";
import { isLogProblem } from "../types.ts";
import { logFormatOf } from "../text-log.ts";
import { isDomain } from "./captures.ts";

/** The maximum number of characters of a line, and of fields in it, for which a pattern is made; and of lines that are tried with it. */
const longestLine = 8_192;
const mostFields = 60;
const mostLines = 20;

const methods = "GET|POST|HEAD|PUT|DELETE|PATCH|OPTIONS";
const methodWord = new RegExp(`^(?:${methods})$`);
const requestLine = new RegExp(`^(?:${methods}) \\S+(?: HTTP/\\d(?:\\.\\d)?)?$`);
const aTime = /\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|(?:^|\D)1\d{9}(?:\D|$)/;
const anAddress = /(?:^|[^\d.])(?:\d{1,3}\.){3}\d{1,3}(?:[^\d.]|$)|HTTP\/\d/;
const aRequest = new RegExp(
  `(?:^|[\\s"'|;,=[({])(?:${methods})["']?[\\s|;,]{1,3}(?:[\\w.]{1,20}=)?["']?(?:/|https?://)|(?:path|uri|url)=["']?/`,
);

/** Whether a line has the form of an access log's: a request, with a time, an address or the version of HTTP. */
export function looksLikeLogLine(line: string): boolean {
  const start = line.slice(0, longestLine);
  return aRequest.test(start) && (aTime.test(start) || anAddress.test(start));
}

/**
 * A pattern in nginx's notation that reads most of the first lines of a log. A field that is not recognised is a variable `$x1`, `$x2` …,
 * which no run reads. Undefined if no pattern is found. The pattern has no text of the lines but marks between fields, and lower-case names
 * before "=".
 */
export function suggestedPattern(lines: readonly string[]): string | undefined {
  const some = lines.slice(0, mostLines);
  for (const line of some.slice(0, 3)) {
    const pattern = patternOfLine(line);
    const log = pattern === undefined ? undefined : logFormatOf(pattern, "suggested");
    if (log === undefined || "code" in log) continue;
    const parse = log.createParser();
    const read = some.filter((each) => {
      const parsed = parse(each);
      return parsed !== undefined && !isLogProblem(parsed);
    });
    if (read.length * 2 >= some.length) return pattern;
  }
  return undefined;
}

function patternOfLine(line: string): string | undefined {
  if (line.length > longestLine || line.includes("$")) return undefined;
  const names = new Names();
  const delimiter = ["\t", "|", ";"].find((each) => line.split(each, mostFields).length > 3);
  const pattern = delimiter === undefined ? ofWords(line, names) : ofColumns(line, delimiter, names);
  return names.count > mostFields || !names.hasUrl ? undefined : pattern;
}

/** The pattern of a line whose fields are separated by one character. */
function ofColumns(line: string, delimiter: string, names: Names): string {
  const columns = line.split(delimiter);
  const agent = columns.findIndex((text) => isAgent(text));
  // An agent at the end of the line may contain the delimiter.
  const rest = agent >= 0 && columns.slice(agent).every((text) => !methodWord.test(text.trim())) ? agent : -1;
  const kept = rest < 0 ? columns : [...columns.slice(0, rest), columns.slice(rest).join(delimiter)];
  return kept
    .map((text, index) => {
      const [, before = "", inner = "", after = ""] = /^(\s*"?)(.*?)("?\s*)$/s.exec(text) ?? [];
      const mayHaveSpaces = before.includes('"') || index === kept.length - 1;
      // A field that is not recognised is one variable for each word.
      const isWhole = mayHaveSpaces || requestLine.test(inner) || timeIn(inner)?.isDate === false;
      const words = isWhole ? [inner] : inner.split(" ");
      return `${before}${words.map((word) => `$${names.nameOf(word, mayHaveSpaces)}`).join(" ")}${after}`;
    })
    .join(delimiter);
}

/**
 * The name of a field before its value. The pattern is printed, and has the names: only words in lower case are names, as in `rt=` and
 * `request_time=`, since other text before "=" may be a credential in base64.
 */
const fieldName = String.raw`[a-z]{1,16}(?:[_.-][a-z]{1,16}){0,4}=`;

/** A field in quotes or in brackets, a word, or the text between them. */
const token = new RegExp(
  String.raw`"((?:[^"\\]|\\.)*)"|\[([^\]]*)\]|(${fieldName})(?=["[])|(${fieldName})?([^\s"[\]]+)|(.)`,
  "gs",
);

/** The pattern of a line whose fields are words, quoted texts and texts in brackets. */
function ofWords(line: string, names: Names): string {
  let pattern = "";
  for (const [, quoted, bracketed, opening, key = "", word, other] of line.matchAll(token)) {
    if (quoted !== undefined) pattern += `"$${names.nameOf(quoted, true)}"`;
    else if (bracketed !== undefined) pattern += `[$${names.nameOf(bracketed, false)}]`;
    else if (opening !== undefined) pattern += opening;
    else if (word === undefined) pattern += other;
    else pattern += `${key}$${names.nameOf(word, false)}`;
    if (names.count > mostFields) break;
  }
  return pattern;
}

function isAgent(text: string): boolean {
  return /^"?(?:Mozilla\/\d|[A-Za-z][\w.-]{1,40}\/\d[\w.]*(?: |$|")(?!.*HTTP))|\(compatible;/.test(text.trim());
}

/** Names the fields of one line by their forms; each name is given once. */
class Names {
  count = 0;
  readonly #given = new Set<string>();
  #others = 0;

  get hasUrl(): boolean {
    return this.#given.has("request") || this.#given.has("request_uri");
  }

  /** The variable for a field. `mayHaveSpaces`: whether the field is in quotes or the last one. */
  nameOf(text: string, mayHaveSpaces: boolean): string {
    this.count++;
    const name = this.#nameOf(text, mayHaveSpaces);
    if (name === undefined || this.#given.has(name)) return `x${++this.#others}`;
    this.#given.add(name);
    return name;
  }

  #nameOf(text: string, mayHaveSpaces: boolean): string | undefined {
    const has = (name: string): boolean => this.#given.has(name);
    if (requestLine.test(text)) return "request";
    if (methodWord.test(text)) return "request_method";
    if (/^HTTP\/\d(?:\.\d)?$/.test(text)) return "server_protocol";
    if (/^\/\S*$/.test(text) && !has("request")) return "request_uri";
    if (!/^\d{4,14}$/.test(text) && timeIn(text)?.isDate === false)
      return /^\d\d?\//.test(text) ? "time_local" : /^\d{10}/.test(text) ? "msec" : "time_iso8601";
    if (/^\d\d:\d\d:\d\d/.test(text)) return undefined;
    if (/^(?:\d{1,3}\.){3}\d{1,3}$|^[\da-f]*:[\da-f]*:[\da-f:.]*$/i.test(text)) return "remote_addr";
    const isBehindRequest = this.hasUrl;
    if (isBehindRequest && /^\d{3}$/.test(text) && !has("status")) return "status";
    if (has("status") && /^\d{1,15}$/.test(text)) return "body_bytes_sent";
    if (mayHaveSpaces && isAgent(text)) return "http_user_agent";
    if (mayHaveSpaces && isBehindRequest && /^(?:https?:\/\/\S*|-)$/.test(text)) return "http_referer";
    return isDomain(text) ? "host" : undefined;
  }
}
