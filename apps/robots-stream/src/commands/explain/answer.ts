// Makes the explanation of a decision, as data, from a URL, a crawler and the robots.txt that was found.
import {
  type DialectName,
  type RobotsTxt,
  type Trace,
  createMatcher,
  explain,
  parseRobotsTxt,
  unavailableMatcher,
  unreachableMatcher,
  type BindingGroup,
} from "@robots-stream/core";
import { formatInsteadOf } from "@robots-stream/core/internal";
import { type Usage, createPreferences } from "@robots-stream/preferences";
import type { ParsedTarget } from "@robots-stream/url";
import { matchersOf, printableOf, type Question } from "@robots-stream/engine/internal";
import type { FoundRobots } from "../../cli/robots/sources.ts";
import { crawlDelayIn } from "@robots-stream/core/records";

/** The robots.txt of an origin, parsed in one dialect, with the lines of its text. */
export interface ReadRobots {
  readonly found: FoundRobots;
  readonly dialect: DialectName;
  /** The parsed file; undefined when no robots.txt was found. */
  readonly robots: RobotsTxt | undefined;
  /** The format of a file that is no robots.txt, such as "HTML"; undefined for a robots.txt, and without a file. */
  readonly formatInstead: string | undefined;
  readonly lines: FileLines;
}

/** Parses the robots.txt that was found, in a dialect. */
export function readRobots(found: FoundRobots, dialect: DialectName): ReadRobots {
  const { body } = found;
  const robots = body === undefined ? undefined : parseRobotsTxt(body, { dialect });
  const formatInstead = body === undefined || robots!.groups.length > 0 ? undefined : formatInsteadOf(body);
  return { found, dialect, robots, formatInstead, lines: linesOf(body ?? new Uint8Array(0)) };
}

/** A decision about one URL for one crawler, with all facts that explain the decision. */
export interface Answer {
  readonly url: string;
  readonly origin: string;
  readonly question: Question;
  readonly read: ReadRobots;
  readonly trace: Trace;
  readonly sentence: string;
  /**
   * Numbers of the user-agent lines for `*` whose groups do not bind the crawler: either another group names the crawler, or the crawler
   * obeys only a group that names it.
   */
  readonly passedOver: readonly number[];
  /** The Crawl-delay for the crawler; undefined if the file sets none. */
  readonly crawlDelay: CrawlDelay | undefined;
  /** The preferences about the use of the URL's content that the file states; undefined without a file. */
  readonly usage: Usage | undefined;
  /** Number of rules in the groups that bind the crawler. */
  readonly ruleCount: number;
}

/** Decides one URL for one crawler, and collects the facts that explain the decision. `target` and `origin` are parts of `url`. */
export function answerOf(url: string, { origin, target }: ParsedTarget, question: Question, read: ReadRobots): Answer {
  const { robots, found } = read;
  const [matcher] = matchersOf(
    {
      robotsIn: () => robots,
      matcherOf: (tokens, reading) =>
        robots !== undefined
          ? createMatcher(robots, tokens, { tokenMatch: reading?.tokenMatch })
          : found.access === "unavailable"
            ? unavailableMatcher
            : unreachableMatcher,
    },
    [question],
  );
  // Passes the origin with the target: in a target alone that begins with "//", the first segment would be parsed as a host.
  const trace = matcher!.trace(origin + target);
  const binding = new Set(trace.groups.map(({ fromLine }) => fromLine));
  const isBinding = ({ userAgents }: RobotsTxt["groups"][number]): boolean => binding.has(userAgents[0]?.line ?? 0);
  const groups = robots?.groups ?? [];
  const isFree =
    trace.decision.because === "no-group" &&
    !question.boundByEverybody &&
    groups.some(({ userAgents }) => userAgents.some(({ productToken }) => productToken === "*"));
  return {
    url,
    origin,
    question,
    read,
    trace,
    sentence: isFree
      ? `Allowed: no group names ${printableOf(question.agent, 100)}, and the group for * does not apply to it.`
      : explain(trace.decision),
    passedOver:
      trace.ground === "named" || isFree
        ? groups
            .filter((group) => !isBinding(group))
            .flatMap(({ userAgents }) => userAgents.filter(({ productToken }) => productToken === "*"))
            .map(({ line }) => line)
        : [],
    crawlDelay: robots === undefined ? undefined : crawlDelayOf(robots, question, trace.groups),
    usage: robots === undefined ? undefined : usageOf(robots, target, question),
    ruleCount: groups.filter(isBinding).reduce((sum, { rules }) => sum + rules.length, 0),
  };
}

function usageOf(robots: RobotsTxt, target: string, { names, boundByEverybody, tokenMatch }: Question): Usage {
  return createPreferences(robots, { names, boundByEverybody }, { tokenMatch }).usageAtTarget(target);
}

export interface CrawlDelay {
  /** The delay in seconds, at most 300. */
  readonly seconds: number;
  /** Line number in the file, from 1. */
  readonly line: number;
  /** Whether the line is in a group for `*` that does not bind the crawler. */
  readonly isEverybodys: boolean;
}

/**
 * Returns the longest Crawl-delay in the groups of `binding`, which bind the crawler. If these groups have none, returns the longest
 * Crawl-delay in the groups for `*`, but only for a crawler that obeys such a Crawl-delay, such as bingbot. Ignores values that are not
 * numbers. Returns undefined if no value remains.
 */
export function crawlDelayOf(
  robots: RobotsTxt,
  { crawlDelay }: Pick<Question, "crawlDelay">,
  binding: readonly BindingGroup[],
): CrawlDelay | undefined {
  const bound = new Set(binding.map(({ fromLine }) => fromLine));
  const isBinding = ({ userAgents }: Group): boolean => bound.has(userAgents[0]?.line ?? 0);
  const own = delayIn(robots.groups.filter(isBinding), false);
  if (own !== undefined || crawlDelay !== "everybody") return own;
  const isEverybodys = (group: Group): boolean =>
    !isBinding(group) && group.userAgents.some(({ productToken }) => productToken === "*");
  return delayIn(robots.groups.filter(isEverybodys), true);
}

type Group = RobotsTxt["groups"][number];

function delayIn(groups: readonly Group[], isEverybodys: boolean): CrawlDelay | undefined {
  const found = crawlDelayIn(groups);
  return found === undefined ? undefined : { seconds: found.seconds, line: found.line, isEverybodys };
}

interface FileLines {
  /** Number of lines. The text after the last line end is a line too, even when it is empty. */
  readonly count: number;
  /** Returns the text of a line (numbered from 1) without its line end; empty if no such line exists. Invalid UTF-8 becomes U+FFFD. */
  textOf(line: number): string;
}

/** Finds the lines of a file. LF, CR and CRLF end a line. Takes time linear in the number of bytes. */
export function linesOf(bytes: Uint8Array): FileLines {
  const starts = [byteOrderMarkLengthOf(bytes)];
  for (let at = starts[0]!; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === 0x0a || (byte === 0x0d && bytes[at + 1] !== 0x0a)) starts.push(at + 1);
  }
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return {
    count: starts.length,
    textOf(line) {
      const start = starts[line - 1];
      if (start === undefined) return "";
      let end = starts[line] ?? bytes.length;
      if (line < starts.length) {
        end--;
        if (end > start && bytes[end] === 0x0a && bytes[end - 1] === 0x0d) end--;
      }
      return decoder.decode(bytes.subarray(start, end));
    },
  };
}

/** Returns the length of the byte order mark (EF BB BF) or a part of it at the start of the file. The parser skips these bytes. */
function byteOrderMarkLengthOf(bytes: Uint8Array): number {
  const mark = [0xef, 0xbb, 0xbf];
  let length = 0;
  while (length < mark.length && bytes[length] === mark[length] && length < bytes.length) length++;
  return length;
}
