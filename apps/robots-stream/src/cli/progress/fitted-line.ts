// Makes a progress line from its parts. On a narrow terminal, the line lacks its less important parts.
import { durationText } from "../figures.ts";

/** A part of the line. The part with the highest rank is left out first; the part with rank 0 is never left out. */
interface Part {
  readonly text: string;
  readonly rank: number;
}

/** Joins the parts to a line of at most `columns - 1` characters, so that no terminal wraps it. The parts must be ASCII. */
export function fittedLine(all: readonly Part[], columns: number): string {
  const parts = [...all];
  const width = Math.max(1, columns - 1);
  for (let rank = Math.max(...parts.map((part) => part.rank)); lineOf(parts).length > width && rank > 0; rank--) {
    const at = parts.findIndex((part) => part.rank === rank);
    if (at >= 0) parts.splice(at, 1);
  }
  return lineOf(parts).slice(0, width);
}

function lineOf(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join(", ");
}

/** How much of an input was read. */
export interface ReadShare {
  /** Bytes read from the input, and the size of the input if known. Both are sizes before decompression. */
  readonly readBytes: number;
  readonly totalBytes: number | undefined;
  /** The part of `readBytes` that an earlier process read. */
  readonly earlierBytes: number;
  readonly elapsedMs: number;
}

/** Returns the percentage of the input that was read, and the remaining time, estimated from the mean speed of this process. */
export function leftText({ readBytes, totalBytes, earlierBytes, elapsedMs }: ReadShare): string | undefined {
  if (totalBytes === undefined || totalBytes === 0) return undefined;
  const share = Math.min(1, readBytes / totalBytes);
  if (share === 1) return "all read";
  const own = readBytes - earlierBytes;
  const left = own === 0 ? "" : `, ${durationText((elapsedMs / own) * (totalBytes - readBytes))} left`;
  return `${Math.floor(share * 100)} %${left}`;
}
