// Makes the lines about a run on stderr: its progress, a loaded robots.txt (--verbose), and the counts at its end.
import { formatInsteadOf } from "@robots-stream/core/internal";
import { printableOf, type SourcedRobots, type Tally } from "@robots-stream/engine/internal";
import { parseTarget } from "@robots-stream/url";
import { bytesText, countText, durationText, numberText } from "../../../cli/figures.ts";
import { fittedLine, leftText, type Measured, type ReadShare } from "../../../cli/progress.ts";
import type { Paint } from "../../../cli/terminal.ts";

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

const colours = { successful: "green", unavailable: "yellow", unreachable: "red" } as const;

/** Makes the line. Control characters in names and codes are escaped. `file`: the path of the origin's saved file, if it has one. */
export function originTextOf(
  origin: string,
  { access, code, fetched, body, exchange }: Pick<SourcedRobots, "access" | "code" | "fetched" | "body" | "exchange">,
  file: string | undefined,
  paint: Paint,
): string {
  const parts = [`${printableOf(origin)}: ${paint(colours[access], access)}`, printableOf(code)];
  const format = access === "successful" && body !== undefined ? formatInsteadOf(body) : undefined;
  if (format !== undefined) parts.push(`${format}, not a robots.txt`);
  if (exchange === undefined) return [...parts, file === undefined ? "no file" : printableOf(file)].join(", ");
  const { status, ms, endedAt, bytes, urls } = exchange;
  if (status !== undefined && code !== `http-${status}`) parts.push(`status ${status}`);
  if (ms !== undefined) parts.push(durationText(ms));
  if (bytes > 0) parts.push(bytesText(bytes));
  // Shows only the origin of the last redirect's URL, because the server controls the rest of the URL.
  const last = parseTarget(urls.at(-1) ?? "")?.origin;
  if (urls.length > 1) parts.push(`${urls.length} hops${last === undefined ? "" : ` to ${printableOf(last)}`}`);
  if (!fetched) parts.push(`from the cache of ${new Date(endedAt).toISOString()}`);
  return parts.join(", ");
}

/**
 * Returns "12 allowed, 4 disallowed, 1 undecided · 7 origins · 0.08 s". The counts of allowed, disallowed and undecided are counts of
 * decisions: one for each record, agent and dialect. `ms`: the duration of the run.
 */
export function countsLineOf(tally: Tally, ms: number): string {
  const { questions, noCrawler, rejects, notDecided, outside, rowsLeftOut, origins } = tally;
  const sum = (name: "allowed" | "disallowed" | "undecided"): number =>
    questions.reduce((all, question) => all + question[name], 0);
  const decisions = [
    `${numberText(sum("allowed"))} allowed`,
    `${numberText(sum("disallowed"))} disallowed`,
    `${numberText(sum("undecided"))} undecided`,
    ...(noCrawler === 0 ? [] : [`${numberText(noCrawler)} of no crawler`]),
  ];
  const parts = [
    decisions.join(", "),
    ...(rowsLeftOut === 0 ? [] : [`${countText(rowsLeftOut, "row")} left out`]),
    ...(rejects === 0 ? [] : [countText(rejects, "reject")]),
    ...(outside === 0 ? [] : [`${countText(outside, "record")} outside the time`]),
    ...(notDecided === 0 ? [] : [`${countText(notDecided, "record")} not decided`]),
    countText(origins, "origin"),
    ms < 9_995 ? `${(ms / 1_000).toFixed(2)} s` : durationText(ms),
  ];
  return parts.join(" · ");
}
