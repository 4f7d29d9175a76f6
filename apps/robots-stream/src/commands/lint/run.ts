// Runs the command `lint`, which reports the findings in each robots.txt, and returns its exit code.
import { commandBody } from "../../cli/command-body.ts";
import { writeText } from "../../cli/ending.ts";
import { flag } from "../../cli/flag.ts";
import { fewOriginsFlags, networkSettingsOf } from "../../cli/network/flags.ts";
import { outputFlags, outputOf } from "../../cli/output-format.ts";
import { refuseWithSaved, robotsFlag } from "../../cli/robots/flags.ts";
import { oneOf } from "../../cli/values.ts";
import type { Writable } from "node:stream";
import { type FindingSeverity, lint } from "@robots-stream/core/lint";
import { printableOf, reasonOf } from "@robots-stream/engine/internal";
import { plainCountText } from "../../cli/figures.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { lintFormats, type LintFormat } from "./formats.ts";
import { type OpenSource, isUrl, openSources } from "../../cli/robots/sources.ts";

/** The severities, lowest first. */
const lintSeverities: readonly FindingSeverity[] = ["info", "warning", "error"];

/** The severities that `--fail-on` takes, and "none": findings do not change the exit code. */
const failSeverities = ["error", "warning", "none"] as const;

export const lintCommand = commandBody({
  name: "lint",
  flags: [
    ...outputFlags(lintFormats),
    flag({
      name: "level",
      value: "SEVERITY",
      choices: lintSeverities,
      about: `Lowest severity to report: ${lintSeverities.join(", ")}.`,
      otherwise: "info",
      read: oneOf(lintSeverities),
      usual: "info",
    }),
    flag({
      name: "fail-on",
      value: "SEVERITY",
      choices: failSeverities,
      about: `Exit with 1 if there is a finding of this severity or a higher one: ${failSeverities.join(", ")}.`,
      otherwise: "error",
      read: oneOf(failSeverities),
      usual: "error",
    }),
    {
      ...robotsFlag,
      about: "Read the robots.txt of a URL from saved files or an archive, not from the network.",
      otherwise: "the robots.txt is fetched",
    },
    ...fewOriginsFlags,
  ],
  help: {
    start: `
robots-stream lint: what is wrong with this robots.txt?

Usage
  robots-stream lint FILE|URL|- … [flags]
  … | robots-stream lint [flags]

Reports misspellings, rules without an effect, groups with an unexpected effect, and invalid bytes. For a URL, the robots.txt of its origin is fetched. docs/LINT.md explains each finding with examples.

Examples
  robots-stream lint robots.txt --fail-on warning
  robots-stream lint https://example.com --level warning
  robots-stream lint public/robots.txt --output-file robots.sarif
`,
    end: `
Formats
${lintFormats.map(({ name, about }) => `  ${name.padEnd(8)}${about}`).join("\n")}
`,
    exitCodes: {
      0: "everything was read, without a finding of --fail-on",
      1: "everything was read, and there is a finding of --fail-on: an error, by default",
      2: "wrong usage, nothing was read",
      3: "something could not be read or written",
    },
    stopped: "",
  },
  async run({ flags, values, env, stdin, signal, say, inputs, use, print }) {
    refuseWithSaved(values);
    const output = outputOf(values, lintFormats);
    const settings = { format: output.format, level: flags.get("level"), failOn: flags.get("fail-on") };
    const network = networkSettingsOf(values);
    const names = inputs("name a robots.txt", "robots-stream lint robots.txt");
    const used = use(
      names.filter((name) => !isUrl(name)),
      output,
    );
    const sources = openSources(names, { stdin, network, robotsPath: flags.get("robots"), used, env, say });
    return print(output, used, (stream) => lintAll(settings, sources, stream, say, signal));
  },
});

interface LintSettings {
  readonly format: LintFormat;
  readonly level: FindingSeverity;
  readonly failOn: (typeof failSeverities)[number];
}

async function lintAll(
  { format, level, failOn }: LintSettings,
  sources: readonly OpenSource[],
  stdout: Writable,
  say: (sentence: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const counts: Record<FindingSeverity, number> = { error: 0, warning: 0, info: 0 };
  const writer = format.createWriter();
  let read = 0;
  let unread = 0;
  for (const source of sources) {
    let bytes: Uint8Array | undefined;
    try {
      bytes = await source.read(signal);
    } catch (error) {
      signal.throwIfAborted();
      say(printableOf(reasonOf(error), 500));
      unread++;
      continue;
    }
    if (bytes === undefined) continue;
    read++;
    const findings = lint(bytes);
    for (const { severity } of findings) counts[severity]++;
    await writeText(
      stdout,
      writer.file({ source, findings: findings.filter(({ severity }) => isAtLeast(severity, level)) }),
    );
  }
  await writeText(stdout, writer.end());
  if (format.name === "text" && read > 0) {
    say(`${countsInWords(counts)} in ${plainCountText(read, "file")}`);
  }
  if (unread > 0) return exitCodes.failed;
  const isMet = failOn !== "none" && (counts.error > 0 || (failOn === "warning" && counts.warning > 0));
  return isMet ? exitCodes.conditionMet : exitCodes.done;
}

function isAtLeast(severity: FindingSeverity, least: FindingSeverity): boolean {
  return lintSeverities.indexOf(severity) >= lintSeverities.indexOf(least);
}

/** Returns the counts of findings as text: "2 errors, 1 warning, 3 infos". */
function countsInWords(counts: Readonly<Record<FindingSeverity, number>>): string {
  const words = lintSeverities
    .toReversed()
    .filter((severity) => counts[severity] > 0)
    .map((severity) => plainCountText(counts[severity], severity));
  return words.length === 0 ? "nothing found" : words.join(", ");
}
