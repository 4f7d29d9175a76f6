// Reads `--output` and `--output-file` into the output format and the file, and defines the rows of both flags.
import { basename, extname } from "node:path";
import { UsageError } from "@robots-stream/engine";
import { inputFormats, shownWordOf } from "@robots-stream/engine/internal";
import { flag, type FlagValues, given } from "./flag.ts";
import { choiceOf } from "./values.ts";
import { shownFlag } from "./named-files.ts";

export interface NamedFormat {
  readonly name: string;
}

/** The output formats of commands that write either for people or for programs. */
export const textFormats: readonly [TextFormat, TextFormat] = [{ name: "text" }, { name: "ndjson" }];

/** A format for people ("text") or for programs ("ndjson"). */
export interface TextFormat extends NamedFormat {
  readonly name: "text" | "ndjson";
}

/** The output format and the file; without a file, the output goes to stdout. */
export interface Output<Format extends NamedFormat> {
  readonly format: Format;
  readonly path: string | undefined;
}

/** File endings of the output formats that the engine does not read, by format. */
const ownEndings: Readonly<Record<string, readonly string[]>> = {
  text: [".txt"],
  table: [".txt", ".table"],
  html: [".html", ".htm"],
  json: [".json"],
  sarif: [".sarif", ".sarif.json", ".json"],
  // Each record of an exported WARC file is a gzip member.
  warc: [".warc.gz"],
};

/** Endings of compressed files. Output is not compressed, except in a format that is always compressed. */
const packedEnding = /\.(?:gz|gzip|zst|bz2|xz|br|lz4|zip)$/;

export const outputFlag = flag({
  name: "output",
  short: "o",
  value: "FORMAT",
  choices: ["text", "ndjson", "warc"],
  about: "Output format.",
});

export const outputFileFlag = flag({
  name: "output-file",
  value: "FILE",
  file: { use: "writes" },
  about: "Write into FILE; its content is replaced.",
  otherwise: "stdout",
});

/** The rows of `--output` and `--output-file` for these formats. `otherwise`: the default format in the help. */
export function outputFlags(
  formats: readonly NamedFormat[],
  otherwise: string = formats[0]!.name,
): readonly (typeof outputFlag | typeof outputFileFlag)[] {
  const choices = formats.map(({ name }) => name);
  const about = `Output format: ${choices.join(", ")}.`;
  return [
    { ...outputFlag, choices, about, otherwise: `the format of --output-file's ending; ${otherwise}` },
    outputFileFlag,
  ];
}

/**
 * Reads both flags; `otherwise` is the format when neither flag is given. Throws a `UsageError` for a format that is not among `formats`.
 * Also throws if the file's ending means another format than `--output` names, or means compressed data in a format that is not compressed.
 * Without `--output`, a file without an ending gets the first format, and an ending that means none of `formats` is refused.
 */
export function outputOf<Format extends NamedFormat>(
  values: FlagValues,
  formats: readonly [Format, ...Format[]],
  otherwise: Format = formats[0],
): Output<Format> {
  const names = formats.map(({ name }) => name);
  const formatOf = (name: string): Format => formats.find((format) => format.name === name)!;
  const flags = given(values, [outputFlag, outputFileFlag]);
  const asked = flags.get("output");
  const isFile = asked !== undefined && !asked.startsWith(".") && formatsOfEnding(asked.toLowerCase()).length > 0;
  if (isFile) {
    throw new UsageError(
      "wrong-value",
      `${shownFlag("output", asked)}: must be one of ${names.join(", ")}`,
      `a file is named with ${shownFlag("output-file", asked)}`,
    );
  }
  const named = asked === undefined ? undefined : choiceOf("output", asked, names);
  const path = flags.get("output-file");
  if (path === undefined || path === "") return { format: named === undefined ? otherwise : formatOf(named), path };

  const file = basename(path).toLowerCase();
  const meant = formatsOfEnding(file);
  if (named !== undefined) {
    // A .txt file may hold any format that --output names.
    if (meant.some((name) => name !== "text" && name !== "table") && !meant.includes(named)) {
      throw new UsageError(
        "wrong-value",
        `--output ${named} and ${shownFlag("output-file", path)} cannot be combined: the file's ending means ${meant.join(" or ")}`,
        "leave out --output, or give the file another ending",
      );
    }
    if (meant.length === 0) refusePacked(path, file);
    return { format: formatOf(named), path };
  }
  const found = names.find((name) => meant.includes(name));
  if (found !== undefined) return { format: formatOf(found), path };
  refusePacked(path, file);
  const ending = extname(file);
  if (ending === "") return { format: formats[0], path };
  throw new UsageError(
    "wrong-value",
    `${shownFlag("output-file", path)}: the ending ${shownWordOf(ending, 30)} means none of the formats ${names.join(", ")}`,
    /^\.(?:xlsx?|ods)$/.test(ending) && names.includes("csv")
      ? "spreadsheets open CSV: give the file the ending .csv"
      : `name the format: --output ${names[0]}`,
  );
}

/** The formats that a file's name means: the formats of the longest ending that matches the name. */
function formatsOfEnding(file: string): readonly string[] {
  const endings = [
    ...inputFormats
      .map(({ name, endings: its }) => [name, its] as const)
      .filter(([name]) => name !== "lines" && !(name in ownEndings)),
    ...Object.entries(ownEndings),
  ].flatMap(([name, its]) => its.filter((ending) => file.endsWith(ending)).map((ending) => ({ name, ending })));
  const longest = Math.max(0, ...endings.map(({ ending }) => ending.length));
  return endings.filter(({ ending }) => ending.length === longest).map(({ name }) => name);
}

function refusePacked(path: string, file: string): void {
  const [packed] = packedEnding.exec(file) ?? [];
  if (packed === undefined) return;
  throw new UsageError(
    "wrong-value",
    `${shownFlag("output-file", path)}: output is not compressed, but the ending ${packed} means compressed data`,
    "leave --output-file out, and pipe the output into the program that compresses: … | gzip > FILE",
  );
}
