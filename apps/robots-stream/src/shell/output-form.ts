// What `--output` and `--output-file` say in, the form to write in and the file to write into out; the rows of both flags.
import { basename, extname } from "node:path";
import { inputFormats, shownWordOf, UsageError } from "@robots-stream/engine/internal";
import { choiceOf, type FlagShape, type FlagValues, lastOf } from "./command-line.ts";
import { shownFlag } from "./named-files.ts";

/** The flags that say how and where a command writes. Every command that prints has both. */
export type OutputFlagName = "output" | "output-file";

/** A form that a command writes, by its name. */
export interface NamedForm {
  readonly name: string;
}

/** The forms of commands that write for people or for programs. */
export const textForms: readonly [TextForm, TextForm] = [{ name: "text" }, { name: "ndjson" }];

/** One of them. */
export interface TextForm extends NamedForm {
  readonly name: "text" | "ndjson";
}

/** The form to write in, and the file; without one, stdout. */
export interface Output<Form extends NamedForm> {
  readonly form: Form;
  readonly path: string | undefined;
}

/** File endings of the forms that the engine does not read, by form. */
const ownEndings: Readonly<Record<string, readonly string[]>> = {
  text: [".txt"],
  sarif: [".sarif", ".sarif.json", ".json"],
  // Its records are gzip members: it is compressed without being asked.
  warc: [".warc.gz"],
};

/** Endings of compressed files: nothing is written compressed, except where a form is. */
const packedEnding = /\.(?:gz|gzip|zst|bz2|xz|br|lz4|zip)$/;

/** The rows of `--output` and `--output-file` in a table of flags. The first form is what holds without them. */
export function outputFlags(
  forms: readonly NamedForm[],
  isReplaced = "what is in it is replaced",
): readonly FlagShape<OutputFlagName>[] {
  const names = forms.map(({ name }) => name);
  return [
    {
      name: "output",
      short: "o",
      value: "FORM",
      about: `How to write: ${names.join(", ")}.`,
      otherwise: `what the ending of --output-file means; ${names[0]}`,
    },
    {
      name: "output-file",
      value: "FILE",
      file: { use: "writes" },
      about: `Write into FILE; ${isReplaced}.`,
      otherwise: "stdout",
    },
  ];
}

/**
 * Reads both flags. Throws a `UsageError` for a form that is not among `forms`, for a file whose ending means another form
 * than the one named, and for an ending that means none when no form is named.
 */
export function outputOf<Form extends NamedForm>(
  values: FlagValues<OutputFlagName>,
  forms: readonly [Form, ...Form[]],
): Output<Form> {
  const names = forms.map(({ name }) => name);
  const formOf = (name: string): Form => forms.find((form) => form.name === name)!;
  const given = lastOf(values, "output");
  const named = given === undefined ? undefined : choiceOf("output", given, names);
  const path = lastOf(values, "output-file");
  if (path === undefined || path === "") return { form: named === undefined ? forms[0] : formOf(named), path };

  const file = basename(path).toLowerCase();
  const meant = formsOfEnding(file);
  if (named !== undefined) {
    // Any form may be called text.
    if (meant.some((name) => name !== "text") && !meant.includes(named)) {
      throw new UsageError(
        "wrong-value",
        `--output ${named} and ${shownFlag("output-file", path)} contradict each other: the file's ending means ${meant.join(" or ")}`,
        "leave --output out, or name the file otherwise",
      );
    }
    if (meant.length === 0) refusePacked(path, file);
    return { form: formOf(named), path };
  }
  const found = names.find((name) => meant.includes(name));
  if (found !== undefined) return { form: formOf(found), path };
  refusePacked(path, file);
  const ending = extname(file);
  if (ending === "") return { form: forms[0], path };
  throw new UsageError(
    "wrong-value",
    `${shownFlag("output-file", path)}: the ending ${shownWordOf(ending, 30)} means none of the forms ${names.join(", ")}`,
    `name the form: --output ${names[0]}`,
  );
}

/** The forms that a file's name means, by the longest of the endings that fit. */
function formsOfEnding(file: string): readonly string[] {
  const endings = [
    ...inputFormats.map(({ name, endings: its }) => [name, its] as const).filter(([name]) => name !== "lines"),
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
    `${shownFlag("output-file", path)}: output is not compressed, and the ending ${packed} says it is`,
    "leave --output-file out, and pipe the output into the program that compresses: … | gzip > FILE",
  );
}
