// Makes a progress line from the state of a run. On a narrow terminal, the line lacks its less important parts.
import { printableOf } from "@robots-stream/engine/internal";
import { bytesText, countText, durationText, numberText } from "../../../cli/figures.ts";

export interface ProgressView {
  readonly records: number;
  /** Records per second over the most recent updates. */
  readonly recordsPerSecond: number;
  readonly origins: {
    readonly known: number;
    readonly fetched: number;
    readonly failed: number;
    readonly inFlight: number;
  };
  /** Bytes of the records in memory, and number of the records in the spill file, that wait for their robots.txt. */
  readonly parkedBytes: number;
  readonly parkedInFile: number;
  /** Bytes read from the input, and the size of the input if known. Both are sizes before decompression. */
  readonly readBytes: number;
  readonly totalBytes: number | undefined;
  /** The part of `readBytes` that an earlier process read. */
  readonly earlierBytes: number;
  readonly elapsedMs: number;
  /** The longest running load, if this load is slow. */
  readonly waitsFor?: { readonly origin: string; readonly ms: number } | undefined;
}

/** A part of the line. The part with the highest rank is left out first; the part with rank 0 is never left out. */
interface Part {
  readonly text: string;
  readonly rank: number;
}

/** Makes the line. The line is ASCII and has at most `columns - 1` characters, so that no terminal wraps it. */
export function progressLineOf(view: ProgressView, columns: number): string {
  const { records, recordsPerSecond, origins, parkedBytes, parkedInFile, waitsFor } = view;
  const parts: Part[] = [
    { text: countText(records, "record"), rank: 0 },
    { text: `${numberText(recordsPerSecond)}/s`, rank: 2 },
    { text: countText(origins.known, "origin"), rank: 4 },
    { text: `${numberText(origins.fetched)} fetched`, rank: 7 },
    ...(origins.failed === 0 ? [] : [{ text: `${numberText(origins.failed)} failed`, rank: 5 }]),
    ...(origins.inFlight === 0 ? [] : [{ text: `${numberText(origins.inFlight)} in flight`, rank: 3 }]),
    ...(parkedBytes + parkedInFile === 0 ? [] : [{ text: parkedText(parkedBytes, parkedInFile), rank: 8 }]),
    ...leftParts(view),
    ...(waitsFor === undefined ? [] : [{ text: waitsText(waitsFor), rank: 6 }]),
  ];
  const width = Math.max(1, columns - 1);
  for (let rank = 8; lineOf(parts).length > width && rank > 0; rank--) {
    const at = parts.findIndex((part) => part.rank === rank);
    if (at >= 0) parts.splice(at, 1);
  }
  return lineOf(parts).slice(0, width);
}

function lineOf(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join(", ");
}

function waitsText({ origin, ms }: NonNullable<ProgressView["waitsFor"]>): string {
  return `${printableOf(origin)} takes ${durationText(ms)}`;
}

function parkedText(bytes: number, inFile: number): string {
  if (inFile === 0) return `parked ${bytesText(bytes)}`;
  return `parked ${bytesText(bytes)} and ${numberText(inFile)} in a file`;
}

/** Returns the percentage of the input that was read, and the remaining time, estimated from the mean speed of this process. */
function leftParts({ readBytes, totalBytes, earlierBytes, elapsedMs }: ProgressView): readonly Part[] {
  if (totalBytes === undefined || totalBytes === 0) return [];
  const share = Math.min(1, readBytes / totalBytes);
  if (share === 1) return [{ text: "all read", rank: 1 }];
  const own = readBytes - earlierBytes;
  const left = own === 0 ? "" : `, ${durationText((elapsedMs / own) * (totalBytes - readBytes))} left`;
  return [{ text: `${Math.floor(share * 100)} %${left}`, rank: 1 }];
}
