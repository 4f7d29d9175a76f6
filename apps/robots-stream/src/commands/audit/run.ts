// Runs the command `audit`, which reads logs and reports which crawlers obeyed robots.txt, and returns its exit code.
import { AuditCounter, type AuditDocument, type AuditHistory, documentOf, limitsFor } from "@robots-stream/audit";
import { UsageError } from "@robots-stream/engine";
import { AuditSink } from "@robots-stream/engine/audit";
import {
  beginningOfFile,
  type RobotsSource,
  type SeenRobots,
  type UsedFiles,
  usualReading,
  VersionRules,
  withAssumed,
} from "@robots-stream/engine/internal";
import { auditCrawlers, judgedCrawlers, registryVersion } from "../../cli/audit/registry.ts";
import { writeReport, writeSplit } from "../../cli/audit/write-report.ts";
import { commandBody, type Running } from "../../cli/command-body.ts";
import { worstOf } from "../../cli/ending.ts";
import { endedBySignals, exitCodes } from "../../cli/exit-codes.ts";
import { findFiles } from "../../cli/found-files.ts";
import { originOfBase } from "../../cli/input-settings.ts";
import { logClockOf, timeNotesOf } from "../../cli/log-flags.ts";
import { agentNotesOf } from "../../cli/name-notes.ts";
import { createNetworkSource } from "../../cli/network/network.ts";
import { CommandProgress } from "../../cli/progress.ts";
import { DamagedOrigins } from "../../cli/robots/damaged-origins.ts";
import { type Candidates, readCandidates } from "./candidates.ts";
import { auditFlags, type AuditSettings, auditSettingsOf } from "./flags.ts";
import { GrowingHistory, lintRowsOf, observe } from "./history.ts";
import { auditLineOf, countsOf, readLogs, type ReadSoFar } from "./read-logs.ts";

export const auditCommand = commandBody({
  name: "audit",
  flags: auditFlags,
  help: {
    start: `
robots-stream audit: which crawlers came, and which obeyed robots.txt?

Usage
  robots-stream audit LOG … --base ORIGIN [flags]
  … | robots-stream audit --base ORIGIN [flags]

Reads access logs, folders of rotated logs and the files of patterns, and counts each crawler's requests: allowed, disallowed, or undecidable. The report accuses a crawler only of violations that dated robots.txt files (--robots-history) prove. docs/AUDIT.md explains every number.

Examples
  robots-stream audit access.log.gz --base https://shop.example
  robots-stream audit access.log.gz --base https://shop.example --output-file report.html
  robots-stream audit 'logs/access.log*' --base https://shop.example --output-file year.html
  robots-stream audit access.log.gz --base https://shop.example --robots-history seen/ --fail-on "violations>0"
  robots-stream audit access.log.gz --base https://shop.example --candidate new-robots.txt
  robots-stream audit access.log.gz --base https://shop.example -o json > part1.json
`,
    exitCodes: {
      0: "the report is complete",
      1: "--fail-on was met",
      2: "wrong usage, or nothing could be read",
      3: "reading or writing failed midway, and the report covers the records read before the failure; or saved robots.txt files are damaged",
    },
    stopped: ", without a report",
  },
  async run(running) {
    const { stdin, use, print } = running;
    const asked = auditSettingsOf(running);
    const { report, namedFiles } = asked;
    if (asked.files.includes("-") && stdin.isTTY === true) {
      const hint = "for example: robots-stream audit access.log.gz --base https://shop.example";
      throw new UsageError("no-input", "name a log, or pipe one in", hint);
    }
    // A named folder of logs may also contain the files that this command line writes.
    const written = use([], report.output, namedFiles);
    const { files: inputs, notes } = findFiles(asked.files, (path) => written.isWritten(path));
    const settings = { ...asked, files: inputs };
    const used = use(inputs, report.output, namedFiles);
    const progress = new CommandProgress<ReadSoFar>(running, auditLineOf);
    const { say } = progress;
    for (const note of notes) say(note);
    const document = async (): Promise<Audited> => {
      try {
        return await auditOf(settings, { ...running, used, say, progress });
      } finally {
        progress.stop();
      }
    };
    if (report.isSplit) {
      const audited = await document();
      const code = await writeSplit(audited.document, report, { run: running, inputs, namedFiles });
      progress.tellCounts(countsOf(audited.document));
      return Math.max(audited.worst, code);
    }
    let audited: Audited | undefined;
    const code = await print(report.output, used, async (stream) => {
      audited = await document();
      return Math.max(audited.worst, await writeReport(audited.document, report, stream, running));
    });
    if (report.output.path !== undefined) progress.tellCounts(countsOf(audited!.document));
    return code;
  },
});

/** With `--fetch`, and with one file for all hosts, the limits of the counter are those for at least this number of hosts. */
const usualHosts = 1_000;

interface Surroundings extends Pick<Running, "stdin" | "env" | "signal" | "say"> {
  readonly used: UsedFiles;
  readonly progress: CommandProgress<ReadSoFar>;
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
  const { env, signal, used, say } = surroundings;
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

async function auditBy(
  {
    seen,
    candidates,
    source,
  }: { readonly seen: SeenRobots; readonly candidates: Candidates; readonly source: RobotsSource | undefined },
  settings: AuditSettings,
  { stdin, env, signal, used, say, progress }: Surroundings,
): Promise<Audited> {
  const rules = new VersionRules(judgedCrawlers, { tokenMatch: undefined, hasFallback: true }, (version) =>
    [seen, candidates.seen].find((each) => each.has(version))?.rulesOf(version),
  );
  const growing = source === undefined ? undefined : new GrowingHistory(seen, { source, say, signal });
  const history: ReturnType<typeof historyOf> = growing ?? historyOf(seen, say);
  // The number of hosts in a log is unknown before the log is read.
  const isOpen = growing !== undefined || history.isShared === true;
  const limits = isOpen ? limitsFor(Math.max(usualHosts, history.origins.length)) : {};
  const { queryValues } = settings;
  const counter = new AuditCounter({ history, crawlers: auditCrawlers, queryValues, limits });
  const { verify, cache } = settings;
  const verifier =
    verify === undefined
      ? undefined
      : (await import("../../cli/verify/verifier.ts")).openRecordVerifier(verify, {
          cacheText: cache.text,
          env,
          used,
          say,
        });
  const logClock = logClockOf(settings.logTimezone);
  const sink = new AuditSink({ ...settings, counter, rules, verifier, candidates: candidates.versions, logClock });
  const logs = await readLogs(settings, sink, {
    stdin,
    say,
    signal,
    growing,
    logClock,
    onBegin: (look) => progress.begin(look),
  });
  if (settings.files.length > 0) {
    const windowFlags = [
      ...(settings.fromSeconds > -Infinity ? ["--from"] : []),
      ...(settings.toSeconds < Infinity ? ["--to"] : []),
    ].join(" and ");
    for (const note of agentNotesOf(sink.withoutAgentField)) say(note);
    const times = { zoneless: sink.zoneless, clockTimes: logClock?.conversions ?? 0 };
    for (const note of timeNotesOf(times, settings.logTimezone, windowFlags)) say(note);
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
  if (settings.files.length > 0 && settings.base !== undefined) {
    for (const note of unusedBaseNotes(originOfBase(settings.base), document)) say(note);
  }
  return { document, worst: worstOf(failures, say) };
}

/** The history of the observations, with what the audit assumes about other origins. */
function historyOf(seen: SeenRobots, say: (sentence: string) => void): AuditHistory & { readonly isShared?: boolean } {
  return withAssumed(seen.timeline(), {
    onFull(most) {
      say(`--robots: one file is taken for ${most} hosts in the log; that of further hosts is not known`);
    },
    onAssumed(origin, other) {
      say(`${origin}: its robots.txt is not known; the audit assumes that of ${other}`);
      say(`  if that is the origin of these requests: --base host:${hostIn(origin)}=${other}`);
    },
  });
}

/**
 * Sentences about a base that no request has, although the log names an origin whose robots.txt is not known: the origin with the most
 * requests, by name among equal ones.
 */
function unusedBaseNotes(base: string, { origins }: AuditDocument): readonly string[] {
  if (origins.some(({ origin }) => hostIn(origin) === hostIn(base))) return [];
  const unknown = origins
    .filter(({ origin, isKnown }) => !isKnown && origin !== "" && origin !== "…")
    .map(({ origin, times }) => ({ origin, requests: times.reduce((sum, [, , , , , requests]) => sum + requests, 0) }));
  const [most] = unknown.toSorted((one, other) => other.requests - one.requests);
  if (most === undefined) return [];
  return [
    `--base ${base}: no request of a crawler went there; the log names ${most.origin}, whose robots.txt is not known`,
    `  if that is another name of this site: --base host:${hostIn(most.origin)}=${base}`,
  ];
}

function hostIn(origin: string): string {
  return origin.slice(origin.indexOf("//") + 2);
}
