// A format's name in, whether its records name the requested host out: the origin of `--base` then applies only to other records.
import { objectLogFormats } from "@robots-stream/logs";
import type { InputFormat } from "../../records/batch.ts";

const names: ReadonlySet<string> = new Set(
  objectLogFormats.filter(({ namesHost }) => namesHost).map(({ name }) => name),
);

/** The sentence for a run with `--base` over such a log; undefined for other formats. */
export function ownHostsSentence(source: string, { name, namesHost }: InputFormat): string | undefined {
  if (namesHost !== true && !names.has(name)) return undefined;
  return `${source}: records of ${name} name the requested host; --base applies only to records that name none`;
}
