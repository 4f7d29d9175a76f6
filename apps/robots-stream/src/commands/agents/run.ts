// Runs the command `agents`, which prints the known crawlers or the facts about one crawler, and returns its exit code.
import { type Crawler, type CrawlerList, crawlerSets } from "@robots-stream/agents";
import { UsageError } from "@robots-stream/engine";
import { crawlerListOf, printableOf, shownWordOf } from "@robots-stream/engine/internal";
import { commandBody } from "../../cli/command-body.ts";
import { namedSetsOf } from "../../cli/requested-agents.ts";
import { nearestOf } from "@robots-stream/core/internal";
import { crawlersFlag } from "../../cli/question-settings.ts";
import { columnsOf } from "../../cli/terminal.ts";
import { outputFlags, outputOf, textFormats } from "../../cli/output-format.ts";
import { closingGroupOf, cardOf, jsonOf, tableOf } from "./print.ts";

/** The output formats: for people, for programs, and the lines of robots.txt that refuse the crawlers. */
const agentsFormats: readonly [AgentsFormat, ...AgentsFormat[]] = [...textFormats, { name: "robots" }];

interface AgentsFormat {
  readonly name: "text" | "ndjson" | "robots";
}

const width = Math.max(...crawlerSets.map(({ name }) => name.length)) + 2;

export const agentsCommand = commandBody({
  name: "agents",
  flags: [crawlersFlag, ...outputFlags(agentsFormats)],
  help: {
    start: `
robots-stream agents: which crawlers are known?

Usage
  robots-stream agents                  all known crawlers
  robots-stream agents NAME …           facts about one crawler, with sources
  robots-stream agents SET              the crawlers of a set
  robots-stream agents "HEADER"         the crawler that sends this User-Agent header

Examples
  robots-stream agents Googlebot-Image
  robots-stream agents ai-training --output ndjson
  robots-stream agents ai-training --output robots    the group of robots.txt that refuses them
  robots-stream agents "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"
`,
    end: `
Columns of the list
  ${"token".padEnd(width)}product token: the crawler's name in robots.txt
  ${"obeys".padEnd(width)}whether the crawler obeys robots.txt: yes; own-group: only a group that names it; by-name: a group that names it, otherwise another rule; no: not, or not always; undocumented
  ${"other groups".padEnd(width)}the groups that apply, in this order, if robots.txt has none for the token

Sets
${crawlerSets.map(({ name, about, crawlers: members }) => `  ${name.padEnd(width)}${about} (${members.length})`).join("\n")}
`,
    exitCodes: {
      0: "the crawlers were printed",
      2: "wrong usage, or no such crawler",
      3: "the output could not be written",
    },
  },
  async run({ flags, values, files: names, env, stdout, printText }) {
    const output = outputOf(values, agentsFormats);
    const { format, path } = output;
    const list = crawlerListOf(flags.get("crawlers"));
    const found = names.map((name) => namedBy(name, list));
    if (format.name === "robots" && names.length === 0) {
      const hint = "for example: robots-stream agents ai-training --output robots";
      throw new UsageError(
        "wrong-value",
        "--output robots refuses the crawlers that are named: name a set or a crawler",
        hint,
      );
    }
    const columns = path === undefined ? columnsOf(stdout, env) : undefined;
    const texts = {
      text: () => textOf({ names, found, list, columns }),
      ndjson: () => jsonOf(names.length === 0 ? list.crawlers : found.flat()),
      robots: () => closingGroupOf(names, found.flat(), list.crawlers),
    };
    const text = texts[format.name]();
    return printText(output, text);
  },
});

/** The names on the command line, the crawlers that each name means, all known crawlers, and the width of the terminal. */
interface Asked {
  readonly names: readonly string[];
  readonly found: readonly (readonly Crawler[])[];
  readonly list: CrawlerList;
  readonly columns: number | undefined;
}

function textOf({ names, found, list, columns }: Asked): string {
  const { length } = list.crawlers;
  if (names.length === 0) return tableOf(list.crawlers, length, columns);
  const texts = found.map((crawlers, at) => {
    const [only] = crawlers;
    const isOne = only !== undefined && namedSetsOf(names[at]!) === undefined;
    return isOne ? cardOf(only) : tableOf(crawlers, length, columns);
  });
  return texts.join("\n");
}

/**
 * Returns the crawlers that `name` means. `name` is a product token, the name of a set, or a User-Agent header; for anything else, throws a
 * `UsageError`.
 */
function namedBy(
  name: string,
  { crawlers, crawlerOf, productTokenOf, unknownProductTokenOf }: CrawlerList,
): readonly Crawler[] {
  const crawler = crawlerOf(name);
  if (crawler !== undefined) return [crawler];
  const sets = namedSetsOf(name);
  if (sets !== undefined) return [...new Set(sets.flatMap((set) => set.crawlers))];
  const token = productTokenOf(name);
  const sender = token === undefined ? undefined : crawlerOf(token);
  if (sender !== undefined) return [sender];
  const unknown = /[/();\s]/.test(name) ? unknownProductTokenOf(name) : undefined;
  if (unknown !== undefined) {
    throw new UsageError(
      "wrong-value",
      `${shownWordOf(name, 100)}: the header of an unknown crawler, ${unknown}`,
      `--agent-field decides its requests as ${unknown}; --crawlers FILE adds crawlers to the known ones`,
    );
  }
  const known = [...crawlers.map((each) => each.productToken), ...crawlerSets.map((each) => each.name)];
  // `nearestOf` prefers names that begin with the typed text: for "googlebot-imag", Googlebot-Image comes before Googlebot.
  const near = [...new Set(nearestThree(name, known))].map((word) => printableOf(word, 60));
  throw new UsageError(
    "wrong-value",
    `${shownWordOf(name, 100)}: no crawler of this name is known`,
    near.length === 0 ? "robots-stream agents lists the known crawlers" : `did you mean ${near.join(", ")}?`,
  );
}

/** Returns up to three of `words` that are similar to `typed`, the most similar first. */
function nearestThree(typed: string, words: readonly string[]): readonly string[] {
  const found: string[] = [];
  let left = words;
  while (found.length < 3) {
    const near = nearestOf(typed, left);
    if (near === undefined) break;
    found.push(near);
    left = left.filter((word) => word !== near);
  }
  return found;
}
