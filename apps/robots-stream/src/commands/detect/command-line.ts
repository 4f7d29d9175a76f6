// Makes the command line that decides the records of a source, from the detected properties of the source. Users copy this command line.
import { printableOf } from "@robots-stream/engine/internal";
import type { InputSettings } from "../../cli/input-settings.ts";
import type { Look } from "./print.ts";

/** Settings for reading the input. They have the same meaning as in the command without a name. */
export type Reading = InputSettings & { readonly resultKey: string };

const logFormatPrefix = "log-format ";

/**
 * Returns the command line; undefined for a source with a problem that `--base` does not solve. The command line decides records
 * with User-Agent headers for the crawlers in these headers, and any other source for bingbot as an example.
 */
export function commandOf(
  path: string,
  { format, certainty, first, problem, layout }: Look,
  { inputFormat, base, hostBases = new Map() }: Reading,
): string | undefined {
  const isWithoutBase = problem?.code === "ERR_MISSING_BASE";
  if (problem !== undefined && !isWithoutBase) return undefined;
  const words = ["robots-stream"];
  const agentField =
    first === undefined ? (format.makesLogRows === true && isWithoutBase ? "user_agent" : undefined) : first.agentField;
  words.push(...(agentField === undefined ? ["--agent", "bingbot"] : ["--agent-field", agentField]));
  if (format.name.startsWith(logFormatPrefix)) words.push("--log-format", format.name.slice(logFormatPrefix.length));
  else if (inputFormat !== undefined || certainty.others.length > 0) words.push("--input", format.name);
  if (base !== undefined) words.push("--base", `${base.scheme}://${base.host}`);
  else if (isWithoutBase) words.push("--base", "https://example.com");
  for (const [host, { scheme, host: to }] of hostBases) words.push("--base", `host:${host}=${scheme}://${to}`);
  if (layout.urlField !== undefined && layout.hasHeader !== true && format.hasFields === true)
    words.push("--url-field", layout.urlField);
  return printableOf([...words, path].map(shellWordOf).join(" "));
}

/** Returns a word for a POSIX shell, in quotation marks if needed. */
function shellWordOf(word: string): string {
  return /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
