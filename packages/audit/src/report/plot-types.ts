// The figures of the plots of a report as plain data.
import type { Verification } from "../states/states.ts";

/** One day of the plot of states. */
export interface DayBar {
  /** Days since 1970-01-01, in the report's time zone. */
  readonly day: number;
  readonly allowed: number;
  readonly grace: number;
  readonly violation: number;
  readonly notBound: number;
  readonly undecidable: number;
}

/** Something that is written into plots. */
export interface PlotEvent {
  readonly atSeconds: number;
  /** Days since 1970-01-01 with their fraction, in the report's time zone. */
  readonly days: number;
  readonly text: string;
}

/** Fetches of a crawler, for the lanes. */
export interface Lane {
  readonly crawler: string;
  readonly verification: Verification;
  /** Beginnings of the hours with a successful fetch. */
  readonly fetches: readonly number[];
}

/** The lanes of one origin. */
export interface Lanes {
  readonly origin: string;
  readonly from: number;
  readonly to: number;
  readonly bands: readonly {
    readonly from: number;
    readonly to: number;
    readonly label: string;
    readonly isOutage: boolean;
  }[];
  readonly lanes: readonly Lane[];
  /** Whether the log is a sample, in which a fetch may be missing. */
  readonly isSampled: boolean;
}
