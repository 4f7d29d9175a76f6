// Runs the command `test`, which compares the decisions of a robots.txt with expected decisions, and returns its exit code.
import { UsageError } from "@robots-stream/engine";
import {
  isFolder,
  openSource,
  printableOf,
  shownWordOf,
  readFileStart,
  reasonOf,
} from "@robots-stream/engine/internal";
import { parseTarget } from "@robots-stream/url";
import { statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { commandBody, type InputRun } from "../../cli/command-body.ts";
import { fewOriginsFlags, networkSettingsOf } from "../../cli/network/flags.ts";
import { outputFlags, outputOf } from "../../cli/output-format.ts";
import { agentFlag, agentsFlag, oneDialectFlag, readAgents } from "../../cli/question-settings.ts";
import { paintFor } from "../../cli/terminal.ts";
import { endedBySignals, exitCodes } from "../../cli/exit-codes.ts";
import { writeText } from "../../cli/ending.ts";
import { countText } from "../../cli/figures.ts";
import { sayMistypedNames } from "../../cli/name-notes.ts";
import { readAll } from "../../cli/read-all.ts";
import { isUrl, openSources } from "../../cli/robots/sources.ts";
import { type TestedRobots, testedRobotsOf, testSitemap } from "./sitemaps.ts";
import { type DecisionTest, parseTests } from "./parse-tests.ts";
import { printedOf, type TestedSitemap, type TestFailure, type TestFormat, type TestResults } from "./print.ts";

const mostTestBytes = 64 * 1_048_576;
const mostMistakes = 10;
/** The longest time in which no signal is heard. */
const mostMsWithoutTurn = 100;

/** The first bytes of a sitemap as characters: XML in UTF-8 or UTF-16, or the magic bytes of gzip or zstd. */
const sitemapBeginnings = ["<", "\0<", "\u001F\u008B", "(\u00B5/\u00FD"];

const formats: readonly [TestFormat, ...TestFormat[]] = [{ name: "text" }, { name: "json" }, { name: "github" }];

export const testCommand = commandBody({
  name: "test",
  flags: [
    ...outputFlags(formats),
    {
      ...agentFlag,
      about: "Crawler that must be allowed to fetch every URL of a sitemap. Several: A,B.",
      otherwise: "Googlebot",
    },
    agentsFlag,
    oneDialectFlag,
    ...fewOriginsFlags,
  ],
  help: {
    start: `
robots-stream test: does this robots.txt decide as expected?

Usage
  robots-stream test ROBOTS TESTS … [flags]

ROBOTS is a file, a URL, or - for stdin. TESTS are files with one test per line (also a named pipe, or - for stdin), or sitemaps, whose URLs must all be allowed.

  # comment
  allow     Googlebot  https://shop.example/shoes
  disallow  GPTBot     /private/x                  by 4

Examples
  robots-stream test robots.txt robots.test.txt
  robots-stream test robots.txt sitemap.xml --agent Googlebot,bingbot
  robots-stream test https://shop.example robots.test.txt -o github
`,
    exitCodes: {
      0: "every test passed",
      1: "a test failed",
      2: "wrong usage, or a line that is not a valid test: nothing was tested",
      3: "something could not be read or written",
    },
    stopped: "",
  },
  async run(running) {
    const { flags, values, env, stdin, say, signal, use, print } = running;
    const [name, ...paths] = running.files;
    if (name === undefined || paths.length === 0) {
      const hint = "for example: robots-stream test robots.txt robots.test.txt";
      throw new UsageError("no-input", "name a robots.txt and a file of tests or a sitemap", hint);
    }
    const output = outputOf(values, formats);
    const agents = await readAgents(values, ["Googlebot"], signal);
    const network = networkSettingsOf(values);
    const used = use(
      [name, ...paths].filter((each) => !isUrl(each)),
      output,
    );
    const files = paths.map((path): TestFile => {
      const isPipe = isPipeOrStdin(path);
      return { path, isPipe, tests: isPipe ? undefined : testsIn(path, say) };
    });
    const [source] = openSources([name], { stdin, network, robotsPath: undefined, used, env, say });
    return print(output, used, async (stream) => {
      // An origin without a robots.txt is tested like an empty file, which also allows everything.
      const body = (await source!.read(signal)) ?? new Uint8Array();
      const robots = testedRobotsOf(body, flags.get("dialect"));
      const results = await testAll({ name, agents }, robots, files, running);
      sayMistypedNames(robots.productTokens(), say);
      const printed = printedOf({ robots: source!, ...results }, output.format.name, paintFor(stream, env));
      await writeText(stream, printed);
      return results.failed > 0 ? exitCodes.conditionMet : exitCodes.done;
    });
  },
});

/** A file and its tests. `tests` is undefined for a sitemap, and for a pipe or stdin, which is read only when its turn comes. */
interface TestFile {
  readonly path: string;
  readonly isPipe: boolean;
  readonly tests: readonly DecisionTest[] | undefined;
}

async function testAll(
  { name, agents }: { readonly name: string; readonly agents: readonly string[] },
  robots: TestedRobots,
  files: readonly TestFile[],
  { stdin, say, signal }: InputRun,
): Promise<Omit<TestResults, "robots">> {
  const origin = isUrl(name) ? parseTarget(name)?.origin : undefined;
  const failures: TestFailure[] = [];
  const sitemaps: TestedSitemap[] = [];
  let count = 0;
  let failed = 0;
  let turnAt = performance.now() + mostMsWithoutTurn;
  for (const { path, isPipe, tests: known } of files) {
    const tests = isPipe ? await testsInPipe(path, { stdin, say, signal }) : known;
    if (tests === undefined) {
      const {
        urls,
        blocked,
        failures: ofUrls,
        skipped,
      } = await testSitemap(path, robots, { agents, origin, stdin, signal });
      sitemaps.push({ file: path, urls, skipped, blocked: Object.fromEntries(blocked) });
      count += agents.length * urls;
      failed += [...blocked.values()].reduce((sum, each) => sum + each, 0);
      for (const failure of ofUrls) failures.push(failure);
      continue;
    }
    for (const test of tests) {
      if (origin !== undefined && test.origin !== undefined && test.origin !== origin) {
        const where = `${shownWordOf(path)}:${test.line}`;
        throw new UsageError(
          "wrong-value",
          `${where}: ${printableOf(test.url, 200)} does not belong to ${origin}, whose robots.txt is tested`,
        );
      }
      if (performance.now() > turnAt) {
        await setImmediate();
        signal.throwIfAborted();
        turnAt = performance.now() + mostMsWithoutTurn;
      }
      const decision = robots.decide(test.productToken, test.target);
      count++;
      const line = decision.because === "rule" ? decision.rule.line : undefined;
      if (decision.allowed === test.isAllowed && (test.by === undefined || test.by === line)) continue;
      failed++;
      failures.push({ ...test, file: path, decision });
    }
  }
  if (count === 0) say("the files contain no tests");
  return { tests: count, failed, failures, sitemaps };
}

/**
 * Reads the tests in a file. Returns undefined for a sitemap, which begins with "<" or is compressed. Throws a `UsageError` for a file that
 * cannot be read, and for a file with a line that is not a test.
 */
function testsIn(path: string, say: (sentence: string) => void): readonly DecisionTest[] | undefined {
  const shown = shownWordOf(path);
  let bytes: Uint8Array;
  try {
    if (statSync(path).isDirectory()) throw isFolder(path);
    bytes = readFileStart(path, mostTestBytes + 1);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError("unreadable-input", `${shown}: ${reasonOf(error)}`);
  }
  return testsOf(bytes, shown, say);
}

/** Whether tests come from stdin or from a named pipe, which are read without blocking, so that a signal ends the run. */
function isPipeOrStdin(path: string): boolean {
  try {
    return path === "-" || statSync(path).isFIFO();
  } catch {
    // `testsIn` reports why the file cannot be read.
    return false;
  }
}

/** Reads the tests in a named pipe or on stdin. Rejects as `testsIn` throws, and with the signal's reason. */
async function testsInPipe(path: string, { stdin, say, signal }: InputRun): Promise<readonly DecisionTest[]> {
  const shown = path === "-" ? "<stdin>" : shownWordOf(path);
  const bytes = await readAll(openSource(path, stdin), mostTestBytes + 1, shown, signal);
  const tests = testsOf(bytes, shown, say);
  if (tests === undefined) throw new UsageError("unusable-input", `${shown}: a sitemap must be given as a file`);
  return tests;
}

function testsOf(
  bytes: Uint8Array,
  shown: string,
  say: (sentence: string) => void,
): readonly DecisionTest[] | undefined {
  const start = Buffer.from(bytes.subarray(0, 1_000))
    .toString("latin1")
    .replace(/^(?:\u00EF\u00BB\u00BF|\u00FF\u00FE|\u00FE\u00FF)/, "");
  if (sitemapBeginnings.some((beginning) => start.trimStart().startsWith(beginning))) return undefined;
  if (bytes.length > mostTestBytes)
    throw new UsageError("unusable-input", `${shown}: is too large for a file of tests`);
  const { tests, mistakes } = endedBySignals(() => parseTests(Buffer.from(bytes).toString("utf8")));
  const sentences = mistakes.slice(0, mostMistakes).map(({ line, message }) => `${shown}:${line}: ${message}`);
  const last = sentences.pop();
  if (last === undefined) return tests;
  for (const sentence of sentences) say(sentence);
  const more = mistakes.length - mostMistakes;
  throw new UsageError(
    "wrong-value",
    last,
    more > 0 ? `and ${countText(more, "more line")} ${more === 1 ? "is not a test" : "are not tests"}` : undefined,
  );
}
