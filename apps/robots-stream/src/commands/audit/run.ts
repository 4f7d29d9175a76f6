// Runs the command `audit`, which reads logs and reports which crawlers kept to robots.txt, and returns its exit code.
import { AuditCounter, documentOf } from "@robots-stream/audit";
import { type SeenRobots, UsageError, type UsedFiles, VersionRules } from "@robots-stream/engine/internal";
import type { CommandRun } from "../../shell/command.ts";
import { type CommandOutput, printTo } from "../../shell/command-output.ts";
import { exitCodeAfter, runToExitCode } from "../../shell/ending.ts";
import { usedFilesOf } from "../../shell/named-files.ts";
import { AuditFeed } from "./feed.ts";
import { type AuditSettings, auditSettingsOf } from "./flags.ts";
import { renderAuditHelp } from "./help.ts";
import { observe } from "./observed.ts";
import { readLogs } from "./read-logs.ts";
import { auditCrawlers, judgedCrawlers, registryVersion, usualDialect } from "./registry.ts";
import { writeReport } from "./render.ts";

/** Audits logs and resolves to the exit code. Never rejects: errors are written to stderr. */
export function runAudit(run: CommandRun): Promise<number> {
  const { argv, stdin, stdout, stderr } = run;
  return runToExitCode(run, async (say) => {
    const settings = auditSettingsOf(argv);
    if (settings === "help") return { help: renderAuditHelp() };
    if (settings.files.includes("-") && stdin.isTTY === true) {
      const hint = "for example: robots-stream audit access.log.gz --base https://shop.example";
      throw new UsageError("no-input", "name a log, or pipe one in", hint);
    }
    const { path } = settings.report.output;
    const reportTo = path === undefined ? stdout : undefined;
    const used = usedFilesOf(settings.namedFiles, { inputs: settings.files, stdin, stdout: reportTo, stderr });
    used.check();
    return printTo(path, stdout, used, (stream) => auditTo(stream, settings, { run, used, say }));
  });
}

interface Surroundings {
  readonly run: CommandRun;
  readonly used: UsedFiles;
  readonly say: (sentence: string) => void;
}

async function auditTo(
  stream: CommandOutput["stream"],
  settings: AuditSettings,
  { run, used, say }: Surroundings,
): Promise<number> {
  const { env, signal } = run;
  const seen = await observe(settings, used, { env, say, signal });
  try {
    return await auditBy(seen, stream, settings, { run, used, say });
  } finally {
    seen.close();
  }
}

async function auditBy(
  seen: SeenRobots,
  stream: CommandOutput["stream"],
  settings: AuditSettings,
  { run, say }: Surroundings,
): Promise<number> {
  const { stdin, env, signal } = run;
  const history = seen.timeline();
  const counter = new AuditCounter({ history, crawlers: auditCrawlers, queryValues: settings.queryValues });
  const rules = new VersionRules(judgedCrawlers, { tokenMatch: undefined, hasFallback: true });
  for (const version of seen.versions) rules.add(version, seen.rulesOf(version));
  const feed = new AuditFeed(counter, rules, settings);
  const { inputs, failures } = await readLogs(settings, feed, { stdin, say, signal });
  const document = documentOf(counter, {
    settings: { registry: registryVersion, ranges: null, dialect: usualDialect, candidate: null },
    inputs,
    textOf: (version) => seen.textOf(version),
  });
  const code = await writeReport(document, settings.report, stream, env);
  // The report is complete apart from these logs.
  return failures.reduce((worst, error) => Math.max(worst, exitCodeAfter(error, say)), code);
}
