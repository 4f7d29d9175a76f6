// Makes a progress line from the state of a run. To fit the width of the terminal, the least important parts are left out first.
import { printableOf } from "@robots-stream/engine/internal";
import { bytesText, durationText, numberText } from "../../../shell/figures.ts";

/** The state of a run. */
export interface ProgressView {
  readonly records: number;
  /** Records per second in the most recent updates. */
  readonly recordsPerSecond: number;
  readonly origins: {
    readonly known: number;
    readonly fetched: number;
    readonly failed: number;
    readonly inFlight: number;
  };
  /** Records that wait for their robots.txt: the bytes of the records in memory, and the number of records in the spill file. */
  readonly parkedBytes: number;
  readonly parkedInFile: number;
  /** Bytes read from the input, before decompression, and the size of the input if known. */
  readonly readBytes: number;
  readonly totalBytes: number | undefined;
  /** The part of `readBytes` that an earlier process read. */
  readonly earlierBytes: number;
  readonly elapsedMs: number;
  /** The origin whose load has taken the longest, if it takes long. */
  readonly waitsFor?: { readonly origin: string; readonly ms: number } | undefined;
}

/** A part of the line. Parts with the highest rank are left out first. */
interface Part {
  readonly text: string;
  readonly rank: number;
}

/** Makes the line. It is ASCII only and at most `columns - 1` wide, so that no terminal wraps it. */
export function progressLineOf(view: ProgressView, columns: number): string {
  const { records, recordsPerSecond, origins, parkedBytes, parkedInFile, waitsFor } = view;
  const parts: Part[] = [
    { text: `${numberText(records)} records`, rank: 0 },
    { text: `${numberText(recordsPerSecond)}/s`, rank: 2 },
    { text: `${numberText(origins.known)} origin${origins.known === 1 ? "" : "s"}`, rank: 4 },
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

/** The percentage of the input that was read, and the estimated remaining time at the mean speed so far. */
function leftParts({ readBytes, totalBytes, earlierBytes, elapsedMs }: ProgressView): readonly Part[] {
  if (totalBytes === undefined || totalBytes === 0) return [];
  const share = Math.min(1, readBytes / totalBytes);
  if (share === 1) return [{ text: "all read", rank: 1 }];
  const own = readBytes - earlierBytes;
  const left = own === 0 ? "" : `, ${durationText((elapsedMs / own) * (totalBytes - readBytes))} left`;
  return [{ text: `${Math.floor(share * 100)} %${left}`, rank: 1 }];
}
