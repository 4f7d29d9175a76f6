// Unwraps a line that a container runtime or syslog has written to the line that the program wrote.
import { DividedLines, prefixLengthOf as prefixInFrontOf } from "@robots-stream/logs";
import type { ReaderKnowledge } from "../../records/batch.ts";
import { utf8TextOf } from "../../text.ts";

/** The beginning of a record of Docker's json-file. */
const docker = /^\{\s*"log"\s*:\s*"/;

/** The length of the prefix before a JSON object; 0 for other lines. Parsers of text logs look for prefixes themselves. */
export function prefixLengthOf(line: string): number {
  if (line.startsWith("{")) return 0;
  const length = prefixInFrontOf(line);
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

/** The line that the program wrote: decoded to text if Docker has wrapped it, otherwise as bytes and without its prefix, if any. */
export function innerOf(line: string): string {
  return dockerLineOf(line) ?? line.slice(prefixLengthOf(line));
}

/** The member of a reader's state with the streams whose current line is divided and not complete yet. */
const dividedName = "divided";

/** The finder of the parts of divided lines, from a reader's state. */
export function dividedLinesFrom(known: ReaderKnowledge | undefined): DividedLines {
  const open = known?.[dividedName];
  return new DividedLines(typeof open === "object" ? open : []);
}

/** The part of a reader's state about divided lines. */
export function knownOf({ open }: DividedLines): ReaderKnowledge {
  return open.length === 0 ? {} : { [dividedName]: open };
}
