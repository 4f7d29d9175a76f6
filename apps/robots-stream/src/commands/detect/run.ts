// Runs the command `detect`, which reports how each file would be read, and returns its exit code.
import type { Writable } from "node:stream";
import { UsageError } from "@robots-stream/engine";
import { factsAbout, look, printableOf, utf8TextOf } from "@robots-stream/engine/internal";
import { exitCodeAfter, writeText } from "../../cli/ending.ts";
import { commandBody, type InputRun } from "../../cli/command-body.ts";
import { inputSettingsOf, readingFlags, resultKeyFlag } from "../../cli/input-settings.ts";
import { type Output, outputFlags, outputOf, type TextFormat, textFormats } from "../../cli/output-format.ts";
import { findBases } from "../../cli/file-bases.ts";
import { findFiles } from "../../cli/found-files.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { commandOf, type Reading, jsonOf, printedOf } from "./print.ts";

export const detectCommand = commandBody({
  name: "detect",
  flags: [...readingFlags, resultKeyFlag, ...outputFlags(textFormats)],
  help: {
    start: `
robots-stream detect: how would this file be read?

Usage
  robots-stream detect FILE|- … [flags]
  … | robots-stream detect [flags]

Shows the format, compression and fields, the first record as it is read, and the origin and target that would be decided. Nothing is fetched.

Examples
  robots-stream detect urls.csv
  robots-stream detect access.log.gz --base https://example.com
  robots-stream detect export.csv --url-field "Target URL" --output ndjson
`,
    exitCodes: {
      0: "every file can be read as input",
      2: "wrong usage, or a file that cannot be read as input",
      3: "reading or writing failed",
    },
    stopped: "",
  },
  async run({ flags, values, stdin, signal, say, inputs, use, print }) {
    const output = outputOf(values, textFormats);
    const reading = { ...inputSettingsOf(values), resultKey: flags.get("result-key") };
    const named = inputs("name a file", "robots-stream detect urls.csv");
    const written = use([], output);
    const { files, notes } = findFiles(named, (path) => written.isWritten(path));
    const used = use(files, output);
    const { baseOfFile, notes: ofBases } = findBases(reading.fileBases, files);
    for (const note of [...notes, ...ofBases]) say(note);
    return print(output, used, (stream) =>
      lookAtAll(files, { output, reading }, stream, { stdin, say, signal, baseOfFile }),
    );
  },
});

interface DetectSettings {
  readonly output: Output<TextFormat>;
  readonly reading: Reading;
}

async function lookAtAll(
  inputs: readonly string[],
  { output, reading }: DetectSettings,
  stdout: Writable,
  { stdin, say, signal, baseOfFile }: InputRun & Pick<ReturnType<typeof findBases>, "baseOfFile">,
): Promise<number> {
  const onAssumed = (assumed: string, hint: string): void => {
    say(assumed);
    say(`  ${hint}`);
  };
  let code: number = exitCodes.done;
  let isFirst = true;
  for (const path of inputs) {
    let text: string;
    try {
      const seen = await look(
        path,
        stdin,
        { ...reading, base: baseOfFile.get(path) ?? reading.base },
        { signal, onAssumed },
      );
      if (seen.problem !== undefined) code = Math.max(code, exitCodes.usage);
      const command = commandOf(path, seen, reading);
      text =
        output.format.name === "ndjson" ? jsonOf(seen, command) : `${isFirst ? "" : "\n"}${printedOf(seen, command)}`;
    } catch (error) {
      if (signal.aborted) throw error;
      // An error in one file does not end the command: the remaining files are still examined.
      code = Math.max(code, exitCodeAfter(error, say));
      const { line } = factsAbout(error instanceof UsageError ? error : undefined);
      if (line !== undefined) say(`  its first line: ${printableOf(utf8TextOf(line), 500)}`);
      continue;
    }
    isFirst = false;
    await writeText(stdout, text);
  }
  return code;
}
