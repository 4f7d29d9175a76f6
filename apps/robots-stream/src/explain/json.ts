// An explanation in, one line of JSON for programs out.
import type { RuleMatch } from "@robots-stream/core";
import type { Answer } from "./answer.ts";

/** An explanation as one line of JSON. What a terminal might obey is escaped, so that the line can be looked at, too. */
export function jsonOf({ url, origin, question, read, trace, sentence, passedOver, crawlDelay }: Answer): string {
  const { found, dialect, lines } = read;
  const { decision, path, ground, groups, matches, winner, runnerUp } = trace;
  const matchOf = ({ rule, pattern, octets, productToken }: RuleMatch): object => ({
    line: rule.line,
    type: rule.type,
    pattern: rule.pattern,
    // An index file's rule that matches as its folder.
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
    },
    path,
    crawlDelay: crawlDelay ?? null,
    ground,
    groups: groups.map((group) => ({
      ...group,
      userAgents: group.userAgents.map((userAgent) => ({ ...userAgent, text: lines.textOf(userAgent.line) })),
    })),
    passedOver,
    matches: matches.map(matchOf),
    winner: winner === undefined ? null : matchOf(winner),
    runnerUp: runnerUp === undefined ? null : matchOf(runnerUp),
  });
  // Only strings hold such characters, and there an escape means the same.
  const escaped = json.replaceAll(
    /[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${escaped}\n`;
}
