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
} from "@robots-stream/core";
import { formatInsteadOf } from "@robots-stream/core/internal";
import { type Usage, createPreferences } from "@robots-stream/preferences";
import type { ParsedTarget } from "@robots-stream/url";
import { type CrawlDelay, crawlDelayOf } from "./crawl-delay.ts";
import { matchersOf, printableOf, type Question } from "@robots-stream/engine/internal";
import type { FoundRobots } from "../../cli/robots/found.ts";
import { type FileLines, linesOf } from "./lines.ts";

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
