// Renders an explanation as one line of JSON for programs.
import type { RuleMatch } from "@robots-stream/core";
import { visibleJsonOf } from "@robots-stream/core/internal";
import type { Answer } from "./answer.ts";

/**
 * Returns an explanation as one line of JSON. `page`: the page's directives; undefined if they were not requested. Control characters are
 * escaped, so the line is safe to print on a terminal.
 */
export function jsonOf(answer: Answer, page?: object | null): string {
  const { url, origin, question, read, trace, sentence, passedOver, crawlDelay, usage } = answer;
  const { found, dialect, lines, formatInstead } = read;
  const { decision, path, ground, groups, matches, winner, runnerUp } = trace;
  const matchOf = ({ rule, pattern, octets, productToken }: RuleMatch): object => ({
    line: rule.line,
    type: rule.type,
    pattern: rule.pattern,
    // Present if the pattern that matched is not the pattern in the file: a rule about an index file also matches as its folder.
    ...(pattern === rule.pattern ? {} : { matchedAs: pattern }),
    octets,
    productToken,
    text: lines.textOf(rule.line),
  });
  const json = JSON.stringify({
    url,
    agent: question.agent,
    ...(question.kind === undefined ? {} : { kind: question.kind }),
    names: question.names,
    boundByEverybody: question.boundByEverybody,
    bound: question.bound,
    tokenMatch: question.tokenMatch,
    dialect,
    allowed: decision.allowed,
    because: decision.because,
    sentence,
    origin,
    robotsTxt: {
      [found.isSaved ? "file" : "url"]: found.place,
      access: found.access,
      code: found.code,
      ...(found.status === undefined ? {} : { status: found.status }),
      ...(found.isSaved ? {} : { hops: found.hops }),
      ...(found.body === undefined ? {} : { bytes: found.body.length, truncated: found.truncated }),
      ...(formatInstead === undefined ? {} : { formatInstead }),
    },
    path,
    crawlDelay: crawlDelay ?? null,
    usage: usage ?? null,
    ground,
    groups: groups.map((group) => ({
      ...group,
      userAgents: group.userAgents.map((userAgent) => ({ ...userAgent, text: lines.textOf(userAgent.line) })),
    })),
    passedOver,
    matches: matches.map(matchOf),
    winner: winner === undefined ? null : matchOf(winner),
    runnerUp: runnerUp === undefined ? null : matchOf(runnerUp),
    page,
  });
  return `${visibleJsonOf(json)}\n`;
}
