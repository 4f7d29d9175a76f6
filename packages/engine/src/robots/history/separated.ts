// Finds the reading of a robots.txt in which lines other than rules end a group, as some parsers read it.
import type { RobotsTxt } from "@robots-stream/core";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const hash = 0x23;
const space = 0x20;
const tab = 0x09;

/** A rule that matches nothing. It ends a run of user-agent lines in every dialect. */
const emptyRule = Buffer.from("Disallow:\n");

/**
 * A file in which a blank line, or a line such as Crawl-delay, ends a run of user-agent lines: an empty rule stands before the user-agent line
 * that follows. In RFC 9309 and in Google's parser, only a rule ends the run, so that the rules below bind the crawlers of all these lines;
 * parsers that follow the drafts before the standard differ. Undefined for a file without such lines, which all read alike.
 *
 * @param robots the file, parsed
 */
export function separatedOf(body: Uint8Array, robots: RobotsTxt | undefined): Uint8Array | undefined {
  const starts = lineStartsOf(body);
  const pieces: Uint8Array[] = [];
  let end = 0;
  for (const { userAgents } of robots?.groups ?? []) {
    for (const [at, { line }] of userAgents.entries()) {
      const before = userAgents[at - 1]?.line ?? line;
      const isJoined = starts.slice(before, line - 1).some((start) => !isComment(body, start));
      if (!isJoined) continue;
      const start = starts[line - 1]!;
      pieces.push(body.subarray(end, start), emptyRule);
      end = start;
    }
  }
  return pieces.length === 0 ? undefined : Buffer.concat([...pieces, body.subarray(end)]);
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

function isComment(body: Uint8Array, start: number): boolean {
  let at = start;
  while (body[at] === space || body[at] === tab) at++;
  return body[at] === hash;
}
