// Reads logs into the sink of an audit, and describes them: for the document, for the line of progress, and for the counts at the end.
import { createHash } from "node:crypto";
import type { AuditDocument, DocumentInput } from "@robots-stream/audit";
import { UsageError } from "@robots-stream/engine";
import type { AuditSink } from "@robots-stream/engine/audit";
import { bytesOfFile, Input, nameOf, type PackedRecords, type Reject } from "@robots-stream/engine/internal";
import type { InputStream } from "@robots-stream/engine/start";
import type { LogClock } from "@robots-stream/logs";
import { bytesText, countText, numberText } from "../../cli/figures.ts";
import { fittedLine, leftText, type Measured } from "../../cli/progress.ts";
import { createNoRowsWriter, readRecords } from "../../cli/read-records.ts";
import { addressOf } from "../../cli/verify/flags.ts";
import type { AuditSettings } from "./flags.ts";
import type { GrowingHistory } from "./history.ts";

/** The arguments, in addition to the settings, of the functions that read logs or pages. */
export interface LogSurroundings {
  readonly stdin: InputStream;
  readonly say: (sentence: string) => void;
  readonly signal: AbortSignal;
  /** The history that requests the robots.txt files of the hosts in the log; undefined without `--fetch`. */
  readonly growing?: GrowingHistory | undefined;
  /** The clock that wrote times without a zone; undefined: it is not known. */
  readonly logClock?: LogClock | undefined;
  /** Called once before the first log is read, with a function that returns how far the logs were read. */
  readonly onBegin?: ((look: () => ReadSoFar) => void) | undefined;
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
  { stdin, say, signal, growing, logClock, onBegin }: LogSurroundings,
): Promise<ReadLogs> {
  const inputs: DocumentInput[] = [];
  const { files } = settings;
  // A file without requests in a folder is reported before a year of logs is read.
  await new Input(files, stdin, optionsOf(settings)).check(createNoRowsWriter);
  const total = files.reduce((sum, path) => sum + (bytesOfFile(path, stdin) ?? NaN), 0);
  const totalBytes = Number.isNaN(total) ? undefined : total;
  const soFar = { records: 0, readBytes: 0, totalBytes, file: 0, files: files.length };
  onBegin?.(() => soFar);
  const namesByHash = new Map<string, string>();
  const failures: Error[] = [];
  const onBytes = ({ length }: Uint8Array): void => void (soFar.readBytes += length);
  for (const path of files) {
    soFar.file++;
    const outsideBefore = sink.outside;
    const options = { ...optionsOf(settings), logClock, onBytes };
    const read = await readInput(path, options, { stdin, say, signal, isChecked: false }, async (packed, rejected) => {
      soFar.records += packed.count + rejected.length;
      if (growing !== undefined) await growing.ask(sink.originsOf(packed));
      await sink.prepare(packed);
      sink.take(packed);
    });
    failures.push(...read.failures);
    const { name, sha256, bytes, lines } = read.input;
    const same = namesByHash.get(sha256);
    if (same !== undefined && lines > 0) {
      throw new UsageError(
        "wrong-value",
        `${same} and ${name} hold the same ${bytes} bytes`,
        "name one of them, or each of these requests would be counted twice",
      );
    }
    namesByHash.set(sha256, name);
    inputs.push({ ...read.input, sampleRate: settings.sampleRate, outside: sink.outside - outsideBefore });
  }
  return { inputs, failures };
}

/** Reads one file, passes its batches to `take`, and describes the file. `take` may return the codes of further rejects. */
export async function readInput(
  path: string,
  options: Parameters<typeof readRecords>[1],
  surroundings: Parameters<typeof readRecords>[2],
  take: (packed: PackedRecords, rejected: readonly Reject[]) => Promise<void> | readonly string[],
): Promise<{ readonly input: DocumentInput; readonly failures: readonly Error[] }> {
  const hash = createHash("sha256");
  const rejects = new Map<string, number>();
  let lines = 0;
  const onBytes = (bytes: Uint8Array): void => {
    hash.update(bytes);
    options.onBytes?.(bytes);
  };
  const { readBytes, failures } = await readRecords(
    [path],
    { ...options, onBytes },
    surroundings,
    async (packed, rejected) => {
      lines += packed.count + rejected.length;
      const codes = [...rejected.map(({ code }) => code), ...((await take(packed, rejected)) ?? [])];
      for (const code of codes) rejects.set(code, (rejects.get(code) ?? 0) + 1);
    },
  );
  const sorted = [...rejects].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const described = { name: nameOf(path), bytes: readBytes, sha256: hash.digest("hex"), lines };
  return { input: { ...described, rejects: Object.fromEntries(sorted), sampleRate: 1, outside: 0 }, failures };
}

function optionsOf(settings: AuditSettings): ConstructorParameters<typeof Input>[2] {
  return {
    ...settings,
    format: settings.inputFormat,
    time: { field: settings.timeField },
    texts: [...settings.requestTexts, ...(settings.verify === undefined ? [] : [addressOf(settings.verify)])],
    agentsAskedBy: "an audit",
    needsAgents: !settings.namesAgentField,
    asksRequest: true,
    tellsServerPaths: true,
  };
}

/** How far the logs were read. */
export interface ReadSoFar {
  /** Lines, or records of an input that is not a log; rejects are among them. */
  readonly records: number;
  /** Bytes of the files before decompression. `totalBytes`: undefined if one of them is not a regular file. */
  readonly readBytes: number;
  readonly totalBytes: number | undefined;
  /** The number of the file that is being read, from 1, and the number of files. */
  readonly file: number;
  readonly files: number;
}

/** Makes the line. It is ASCII and has at most `columns - 1` characters. */
export function auditLineOf(view: ReadSoFar & Measured, columns: number): string {
  const { records, recordsPerSecond, readBytes, totalBytes, file, files } = view;
  const left = leftText({ ...view, earlierBytes: 0 });
  const size = totalBytes === undefined ? bytesText(readBytes) : `${bytesText(readBytes)} of ${bytesText(totalBytes)}`;
  const parts = [
    { text: countText(records, "line"), rank: 0 },
    { text: `${numberText(recordsPerSecond)}/s`, rank: 2 },
    ...(files === 1 ? [] : [{ text: `file ${numberText(file)} of ${numberText(files)}`, rank: 3 }]),
    { text: size, rank: 4 },
    ...(left === undefined ? [] : [{ text: left, rank: 1 }]),
  ];
  return fittedLine(parts, columns);
}

/** Returns the counts: "206 lines, 176 requests by 5 crawlers", "1 reject", "2 files". */
export function countsOf({ inputs, totals, crawlers }: AuditDocument): readonly string[] {
  const lines = inputs.reduce((sum, input) => sum + input.lines, 0);
  const rejects = inputs.flatMap((input) => Object.values(input.rejects)).reduce((sum, count) => sum + count, 0);
  const outside = inputs.reduce((sum, input) => sum + input.outside, 0);
  const requests = countText(totals.requests - totals.notACrawler, "request");
  return [
    `${countText(lines, "line")}, ${requests} by ${countText(crawlers.length, "crawler")}`,
    ...(rejects === 0 ? [] : [countText(rejects, "reject")]),
    ...(outside === 0 ? [] : [`${countText(outside, "line")} outside the time`]),
    countText(inputs.length, "file"),
  ];
}
