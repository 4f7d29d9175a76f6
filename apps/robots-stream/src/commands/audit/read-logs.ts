// Reads logs, passes their records to the sink of an audit, and returns a description of each log for the audit's document.
import { createHash } from "node:crypto";
import type { DocumentInput } from "@robots-stream/audit";
import { UsageError } from "@robots-stream/engine";
import type { AuditSink } from "@robots-stream/engine/audit";
import { type InputStream, nameOf, type Reject } from "@robots-stream/engine/internal";
import type { LogClock } from "@robots-stream/logs";
import { readRecords } from "../../cli/read-records.ts";
import { addressOf } from "../../cli/verify/flags.ts";
import type { AuditSettings } from "./flags.ts";
import type { GrowingHistory } from "./growing-history.ts";

/** The arguments, in addition to the settings, of the functions that read logs or pages. */
export interface LogSurroundings {
  readonly stdin: InputStream;
  readonly say: (sentence: string) => void;
  readonly signal: AbortSignal;
  /** The history that requests the robots.txt files of the hosts in the log; undefined without `--fetch`. */
  readonly growing?: GrowingHistory | undefined;
  /** The clock that wrote times without a zone; undefined: it is not known. */
  readonly logClock?: LogClock | undefined;
}

/** The files that were read. */
export interface ReadLogs {
  readonly inputs: readonly DocumentInput[];
  /** Errors that ended the reading of a file before its end, but not the run (see `batches` of `Input`). */
  readonly failures: readonly Error[];
}

/**
 * Reads all logs, one after another. Rejects with a `UsageError` for a log that cannot be read, and for two logs with the same bytes.
 * Rejects with the signal's reason when the signal aborts.
 */
export async function readLogs(
  settings: AuditSettings,
  sink: AuditSink,
  { stdin, say, signal, growing, logClock }: LogSurroundings,
): Promise<ReadLogs> {
  const inputs: DocumentInput[] = [];
  const namesByHash = new Map<string, string>();
  const failures: Error[] = [];
  for (const path of settings.files) {
    const hash = createHash("sha256");
    const options = {
      ...settings,
      format: settings.inputFormat,
      time: { field: settings.timeField },
      texts: [...settings.requestTexts, ...(settings.verify === undefined ? [] : [addressOf(settings.verify)])],
      agentsAskedBy: "an audit",
      needsAgents: !settings.namesAgentField,
      asksRequest: true,
      logClock,
      tellsServerPaths: true,
      onBytes: (bytes: Uint8Array) => hash.update(bytes),
    };
    const rejects = new Map<string, number>();
    let lines = 0;
    const outsideBefore = sink.outside;
    const input = await readRecords([path], options, { stdin, say, signal }, async (packed, rejected) => {
      lines += packed.count + rejected.length;
      countRejects(rejected, rejects);
      if (growing !== undefined) await growing.ask(sink.originsOf(packed));
      await sink.prepare(packed);
      sink.take(packed);
    });
    failures.push(...input.failures);
    const sha256 = hash.digest("hex");
    const same = namesByHash.get(sha256);
    if (same !== undefined && lines > 0) {
      throw new UsageError(
        "wrong-value",
        `${same} and ${nameOf(path)} hold the same ${input.readBytes} bytes`,
        "name one of them, or each of these requests would be counted twice",
      );
    }
    namesByHash.set(sha256, nameOf(path));
    inputs.push({
      name: nameOf(path),
      bytes: input.readBytes,
      sha256,
      lines,
      rejects: Object.fromEntries([...rejects].toSorted(([one], [other]) => (one < other ? -1 : 1))),
      sampleRate: settings.sampleRate,
      outside: sink.outside - outsideBefore,
    });
  }
  return { inputs, failures };
}

function countRejects(rejects: readonly Reject[], counts: Map<string, number>): void {
  for (const { code } of rejects) counts.set(code, (counts.get(code) ?? 0) + 1);
}
