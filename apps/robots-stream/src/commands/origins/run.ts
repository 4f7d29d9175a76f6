// Runs the command `origins`, which writes the distinct origins of its inputs with counts, and returns its exit code.
import type { Writable } from "node:stream";
import { commandBody, type InputRun } from "../../cli/command-body.ts";
import { type InputSettings, inputSettingsOf, readingFlags } from "../../cli/input-settings.ts";
import { outputFlags, outputOf, type TextFormat } from "../../cli/output-format.ts";
import { plainCountText } from "../../cli/figures.ts";
import { findFiles } from "../../cli/found-files.ts";
import { OriginCounter } from "../../cli/origins/counter.ts";
import { worstOf, writeText } from "../../cli/ending.ts";
import { lineOfOrigin, readOrigins, recordsText } from "../../cli/origins/read-origins.ts";

/** Minimum number of characters that are collected for one write. */
const pieceLength = 65_536;

/** The output formats. NDJSON is the default, because the command `fetch` and other programs read this format. */
const formats: readonly [TextFormat, TextFormat] = [{ name: "ndjson" }, { name: "text" }];

export const originsCommand = commandBody({
  name: "origins",
  flags: [...readingFlags, ...outputFlags(formats)],
  help: {
    start: `
robots-stream origins: which origins (scheme, host, port) do these URLs and logs have?

Usage
  robots-stream origins FILE|- … [flags]
  … | robots-stream origins [flags]

Reads every input that robots-stream reads, and writes one JSON line for each origin with the number of its records, in byte order (-o text: the number, then the origin). The output is also a valid input: the counts of each origin are added up. Nothing is fetched. Memory is bounded; origins beyond the bound go to a temporary file.

Examples
  robots-stream origins access.log.gz > origins.ndjson
  robots-stream origins monday.ndjson tuesday.ndjson > week.ndjson
  robots-stream origins urls.csv | robots-stream fetch - --snapshot robots/
`,
    exitCodes: {
      0: "every file was read",
      2: "wrong usage, or a file that could not be read",
      3: "reading or writing failed midway; the output covers the records read before the failure",
    },
    stopped: ", without output",
  },
  async run({ values, stdin, signal, say, inputs, use, print }) {
    const output = outputOf(values, formats);
    const settings = inputSettingsOf(values);
    const named = inputs("name a file, or pipe one in", "robots-stream origins access.log.gz");
    const written = use([], output);
    const { files, notes } = findFiles(named, (path) => written.isWritten(path));
    const used = use(files, output);
    for (const note of notes) say(note);
    const isText = output.format.name === "text";
    return print(output, used, (stream) => list({ ...settings, files, isText }, stream, { stdin, say, signal }));
  },
});

interface OriginsSettings extends InputSettings {
  readonly files: readonly string[];
  readonly isText: boolean;
}

async function list(settings: OriginsSettings, stream: Writable, surroundings: InputRun): Promise<number> {
  const { say, signal } = surroundings;
  const counter = new OriginCounter({ order: "name" });
  try {
    const read = await readOrigins(settings, counter, surroundings);
    let origins = 0;
    let text = "";
    for (const { origin, count } of counter.origins()) {
      origins++;
      text += settings.isText ? `${String(count).padStart(12)}  ${origin}\n` : lineOfOrigin(origin, count);
      if (text.length < pieceLength) continue;
      await writeText(stream, text);
      signal?.throwIfAborted();
      text = "";
    }
    await writeText(stream, text);
    say(`${plainCountText(origins, "origin")} of ${recordsText(read)}`);
    return worstOf(read.failures, say);
  } finally {
    counter.close();
  }
}
