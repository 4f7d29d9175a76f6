// Makes the progress line of a run that decides records.
import { printableOf } from "@robots-stream/engine/internal";
import { bytesText, countText, durationText, numberText } from "../../../cli/figures.ts";
import { fittedLine, leftText, type ReadShare, type Measured } from "../../../cli/progress.ts";

export interface ProgressView extends ReadShare, Measured {
  readonly records: number;
  readonly origins: {
    readonly known: number;
    readonly fetched: number;
    readonly failed: number;
    readonly inFlight: number;
  };
  /** Bytes of the records in memory, and number of the records in the spill file, that wait for their robots.txt. */
  readonly parkedBytes: number;
  readonly parkedInFile: number;
  /** The longest running load, if this load is slow. */
  readonly waitsFor?: { readonly origin: string; readonly ms: number } | undefined;
}

/** The state of a run, without what is measured between two states. */
export type RunState = Omit<ProgressView, keyof Measured>;

/** Makes the line. The line is ASCII and has at most `columns - 1` characters, so that no terminal wraps it. */
export function progressLineOf(view: ProgressView, columns: number): string {
  const { records, recordsPerSecond, origins, parkedBytes, parkedInFile, waitsFor } = view;
  const left = leftText(view);
  const parts = [
    { text: countText(records, "record"), rank: 0 },
    { text: `${numberText(recordsPerSecond)}/s`, rank: 2 },
    { text: countText(origins.known, "origin"), rank: 4 },
    { text: `${numberText(origins.fetched)} fetched`, rank: 7 },
    ...(origins.failed === 0 ? [] : [{ text: `${numberText(origins.failed)} failed`, rank: 5 }]),
    ...(origins.inFlight === 0 ? [] : [{ text: `${numberText(origins.inFlight)} in flight`, rank: 3 }]),
    ...(parkedBytes + parkedInFile === 0 ? [] : [{ text: parkedText(parkedBytes, parkedInFile), rank: 8 }]),
    ...(left === undefined ? [] : [{ text: left, rank: 1 }]),
    ...(waitsFor === undefined ? [] : [{ text: waitsText(waitsFor), rank: 6 }]),
  ];
  return fittedLine(parts, columns);
}

function waitsText({ origin, ms }: NonNullable<ProgressView["waitsFor"]>): string {
  return `${printableOf(origin)} takes ${durationText(ms)}`;
}

function parkedText(bytes: number, inFile: number): string {
  if (inFile === 0) return `parked ${bytesText(bytes)}`;
  return `parked ${bytesText(bytes)} and ${numberText(inFile)} in a file`;
}
