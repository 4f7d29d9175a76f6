// Defines the data of a report's plots.
import type { Verification } from "../states/states.ts";

/** Numbers of requests of one day, by name. `day`: days since 1970-01-01, in the report's time zone. */
export type DayCounts<Name extends string> = Readonly<Record<Name, number>> & { readonly day: number };

/** One day of the plot of states. */
export type DayBar = DayCounts<"allowed" | "grace" | "violation" | "notBound" | "undecidable">;

/** The purposes with a colour of their own in the plot of purposes, from the bottom to the top, and all others. */
export const plotPurposes = [
  "search",
  "ai-search",
  "ai-assistant",
  "ai-training",
  "ads",
  "seo",
  "social",
  "other",
] as const;

/** One day of the plot of purposes. */
export type PurposeBar = DayCounts<(typeof plotPurposes)[number]>;

/** An event with a label in a plot. */
export interface PlotEvent {
  readonly atSeconds: number;
  /** Days since 1970-01-01 with their fraction, in the report's time zone. */
  readonly days: number;
  readonly text: string;
}

/** The fetches of one crawler. */
export interface Lane {
  readonly crawler: string;
  readonly verification: Verification;
  /** The hours with a successful fetch, each as its first second. */
  readonly fetches: readonly number[];
}

/** The lanes of one origin, and the bands of its versions and outages. */
export interface Lanes {
  readonly origin: string;
  /** The period that is drawn, in seconds since 1970. Fetches may lie outside it. */
  readonly from: number;
  readonly to: number;
  readonly bands: readonly {
    readonly from: number;
    readonly to: number;
    readonly label: string;
    readonly isOutage: boolean;
  }[];
  readonly lanes: readonly Lane[];
  /** Whether the log is a sample; fetches may then be missing. */
  readonly isSampled: boolean;
}
