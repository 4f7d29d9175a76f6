// What a run has come to and the width of a terminal in, one line about it out, never wider: what matters least is left out first.
import { bytesText, durationText, numberText } from "../../../shell/figures.ts";

/** What a run has come to. */
export interface ProgressView {
  readonly records: number;
  /** Of late. */
  readonly recordsPerSecond: number;
  readonly origins: {
    readonly known: number;
    readonly fetched: number;
    readonly failed: number;
    readonly inFlight: number;
  };
  /** Records that wait for their robots.txt: their bytes in memory, and how many wait in a file. */
  readonly parkedBytes: number;
  readonly parkedInFile: number;
  /** Of the input, compressed as it is; of all of it where that is known. */
  readonly readBytes: number;
  readonly totalBytes: number | undefined;
  /** What an earlier part of the run read, of `readBytes`. */
  readonly earlierBytes: number;
  readonly elapsedMs: number;
}

/** A part of the line; those of the highest rank go first. */
interface Part {
  readonly text: string;
  readonly rank: number;
}

/** The line; ASCII only, at most `columns - 1` wide, so that no terminal breaks it. */
export function progressLineOf(view: ProgressView, columns: number): string {
  const { records, recordsPerSecond, origins, parkedBytes, parkedInFile } = view;
  const parts: Part[] = [
    { text: `${numberText(records)} records`, rank: 0 },
    { text: `${numberText(recordsPerSecond)}/s`, rank: 2 },
    { text: `${numberText(origins.known)} origin${origins.known === 1 ? "" : "s"}`, rank: 4 },
    { text: `${numberText(origins.fetched)} fetched`, rank: 6 },
    ...(origins.failed === 0 ? [] : [{ text: `${numberText(origins.failed)} failed`, rank: 5 }]),
    ...(origins.inFlight === 0 ? [] : [{ text: `${numberText(origins.inFlight)} in flight`, rank: 3 }]),
    ...(parkedBytes + parkedInFile === 0 ? [] : [{ text: parkedText(parkedBytes, parkedInFile), rank: 7 }]),
    ...leftParts(view),
  ];
  const width = Math.max(1, columns - 1);
  for (let rank = 7; lineOf(parts).length > width && rank > 0; rank--) {
    const at = parts.findIndex((part) => part.rank === rank);
    if (at >= 0) parts.splice(at, 1);
  }
  return lineOf(parts).slice(0, width);
}

function lineOf(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join(", ");
}

function parkedText(bytes: number, inFile: number): string {
  if (inFile === 0) return `parked ${bytesText(bytes)}`;
  return `parked ${bytesText(bytes)} and ${numberText(inFile)} in a file`;
}

/** How much of the input was read, and how long the rest takes at the mean speed so far. */
function leftParts({ readBytes, totalBytes, earlierBytes, elapsedMs }: ProgressView): readonly Part[] {
  if (totalBytes === undefined || totalBytes === 0) return [];
  const share = Math.min(1, readBytes / totalBytes);
  if (share === 1) return [{ text: "all read", rank: 1 }];
  const own = readBytes - earlierBytes;
  const left = own === 0 ? "" : `, ${durationText((elapsedMs / own) * (totalBytes - readBytes))} left`;
  return [{ text: `${Math.floor(share * 100)} %${left}`, rank: 1 }];
}
