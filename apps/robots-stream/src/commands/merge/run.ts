// Runs the command `merge`, which merges the audits, or the censuses, of parts and writes one report, and returns its exit code.
import { statSync } from "node:fs";
import { type AuditDocument, DocumentMerge } from "@robots-stream/audit";
import { type CensusDocument, checkDocument, documentType, mergeDocuments, tableNames } from "@robots-stream/census";
import { UsageError } from "@robots-stream/engine";
import { nameOf, openSource, reasonOf, shownWordOf } from "@robots-stream/engine/internal";
import { asUsage, documentIn, jsonIn, mostDocumentBytes, readJson } from "../../cli/audit/read-document.ts";
import { filesOfReport, reportFlags, type ReportSettings, reportSettingsOf } from "../../cli/audit/report-flags.ts";
import { writeReport, writeSplit } from "../../cli/audit/write-report.ts";
import { censusReportOf, type CensusReportSettings, limitedCounts, writeCensus } from "../../cli/census-report.ts";
import { commandBody, type Running } from "../../cli/command-body.ts";
import { endedBySignals } from "../../cli/exit-codes.ts";
import type { FlagValues } from "../../cli/flag.ts";
import { readAll } from "../../cli/read-all.ts";

/** What the help adds for the parts of a census. */
const ofCensuses = {
  table: `For a census: ${tableNames.join(", ")}.`,
  "fail-on": `For a census: ${limitedCounts.join(", ")}.`,
};

export const mergeCommand = commandBody({
  name: "merge",
  flags: reportFlags.map((row) =>
    row.name === "table" || row.name === "fail-on" ? { ...row, about: `${row.about} ${ofCensuses[row.name]}` } : row,
  ),
  help: {
    start: `
robots-stream merge: one report from the audits of parts of a log, or from the censuses of parts of many sites

Usage
  robots-stream merge AUDIT.json … [flags]
  robots-stream merge CENSUS.json … [flags]

Reads the output of robots-stream audit --output json from files, named pipes and stdin ("-"). All audits must have the same robots.txt files and program version. The report does not depend on how the log was divided, or on the order of the parts. The output of robots-stream census --output json is merged in the same way; two parts that count the same sources are refused.

Examples
  robots-stream merge part1.json part2.json
  robots-stream merge part*.json --output-file report.html
  robots-stream merge monday.json tuesday.json -o json > week.json
  robots-stream audit access.log --robots robots -o json | robots-stream merge yesterday.json -
`,
    exitCodes: {
      0: "the parts were merged",
      1: "--fail-on was met",
      2: "wrong usage, or parts that cannot be merged",
      3: "the output could not be written; or sources of a census had damaged entries",
    },
  },
  async run(running) {
    const { values, files, stdin, signal, use, print } = running;
    if (files.length === 0) {
      throw new UsageError("no-input", "name the audits to merge", "for example: robots-stream merge part*.json");
    }
    const settings = settingsOf(values);
    const namedFiles = filesOfReport(running.namedFiles, { isSplit: values.has("split-by") });
    const used = use(files, { format: { name: "" }, path: values.get("output-file")?.at(-1) }, namedFiles);
    // Each part is read once, when it is needed.
    const first = await readPart(files[0]!, { stdin, signal });
    async function* parts(): AsyncGenerator<readonly [part: unknown, file: string]> {
      yield [first, files[0]!];
      for (const file of files.slice(1)) yield [await readPart(file, { stdin, signal }), file];
    }
    if ((first as { readonly type?: unknown } | null)?.type === documentType) {
      const report = settings.ofCensus();
      return print(report.output, used, async (stream) =>
        writeCensus(await mergedCensus(parts()), report, stream, running),
      );
    }
    const report = settings.ofAudit();
    if (report.isSplit) {
      return writeSplit(await mergedAudit(parts()), report, { run: running, inputs: files, namedFiles });
    }
    return print(report.output, used, async (stream) =>
      writeReport(await mergedAudit(parts()), report, stream, running),
    );
  },
});

/** Returns functions that read the flags as those of an audit's report or of a census's. If they are neither, throws the mistake of the audit. */
function settingsOf(values: FlagValues): {
  readonly ofAudit: () => ReportSettings;
  readonly ofCensus: () => CensusReportSettings;
} {
  const ofAudit = (): ReportSettings => reportSettingsOf(values);
  const ofCensus = (): CensusReportSettings => {
    const other = (["timezone", "compare", "split-by"] as const).find((name) => values.has(name));
    if (other === undefined) return censusReportOf(values);
    throw new UsageError("wrong-value", `--${other} is for audits, and the first part is a census`);
  };
  if (!isAccepted(ofCensus)) ofAudit();
  return { ofAudit, ofCensus };
}

function isAccepted(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

type Parts = AsyncIterable<readonly [part: unknown, file: string]>;

async function mergedAudit(parts: Parts): Promise<AuditDocument> {
  const merging = new DocumentMerge();
  // One document at a time is in memory.
  for await (const [part, file] of parts) {
    const document = documentIn(part, shownOf(file));
    endedBySignals(() => asUsage("", () => merging.add(document, nameOf(file))));
  }
  return endedBySignals(() => asUsage("", () => merging.document()));
}

async function mergedCensus(parts: Parts): Promise<CensusDocument> {
  const documents: CensusDocument[] = [];
  for await (const [part, file] of parts)
    documents.push(endedBySignals(() => asUsage(`${shownOf(file)}: `, () => checkDocument(part))));
  return endedBySignals(() => asUsage("", () => mergeDocuments(documents)));
}

function shownOf(file: string): string {
  return file === "-" ? nameOf(file) : shownWordOf(file);
}

/** Reads the JSON of one part; "-" is `stdin`. Rejects with a `UsageError` for a file that cannot be read, and with the signal's reason. */
async function readPart(path: string, { stdin, signal }: Pick<Running, "stdin" | "signal">): Promise<unknown> {
  if (path !== "-" && statSync(path, { throwIfNoEntry: false })?.isFIFO() !== true) {
    return readJson(path, shownWordOf(path));
  }
  const shown = nameOf(path);
  let bytes: Buffer;
  try {
    bytes = await readAll(openSource(path, stdin), mostDocumentBytes, shown, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new UsageError("unreadable-input", reasonOf(error));
  }
  return jsonIn(bytes, shown);
}
