// Recognizes two lines in one: two writers of one log can write the beginning of a line, and then another line before its end.
import type { Step, Steps } from "./pattern/steps.ts";
import { isBehindText } from "./prefix.ts";
import type { LogProblem } from "./types.ts";

/** The problem of a line that holds the beginning of another line: which fields belong together is unknown. */
export const joinedLines: LogProblem = { code: "joined-lines", message: "is two lines in one" };

const date = String.raw`\d{4}-\d\d-\d\d`;
const clock = String.raw`\d\d:\d\d:\d\d`;
const ofAccessLog = String.raw`\d{1,2}/[A-Z][a-z]{2}/\d{4}:${clock}(?:\.\d{1,9})?(?: [+-]\d{4})?`;
const ofStandard = String.raw`${date}[T ]${clock}(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?`;
/** A time as servers write it, with its fraction and its zone. */
const time = String.raw`(?:${ofAccessLog}|${ofStandard}|\d{10}\.\d{3})`;

/** The end of the beginning of a line of combined. A client cannot write it where the server escapes quotes. */
export const accessBeginning: RegExp = new RegExp(String.raw`[^"\s] \[${time}\] "(?=\S)`, "g");

/** Whether a line has the beginning of a line twice. `beginning` has the flag g; undefined: it is not known. */
export function isTwice(line: string, beginning: RegExp | undefined): boolean {
  if (beginning === undefined) return false;
  beginning.lastIndex = 0;
  return beginning.test(line) && beginning.test(line);
}

/** Fields that may contain spaces, and fields that may not, whose text a client chooses. */
const withSpaces: ReadonlySet<Step["is"]> = new Set<Step["is"]>(["request", "referer", "userAgent", "spaced"]);
const ofClient: ReadonlySet<Step["is"]> = new Set<Step["is"]>([
  "host",
  "user",
  "target",
  "path",
  "query",
  "markedQuery",
]);

/** The minimum number of fields in a beginning without a quote: a client could write fewer. */
const fewestFields = 3;

/**
 * Matches the beginning of a line of one of these shapes, from its time to the first quote or, without quotes, to the first field that a
 * client chooses. Undefined if no such text shows where a line begins.
 */
export function beginningOf(shapes: readonly Pick<Steps, "start" | "steps">[]): RegExp | undefined {
  const sources = new Set(shapes.map((shape) => beginningIn(shape)).filter((source) => source !== undefined));
  return sources.size === 0 ? undefined : new RegExp([...sources].join("|"), "g");
}

/** The character that follows the time in the lines of all these shapes; undefined if they differ. */
export function characterBehindTime(shapes: readonly Pick<Steps, "steps">[]): string | undefined {
  const ends = shapes.flatMap(({ steps }) => steps.find(({ is }) => isOfMoment(is))?.end.slice(0, 1) ?? []);
  return ends.every((end) => end === ends[0]) && ends[0] !== "" ? ends[0] : undefined;
}

function isOfMoment(is: Step["is"]): boolean {
  return is === "time" || is === "localTime";
}

function beginningIn({ start, steps }: Pick<Steps, "start" | "steps">): string | undefined {
  const first = steps.findIndex(({ is }) => isOfMoment(is));
  if (first < 0) return undefined;
  const before = first === 0 ? start : steps[first - 1]!.end;
  let source = (first === 0 || before.startsWith('"') ? "" : String.raw`[^"\s]`) + escaped(before);
  let found: string | undefined;
  for (const [index, { end, isPadded }] of steps.slice(first).entries()) {
    source += (isPadded ? " {0,30}" : "") + (index === 0 ? time : '[^" ]{0,300}');
    const quote = end.indexOf('"');
    if (quote >= 0) return String.raw`${source}${escaped(end.slice(0, quote))}"(?=\S)`;
    source += escaped(end);
    const next = steps[first + index + 1]?.is;
    const isCaptured = next === "captures" || next === "responseCaptures";
    const isClients = next === undefined || isCaptured || withSpaces.has(next) || ofClient.has(next);
    if (isClients && index + 1 >= fewestFields) found ??= source + (isCaptured ? String.raw`\{` : "");
    if (next === undefined || isCaptured || withSpaces.has(next)) break;
  }
  return found;
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, String.raw`\$&`);
}

const wholeTime = new RegExp(`^${time}$`);
const laterTime = new RegExp(`^.+?${time}`);

/** Whether the text of a time holds another time behind its beginning. */
export function isTimeOfTwo(text: string): boolean {
  return text.includes("[") || (!wholeTime.test(text) && laterTime.test(text.slice(0, longestTimes)));
}

/** The maximum number of characters of two times, of which the first may be a part. */
const longestTimes = 100;

/** Whether a line that no shape fits has the beginning of a line behind a time of another line. */
export function isBehindTime(line: string, beginning: RegExp | undefined): boolean {
  const at = beginning === undefined ? -1 : line.search(beginning);
  return at > 0 && anyTime.test(line.slice(0, at));
}

/** Whether the text before the time of a line that is not read has the client, and perhaps the host, of two lines. */
export function hasTwoClients(text: string): boolean {
  const [first = "", ...words] = text.slice(0, longestInside).split(" ");
  const isBeginning = isAddress(first) || /[a-z].*[.:]/i.test(first);
  return isBeginning && words.some((word, index) => /[a-z].*:\d{1,5}$/i.test(word) || (index > 0 && isAddress(word)));
}

/** Whether a text of several words has the address or the time with which another line begins. */
export function hasLineInside(text: string): boolean {
  if (!text.includes(" ")) return false;
  const start = text.slice(0, longestInside);
  return anyTime.test(start) || start.split(" ").some((word) => isAddress(word));
}

const anyTime = new RegExp(time);
const longestInside = 1_000;

function isAddress(word: string): boolean {
  const address = word.replace(/:\d{1,5}$/, "");
  return ipv4.test(address) || (/:.*:/.test(word) && isIpv6(word));
}

/**
 * Whether the text between the first field of a line and its time, ` - user`, holds the beginning of another line: the "-" of a missing
 * ident or user is then not at its usual position.
 */
export function isLineBeforeTime(rest: string): boolean {
  return rest.startsWith(" - ") && rest !== " - -" && isBehindText(rest.slice(3));
}

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|[01]?\d?\d)(?:\.|$)){4}$/;

/**
 * Whether a server can have written a text as the address or the name of a client. A name whose last label is a number is an address of
 * IPv4, so that two addresses in one are neither. Servers also write "-" and "unix:", and programs replace addresses by other words.
 */
export function mayBeClient(text: string): boolean {
  if (text === "" || text === "-" || text.startsWith("unix:")) return true;
  if (text.startsWith("-")) return false;
  const colon = text.indexOf(":");
  if (colon !== text.lastIndexOf(":")) return isIpv6(text);
  const name = colon < 0 ? text : text.slice(0, colon);
  if (colon >= 0 && !/^\d{1,5}$/.test(text.slice(colon + 1))) return false;
  // Of two addresses in one, at least the last has four labels.
  return !/(?:\.[^.]*){2}\.(?:\d+|0x[\da-f]*)\.?$/i.test(name) || ipv4.test(name);
}

/** Whether a text has the form of an address of IPv6, perhaps in brackets, with a zone or a port. */
function isIpv6(text: string): boolean {
  const [all, inBrackets, bare = ""] = /^(?:\[([^[\] ]*)\](?::\d{1,5})?|([^[\] ]*))$/.exec(text) ?? [];
  const [address = "", zone = ""] = (inBrackets ?? bare).split("%", 2);
  const groups = address.split(":");
  const hasIpv4 = groups.at(-1)!.includes(".");
  if (hasIpv4 && !ipv4.test(groups.pop()!)) return false;
  return (
    all !== undefined &&
    groups.length <= (hasIpv4 ? 6 : 8) &&
    /^[\w.-]{0,64}$/.test(zone) &&
    groups.every((group) => /^[\da-f]{0,4}$/i.test(group))
  );
}
