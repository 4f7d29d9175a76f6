// Runs the command `explain`, which explains for each crawler why each URL is allowed or not, and returns its exit code.
import { UsageError } from "@robots-stream/engine";
import { locateUrl, longestTarget, shownWordOf, type TargetForm } from "@robots-stream/engine/internal";
import { runToExitCode, writeText } from "../../cli/ending.ts";
import { sayMistypedNames, sayWholeNames } from "../../cli/name-notes.ts";
import { type ParsedTarget, normalizeTarget } from "@robots-stream/url";
import type { CommandRun } from "../../cli/command.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { printTo } from "../../cli/command-output.ts";
import { isPrivateOrigin, privateOriginsSentence } from "../../cli/network/private-origins.ts";
import { usedFilesOf } from "../../cli/named-files.ts";
import { meantUrlOf } from "../../cli/meant-url.ts";
import { paintFor } from "../../cli/colours.ts";
import { type Answer, type ReadRobots, answerOf, readRobots } from "./answer.ts";
import { type ExplainSettings, explainSettingsOf, renderExplainHelp } from "./flags.ts";
import { type FinderSurroundings, type FoundRobots, createFinder } from "../../cli/robots/found.ts";
import { jsonOf } from "./json.ts";
import { printedOf, styleOf } from "./print.ts";

/** Explains and resolves to the exit code. Never rejects: errors are written to stderr. */
export function runExplain(run: Omit<CommandRun, "stdin">): Promise<number> {
  const { argv, env, stdout, stderr, signal } = run;
  return runToExitCode(run, async (say) => {
    const settings = await explainSettingsOf(argv, signal);
    if (settings === "help") return { help: renderExplainHelp() };
    const { urls, questions, crawlers, namedFiles, output, targetForm } = settings;
    const rowsTo = output.path === undefined ? stdout : undefined;
    const used = usedFilesOf(namedFiles, { inputs: [], stdout: rowsTo, stderr });
    used.check();
    const targets = urls.map((url) => targetOf(url, targetForm));
    sayMistypedNames(questions, say, crawlers);
    sayWholeNames(questions, say, settings.agentSets);
    return printTo(output, stdout, used, async (stream) => {
      const stopping = signal ?? new AbortController().signal;
      // Files that cannot be read are reported before anything is fetched.
      const page =
        settings.page === undefined ? undefined : await (await import("./page.ts")).readPage(settings.page, signal);
      const found = await findAll(settings, targets, { env, say, used, signal: stopping });
      if ([...found.values()].some(isPrivateOrigin)) say(privateOriginsSentence);
      const style = styleOf(paintFor(stream, env));
      let isFirst = true;
      for (const answer of answersOf(settings, targets, found)) {
        const text =
          output.format.name === "ndjson"
            ? jsonOf(answer, page?.objectOf(answer))
            : `${isFirst ? "" : "\n"}${printedOf(answer, style)}${page?.textOf(answer) ?? ""}`;
        isFirst = false;
        await writeText(stream, text);
      }
      return exitCodes.done;
    });
  });
}

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
