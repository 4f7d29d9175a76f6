// Runs the command `audit`, which reads logs and reports which crawlers obeyed robots.txt, and returns its exit code.
import { AuditCounter, type AuditDocument, documentOf, limitsFor } from "@robots-stream/audit";
import { UsageError } from "@robots-stream/engine";
import {
  beginningOfFile,
  type RobotsSource,
  type SeenRobots,
  type UsedFiles,
  VersionRules,
  usualReading,
  withOtherScheme,
} from "@robots-stream/engine/internal";
import { AuditSink } from "@robots-stream/engine/audit";
import type { CommandRun } from "../../cli/command.ts";
import { printTo } from "../../cli/command-output.ts";
import { endedBySignals } from "../../cli/ended-by-signals.ts";
import { exitCodeAfter, runToExitCode } from "../../cli/ending.ts";
import { agentNotesOf } from "../../cli/agent-notes.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { DamagedOrigins } from "../../cli/robots/damaged-origins.ts";
import { logClockOf, timeNotesOf } from "../../cli/log-timezone.ts";
import { usedFilesOf } from "../../cli/named-files.ts";
import { createNetworkSource } from "../../cli/network/network.ts";
import type { RecordVerifier } from "../../cli/verify/open-verifier.ts";
import { type AuditSettings, auditSettingsOf } from "./flags.ts";
import { renderAuditHelp } from "./help.ts";
import { GrowingHistory } from "./growing-history.ts";
import { observe } from "../../cli/audit/observed.ts";
import { readLogs } from "./read-logs.ts";
import { auditCrawlers, judgedCrawlers, registryVersion } from "../../cli/audit/registry.ts";
import { type Candidates, readCandidates } from "./candidates.ts";
import { writeReport } from "../../cli/audit/render.ts";
import { writeSplit } from "../../cli/audit/split.ts";
import { lintRowsOf } from "../../cli/audit/lint-rows.ts";

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
    const surroundings = { run, used, say };
    if (settings.report.isSplit) {
      const { document, worst } = await auditOf(settings, surroundings);
      const { files: inputs, namedFiles } = settings;
      return Math.max(worst, await writeSplit(document, settings.report, { run, inputs, namedFiles }));
    }
    return printTo(settings.report.output, stdout, used, async (stream) => {
      const { document, worst } = await auditOf(settings, surroundings);
      return Math.max(worst, await writeReport(document, settings.report, stream, run));
    });
  });
}

/** With `--fetch`, the limits of the counter are those for at least this number of hosts. */
const usualHosts = 1_000;

interface Surroundings {
  readonly run: CommandRun;
  readonly used: UsedFiles;
  readonly say: (sentence: string) => void;
}

/**
 * The document of an audit. `worst`: the highest exit code among inputs that ended in an error, else 0. The document includes such an input
 * up to the error.
 */
interface Audited {
  readonly document: AuditDocument;
  readonly worst: number;
}

async function auditOf(settings: AuditSettings, surroundings: Surroundings): Promise<Audited> {
  const { run, used, say } = surroundings;
  const { env, signal } = run;
  // A log that cannot be opened is reported before anything is fetched.
  for (const path of settings.files) if (path !== "-") beginningOfFile(path, 0);
  const damaged = new DamagedOrigins();
  const seen = await observe(settings, used, { env, say, damaged, signal });
  const candidates = readCandidates(settings.candidates, { maxBytes: settings.maxBytes, used, say });
  const source = settings.fetchesHosts ? createNetworkSource(settings, { env, say, signal }) : undefined;
  try {
    await source?.check?.();
    const { document, worst } = await auditBy({ seen, candidates, source }, settings, surroundings);
    const damage = damaged.sentence("parts of their histories are not known");
    if (damage === undefined) return { document, worst };
    say(damage);
    return { document, worst: exitCodes.failed };
  } finally {
    await source?.close();
    candidates.seen.close();
    seen.close();
  }
}

/** The sources of the robots.txt files by which an audit judges requests. */
interface Judging {
  readonly seen: SeenRobots;
  readonly candidates: Candidates;
  /** The network source for the hosts in the log; undefined without `--fetch`. */
  readonly source: RobotsSource | undefined;
}

async function auditBy(
  { seen, candidates, source }: Judging,
  settings: AuditSettings,
  { run, used, say }: Surroundings,
): Promise<Audited> {
  const { stdin, env, signal } = run;
  const rules = new VersionRules(judgedCrawlers, { tokenMatch: undefined, hasFallback: true }, (version) =>
    [seen, candidates.seen].find((each) => each.has(version))?.rulesOf(version),
  );
  const growing = source === undefined ? undefined : new GrowingHistory(seen, { source, say, signal });
  const history =
    growing ??
    withOtherScheme(seen.timeline(), (origin, other) => {
      say(`${origin}: its robots.txt is not known; the audit assumes that of ${other}`);
      say(`  if that is the origin of these requests: --base host:${hostIn(origin)}=${other}`);
    });
  // The number of hosts in a log is unknown before the log is read.
  const limits = growing === undefined ? {} : limitsFor(Math.max(usualHosts, history.origins.length));
  const { queryValues } = settings;
  const counter = new AuditCounter({ history, crawlers: auditCrawlers, queryValues, limits });
  const verifier = await verifierOf(settings, { env, used, say });
  const logClock = logClockOf(settings.logTimezone);
  const sink = new AuditSink({ ...settings, counter, rules, verifier, candidates: candidates.versions, logClock });
  const logs = await readLogs(settings, sink, { stdin, say, signal, growing, logClock });
  if (settings.files.length > 0) {
    const windowFlags = [
      ...(settings.fromSeconds > -Infinity ? ["--from"] : []),
      ...(settings.toSeconds < Infinity ? ["--to"] : []),
    ];
    for (const note of agentNotesOf(sink.withoutAgentField)) say(note);
    const times = { zoneless: sink.zoneless, clockTimes: logClock?.conversions ?? 0 };
    for (const note of timeNotesOf(times, settings.logTimezone, windowFlags.join(" and "))) say(note);
  }
  const [inputs, failures] = [[...logs.inputs], [...logs.failures]];
  if (settings.page !== undefined) {
    const { readPages } = await import("./pages.ts");
    const pages = await readPages({ ...settings, page: settings.page }, { counter, rules }, { stdin, say, signal });
    inputs.push(...pages.inputs);
    failures.push(...pages.failures);
  }
  const document = endedBySignals(() =>
    documentOf(counter, {
      settings: {
        registry: registryVersion,
        ranges: verifier?.digest ?? null,
        dialect: usualReading,
        candidate: candidates.digest,
      },
      inputs,
      textOf: (version) => seen.textOf(version),
      lintOf: (version) => lintRowsOf(seen.bodyOf(version)),
    }),
  );
  return { document, worst: failures.reduce((worst, error) => Math.max(worst, exitCodeAfter(error, say)), 0) };
}

function hostIn(origin: string): string {
  return origin.slice(origin.indexOf("//") + 2);
}

async function verifierOf(
  { verify, cache }: AuditSettings,
  { env, used, say }: Pick<Surroundings, "used" | "say"> & { readonly env: NodeJS.ProcessEnv },
): Promise<RecordVerifier | undefined> {
  if (verify === undefined) return undefined;
  const { openRecordVerifier } = await import("../../cli/verify/open-verifier.ts");
  return openRecordVerifier(verify, { cacheText: cache.text, env, used, say });
}
