// Runs the command `explain`, which explains for each crawler why each URL is allowed or not, and returns its exit code.
import { UsageError } from "@robots-stream/engine";
import { locateUrl, longestTarget, shownWordOf, type TargetForm } from "@robots-stream/engine/internal";
import { commandBody } from "../../cli/command-body.ts";
import { writeText } from "../../cli/ending.ts";
import { sayMistypedNames, sayWholeNames } from "../../cli/name-notes.ts";
import { type ParsedTarget, normalizeTarget } from "@robots-stream/url";
import { exitCodes } from "../../cli/exit-codes.ts";
import { isPrivateOrigin, privateOriginsSentence } from "../../cli/network/client.ts";
import { meantUrlOf, type FinderSurroundings, type FoundRobots, createFinder } from "../../cli/robots/sources.ts";
import { paintFor } from "../../cli/terminal.ts";
import { type Answer, type ReadRobots, answerOf, readRobots } from "./answer.ts";
import { explainFlags, type ExplainSettings, explainSettingsOf } from "./flags.ts";
import { jsonOf } from "./json.ts";
import { printedOf } from "./print.ts";

export const explainCommand = commandBody({
  name: "explain",
  flags: explainFlags,
  help: {
    start: `
robots-stream explain: why may this crawler fetch this URL, or why not?

Usage
  robots-stream explain URL … --agent TOKEN [flags]

Quotes the lines of robots.txt that decide: the user-agent lines that select the group, every rule that matches, the rule that wins and the runner-up. Also quotes the lines that state preferences about the use of the content.

Examples
  robots-stream explain https://example.com/page --agent bingbot
  robots-stream explain https://example.com/page --agent GPTBot --robots robots.txt
  robots-stream explain https://example.com/page --agent bingbot --dialect google,rfc9309 -o ndjson
`,
    exitCodes: {
      0: "every decision was explained",
      2: "wrong usage, nothing was fetched",
      3: "the output could not be written",
    },
    stopped: "",
  },
  async run(running) {
    const { env, signal, say, use, print } = running;
    const settings = await explainSettingsOf(running);
    const { urls, questions, crawlers, output, targetForm } = settings;
    const used = use([], output);
    const targets = urls.map((url) => targetOf(url, targetForm));
    sayMistypedNames(
      questions.map(({ agent }) => agent),
      say,
      crawlers,
    );
    sayWholeNames(questions, say, settings.agentSets);
    return print(output, used, async (stream) => {
      // Files that cannot be read are reported before anything is fetched.
      const page =
        settings.page === undefined ? undefined : await (await import("./page.ts")).readPage(settings.page, signal);
      const found = await findAll(settings, targets, { env, say, used, signal });
      if ([...found.values()].some(isPrivateOrigin)) say(privateOriginsSentence);
      const paint = paintFor(stream, env);
      let isFirst = true;
      for (const answer of answersOf(settings, targets, found)) {
        const text =
          output.format.name === "ndjson"
            ? jsonOf(answer, page?.objectOf(answer))
            : `${isFirst ? "" : "\n"}${printedOf(answer, paint)}${page?.textOf(answer) ?? ""}`;
        isFirst = false;
        await writeText(stream, text);
      }
      return exitCodes.done;
    });
  },
});

/** Yields one answer for each URL, dialect and crawler, grouped by URL and then by dialect. Parses a robots.txt once for each dialect. */
function* answersOf(
  { urls, questions }: ExplainSettings,
  targets: readonly ParsedTarget[],
  found: ReadonlyMap<string, FoundRobots>,
): Generator<Answer> {
  const dialects = new Set(questions.map(({ dialect }) => dialect));
  const read = new Map<string, ReadRobots>();
  for (const [at, target] of targets.entries()) {
    for (const dialect of dialects) {
      const key = `${dialect} ${target.origin}`;
      const robots = read.get(key) ?? readRobots(found.get(target.origin)!, dialect);
      read.set(key, robots);
      for (const question of questions) {
        if (question.dialect === dialect) yield answerOf(urls[at]!, target, question, robots);
      }
    }
  }
}

/** Returns the origin and target of a URL. For any other text, throws a `UsageError` that suggests the URL that the user may mean. */
function targetOf(url: string, form: TargetForm): ParsedTarget {
  const located = locateUrl(url);
  if (typeof located !== "string") {
    return form === "raw" ? located : { ...located, target: normalizeTarget(located.target) };
  }
  const shown = shownWordOf(url, 100);
  if (located === "url-too-long") {
    throw new UsageError(
      "wrong-value",
      `${shown}: path and query are longer than ${longestTarget.toLocaleString("en")} characters, percent-encoded`,
    );
  }
  const meant = meantUrlOf(url);
  throw new UsageError(
    "wrong-value",
    located === "unsupported-scheme"
      ? `${shown}: robots.txt applies to http, https and ftp URLs only`
      : `${shown}: this is not a URL`,
    meant === undefined ? "for example: https://example.com/page" : `did you mean ${shownWordOf(meant, 100)}?`,
  );
}

/** Finds the robots.txt of each distinct origin, and returns the results by origin. Requests each origin once. */
async function findAll(
  settings: ExplainSettings,
  targets: readonly ParsedTarget[],
  surroundings: FinderSurroundings,
): Promise<Map<string, FoundRobots>> {
  const { signal } = surroundings;
  const finder = await createFinder(settings.robots, surroundings);
  try {
    signal.throwIfAborted();
    const origins = [...new Set(targets.map(({ origin }) => origin))];
    const found = await Promise.all(
      origins.map(async (origin) => [origin, await finder.find(origin, signal)] as const),
    );
    return new Map(found);
  } finally {
    await finder.close();
  }
}
