// A line that a container runtime has written in, the line that the program inside wrote out: Docker's json-file, and CRI logs.
import { utf8TextOf } from "../../text.ts";

/** `2026-11-21T06:55:09.391287654Z stdout F `; "P" is of a part of a line. */
const ofRuntime =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d) (?:stdout|stderr) [FP](?::\S{0,100})? /;

/** The beginning of a record of Docker's json-file. */
const docker = /^\{\s*"log"\s*:\s*"/;

/** The length of the prefix that CRI runtimes put before a JSON object; 0 for other lines. Parsers of text logs skip it themselves. */
export function prefixLengthOf(line: string): number {
  const code = line.charCodeAt(0);
  // A prefix begins with the digits of a year.
  if (code < 0x30 || code > 0x39) return 0;
  const length = ofRuntime.exec(line.slice(0, 200))?.[0].length ?? 0;
  return line[length] === "{" ? length : 0;
}

/** The line in a record of Docker's json-file, as text; undefined for other lines. */
export function dockerLineOf(line: string): string | undefined {
  if (!docker.test(line)) return undefined;
  let record: unknown;
  try {
    record = JSON.parse(utf8TextOf(line));
  } catch {
    return undefined;
  }
  const { log, stream } = record as { readonly log?: unknown; readonly stream?: unknown };
  return typeof log === "string" && typeof stream === "string" ? log.replace(/[\r\n]+$/, "") : undefined;
}

/** The line that the program inside wrote, as text where Docker has written it; the line itself where nothing is around it. */
export function innerOf(line: string): string {
  return dockerLineOf(line) ?? line.slice(prefixLengthOf(line));
}
