// Defines the flags of `test`, converts a command line to settings, and renders the help.
import type { DialectName } from "@robots-stream/core";
import { UsageError } from "@robots-stream/engine";
import { dialectNames, type UsedFile } from "@robots-stream/engine/internal";
import { choiceOf, type FlagShape, lastOf, parseCommandLine } from "../../cli/command-line.ts";
import { renderRows } from "../../cli/flag-help.ts";
import { filesOfFlags } from "../../cli/named-files.ts";
import { type NetworkFlagName, networkFlags } from "../../cli/network/flags.ts";
import { type NetworkSettings, networkSettingsOf } from "../../cli/network/settings.ts";
import { type NamedFormat, type Output, type OutputFlagName, outputFlags, outputOf } from "../../cli/output-format.ts";
import { readAgents } from "../../cli/question-settings.ts";
import { oneDialectFlag, sharedFlag } from "../../cli/shared-flags.ts";

export interface TestFormat extends NamedFormat {
  readonly name: "text" | "json" | "github";
}

const formats: readonly [TestFormat, ...TestFormat[]] = [{ name: "text" }, { name: "json" }, { name: "github" }];

type TestFlagName = OutputFlagName | "agent" | "agents" | "dialect" | NetworkFlagName | "help";

/** Every flag, in the order of the help. */
export const testFlags: readonly FlagShape<TestFlagName>[] = [
  ...outputFlags(formats),
  {
    ...sharedFlag("agent"),
    about: "Crawler that must be allowed to fetch every URL of a sitemap. Several: A,B.",
    otherwise: "Googlebot",
  },
  sharedFlag("agents"),
  oneDialectFlag,
  // `--concurrency` is omitted, because the robots.txt of only one origin is requested.
  ...networkFlags.filter(({ name }) => name !== "concurrency"),
  { name: "help", short: "h", about: "Print this." },
];

export interface TestSettings {
  readonly robots: string;
  readonly tests: readonly string[];
  readonly output: Output<TestFormat>;
  /** The crawlers for which the URLs of sitemaps are decided. */
  readonly agents: readonly string[];
  readonly dialect: DialectName;
  readonly network: NetworkSettings;
  readonly namedFiles: readonly UsedFile[];
}

/**
 * Parses a command line. Resolves to `"help"` when `--help` is given. Rejects with a `UsageError` for the first mistake, and with the
 * signal's reason.
 */
export async function testSettingsOf(argv: readonly string[], signal?: AbortSignal): Promise<TestSettings | "help"> {
  const { values, files } = parseCommandLine(testFlags, argv, "robots-stream test");
  if (values.has("help")) return "help";
  const [robots, ...tests] = files;
  if (robots === undefined || tests.length === 0) {
    const hint = "for example: robots-stream test robots.txt robots.test.txt";
    throw new UsageError("no-input", "name a robots.txt and a file of tests or a sitemap", hint);
  }
  return {
    robots,
    tests,
    output: outputOf(values, formats),
    agents: await readAgents(values, ["Googlebot"], signal),
    dialect: choiceOf("dialect", lastOf(values, "dialect") ?? "google", dialectNames),
    network: networkSettingsOf(values),
    namedFiles: filesOfFlags(testFlags, values),
  };
}

export function renderTestHelp(): string {
  return `robots-stream test: does this robots.txt decide as expected?

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

Flags
${renderRows(testFlags)}

Exit codes
  0    every test passed
  1    a test failed
  2    wrong usage, or a line that is not a valid test: nothing was tested
  3    something could not be read or written
  130  stopped by Ctrl-C
  143  stopped by SIGTERM
`;
}
