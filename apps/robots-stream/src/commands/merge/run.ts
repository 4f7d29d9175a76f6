// Runs the command `merge`, which merges several audits and writes one report, and returns its exit code.
import { type AuditDocument, DocumentMerge } from "@robots-stream/audit";
import { nameOf } from "@robots-stream/engine/internal";
import { UsageError } from "@robots-stream/engine";
import { filesOfReport, reportFlags, reportSettingsOf } from "../../cli/audit/report-flags.ts";
import { commandBody } from "../../cli/command-body.ts";
import { endedBySignals } from "../../cli/ended-by-signals.ts";
import { asUsage } from "../../cli/audit/as-usage.ts";
import { writeReport } from "../../cli/audit/render.ts";
import { writeSplit } from "../../cli/audit/split.ts";
import { readPart } from "./read-part.ts";

export const mergeCommand = commandBody({
  name: "merge",
  flags: reportFlags,
  help: {
    start: `
robots-stream merge: one report from the audits of parts of a log

Usage
  robots-stream merge AUDIT.json … [flags]

Reads the output of robots-stream audit --output json from files, named pipes and stdin ("-"). All audits must have the same robots.txt files and program version. The report does not depend on how the log was divided, or on the order of the parts.

Examples
  robots-stream merge part1.json part2.json
  robots-stream merge part*.json --output-file report.html
  robots-stream merge monday.json tuesday.json -o json > week.json
  robots-stream audit access.log --robots robots -o json | robots-stream merge yesterday.json -
`,
    exitCodes: {
      0: "the audits were merged",
      1: "--fail-on was met",
      2: "wrong usage, or audits that cannot be merged",
      3: "the output could not be written",
    },
  },
  async run(running) {
    const { values, files, stdin, signal, use, print } = running;
    if (files.length === 0) {
      throw new UsageError("no-input", "name the audits to merge", "for example: robots-stream merge part*.json");
    }
    const report = reportSettingsOf(values);
    const namedFiles = filesOfReport(running.namedFiles, report);
    const used = use(files, report.output, namedFiles);
    const document = async (): Promise<AuditDocument> => {
      const merging = new DocumentMerge();
      // One document at a time is in memory.
      for (const file of files) {
        const part = await readPart(file, { stdin, signal });
        endedBySignals(() => asUsage("", () => merging.add(part, nameOf(file))));
      }
      return endedBySignals(() => asUsage("", () => merging.document()));
    };
    if (report.isSplit) return writeSplit(await document(), report, { run: running, inputs: files, namedFiles });
    return print(report.output, used, async (stream) => writeReport(await document(), report, stream, running));
  },
});
