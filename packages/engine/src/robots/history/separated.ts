// Finds the readings of a robots.txt in which lines other than rules end a group, or a user-agent line names several crawlers, as some parsers
// read it.
import type { DialectName, RobotsTxt } from "@robots-stream/core";
import { robotsOf, type SourcedRobots } from "../in-force.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const hash = 0x23;
const space = 0x20;
const tab = 0x09;

/** A rule that matches nothing. It ends a run of user-agent lines in every dialect. */
const emptyRule = Buffer.from("Disallow:\n");

/** What a line is that stands between two user-agent lines of one run. */
type Kind = "blank" | "comment" | "other";

/** The lines that end a run of user-agent lines in a reading, besides rules. */
const readings: readonly (readonly Kind[])[] = [["blank", "other"], ["blank"], ["other"]];

/** The rules of a reading of a file. */
export type Reading = Pick<SourcedRobots, "robotsIn" | "matcherOf">;

/**
 * The readings of a file by parsers that differ from RFC 9309 and Google's parser in what ends a group, and in the names of a user-agent line:
 * `User-agent: Googlebot, bingbot` and `User-agent: "bingbot"` name no crawler or only the first one there. All combinations count.
 */
export function separatedReadingsOf(body: Uint8Array): readonly Reading[] {
  const named = textWithNames(body);
  if (named === undefined) return readingsOfEnds(body);
  return [...readingsOfEnds(body), readingOf(named, named), ...readingsOfEnds(named)];
}

/** A user-agent line, up to a comment. */
const userAgentLine = /^([ \t]*user-agent[ \t]*:)([^\r\n#]*)/gim;

/** The file with another user-agent line for each name in its user-agent lines; undefined if that is the same file. */
function textWithNames(body: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1");
  const changed = text.replace(userAgentLine, (line, start: string, value: string) => {
    const written = value.trim();
    const names = written.split(/[\s,;|]+/).flatMap((word) => (word === "*" ? word : nameIn(word)));
    return names.length === 0 || names.join() === written
      ? line
      : [line, ...names.map((name) => start + name)].join("\n");
  });
  return changed === text ? undefined : Buffer.from(changed, "latin1");
}

/** The name in a word, without the characters around it. */
function nameIn(word: string): readonly string[] {
  return /[\w-](?:[^"'()<>*]*[\w-])?/.exec(word) ?? [];
}

/**
 * The readings in which blank lines, lines such as Crawl-delay (any line that is neither blank nor a comment), or both end a run of
 * user-agent lines. In RFC 9309 and in Google's parser, only a rule ends the run, so that the rules below bind the crawlers of all these
 * lines; parsers that follow the drafts before the standard differ. Empty for a file without such lines, which all read alike. What is a
 * user-agent line or a rule depends on the dialect, and so do the ends of the runs.
 */
function readingsOfEnds(body: Uint8Array): readonly Reading[] {
  const robots = robotsOf(body);
  const breaks = {
    google: breaksOf(body, robots.robotsIn("google")),
    rfc9309: breaksOf(body, robots.robotsIn("rfc9309")),
  };
  const found = new Map<string, Reading>();
  for (const ends of readings) {
    const google = startsOf(breaks.google, ends);
    const rfc9309 = startsOf(breaks.rfc9309, ends);
    if (google.length === 0 && rfc9309.length === 0) continue;
    const key = JSON.stringify([google, rfc9309]);
    if (!found.has(key)) found.set(key, readingOf(textWith(body, google), textWith(body, rfc9309)));
  }
  return [...found.values()];
}

/** A reading with a text for each dialect. */
function readingOf(google: Uint8Array, rfc9309: Uint8Array): Reading {
  const texts: Readonly<Record<DialectName, SourcedRobots>> = { google: robotsOf(google), rfc9309: robotsOf(rfc9309) };
  return {
    robotsIn: (dialect) => texts[dialect].robotsIn(dialect),
    matcherOf: (productTokens, options) => texts[options?.dialect ?? "google"].matcherOf(productTokens, options),
  };
}

/** A user-agent line that continues a run behind other lines: where it begins, and what stands before it. */
interface Break {
  readonly start: number;
  readonly kinds: ReadonlySet<Kind>;
}

function startsOf(breaks: readonly Break[], ends: readonly Kind[]): readonly number[] {
  return breaks.filter(({ kinds }) => ends.some((kind) => kinds.has(kind))).map(({ start }) => start);
}

function breaksOf(body: Uint8Array, robots: RobotsTxt | undefined): readonly Break[] {
  const starts = lineStartsOf(body);
  const breaks: Break[] = [];
  for (const { userAgents } of robots?.groups ?? []) {
    for (const [at, { line }] of userAgents.entries()) {
      const before = userAgents[at - 1]?.line ?? line;
      const kinds = new Set(starts.slice(before, line - 1).map((start) => kindOf(body, start)));
      if (kinds.size > 0) breaks.push({ start: starts[line - 1]!, kinds });
    }
  }
  return breaks;
}

/** The file with an empty rule at each of these offsets. */
function textWith(body: Uint8Array, starts: readonly number[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let end = 0;
  for (const start of starts) {
    pieces.push(body.subarray(end, start), emptyRule);
    end = start;
  }
  return pieces.length === 0 ? body : Buffer.concat([...pieces, body.subarray(end)]);
}

/** The offsets at which lines begin. */
function lineStartsOf(body: Uint8Array): readonly number[] {
  const starts = [0];
  for (let at = 0; at < body.length; at++) {
    const isEnd = body[at] === lineFeed || (body[at] === carriageReturn && body[at + 1] !== lineFeed);
    if (isEnd) starts.push(at + 1);
  }
  return starts;
}

function kindOf(body: Uint8Array, start: number): Kind {
  let at = start;
  while (body[at] === space || body[at] === tab) at++;
  const byte = body[at];
  if (byte === hash) return "comment";
  return byte === undefined || byte === lineFeed || byte === carriageReturn ? "blank" : "other";
}
