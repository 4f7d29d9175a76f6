// Writes the group of a robots.txt that refuses crawlers, with comments about what the group does beyond that, and what it cannot do.
import { type Crawler, dataVersion } from "@robots-stream/agents";
import { shownWordOf } from "@robots-stream/engine/internal";
import { versionOf } from "../../version.ts";

/**
 * Returns the lines that refuse `chosen`: comments, a user-agent line for each crawler, and `Disallow: /`. `names` are the words by which
 * the crawlers were chosen, `all` the known crawlers.
 */
export function closingGroupOf(names: readonly string[], chosen: readonly Crawler[], all: readonly Crawler[]): string {
  const crawlers = [...new Set(chosen)];
  const tokens = crawlers.map(({ productToken }) => productToken);
  const listed = new Set(tokens.map((token) => token.toLowerCase()));
  const follows = ({ names: own }: Crawler): boolean => own.some((name) => listed.has(name.toLowerCase()));
  const namesOf = (some: readonly Crawler[]): readonly string[] => some.map(({ productToken }) => productToken);
  const several = crawlers.filter(({ purposes }) => purposes.length > 1);
  const others = all.filter((crawler) => !crawlers.includes(crawler) && follows(crawler));
  const comments: readonly (readonly [about: string, names: readonly string[]])[] = [
    ["Several purposes", several.map(({ productToken, purposes }) => `${productToken} (${purposes.join(", ")})`)],
    ["Also refused, unless the file has a group for them", namesOf(others)],
    ["Not bound by robots.txt, or not always", namesOf(crawlers.filter(({ bound }) => bound === "no"))],
    ["No source says whether these obey", namesOf(crawlers.filter(({ bound }) => bound === "undocumented"))],
  ];
  const what = names.map((name) => shownWordOf(name, 60)).join(", ");
  const lines = [
    `# Refuses ${what}: list of ${dataVersion}, robots-stream ${versionOf()}`,
    ...comments.flatMap(([about, some]) => (some.length === 0 ? [] : commentLines(about, some))),
    ...tokens.map((token) => `User-agent: ${token}`),
    "Disallow: /",
  ];
  return `${lines.join("\n")}\n`;
}

/** The maximum number of characters of a comment. */
const mostCharacters = 100;

/** Comments that name crawlers: "# No source says whether these obey: Bytespider, PanguBot". */
function commentLines(about: string, names: readonly string[]): readonly string[] {
  const lines = [`# ${about}:`];
  for (const [at, name] of names.entries()) {
    const word = ` ${name}${at < names.length - 1 ? "," : ""}`;
    const last = lines.at(-1)!;
    if (last.length + word.length > mostCharacters) lines.push(`#  ${word}`);
    else lines[lines.length - 1] = last + word;
  }
  return lines;
}
