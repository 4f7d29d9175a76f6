// Makes the notices which say that a `base` does not apply to a format: its records name their hosts, or have no field for a host.
import { optionText } from "../../common/caller-words.ts";
import { objectLogFormats } from "@robots-stream/logs";
import type { InputFormat } from "../input-format.ts";
import type { UrlField } from "../url-parts.ts";

const objectLogs: ReadonlySet<string> = new Set(objectLogFormats.map(({ name }) => name));

const names: ReadonlySet<string> = new Set(
  objectLogFormats.filter(({ namesHost }) => namesHost).map(({ name }) => name),
);

/**
 * The notice for a run with `base` and a format whose records may name their hosts; undefined for other formats. `lines`: the first lines
 * of the source, among which may be a heading that names the fields.
 */
export function ownHostsSentence(
  source: string,
  { name, namesHost, headingNamesHost }: InputFormat,
  lines: readonly string[],
): string | undefined {
  if (namesHost !== true && !names.has(name)) return undefined;
  if (headingNamesHost !== undefined && lines.some((line) => headingNamesHost(line) === false)) return undefined;
  return `${source}: where records of ${name} name the requested host, ${optionText("base")} does not apply`;
}

/** The notice for a run with `base host:NAME=ORIGIN` and records without a field for the host; undefined for other formats. */
export function withoutHostsSentence(
  source: string,
  { name, makesLogRows }: InputFormat,
  urlField: UrlField | undefined,
): string | undefined {
  if (makesLogRows === true || objectLogs.has(name) || typeof urlField === "object") return undefined;
  return `${source}: ${optionText("base", "host:NAME=ORIGIN")} applies to logs and to fields with a host; the URLs of ${name} stay unchanged`;
}
