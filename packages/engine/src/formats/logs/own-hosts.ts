// A format's name in, whether its records name the requested host out: the origin of `--base` then applies only to other records.
import { lineLogFormats, objectLogFormats } from "@robots-stream/logs";

const names: ReadonlySet<string> = new Set([
  ...lineLogFormats.filter(({ namesHost }) => namesHost).map(({ name }) => name),
  ...objectLogFormats.filter(({ namesHost }) => namesHost).map(({ name }) => name),
]);

/** The sentence for a run with `--base` over such a log; undefined for other formats. */
export function ownHostsSentence(source: string, format: string): string | undefined {
  if (!names.has(format)) return undefined;
  return `${source}: records of ${format} name the requested host; --base applies only to records that name none`;
}
