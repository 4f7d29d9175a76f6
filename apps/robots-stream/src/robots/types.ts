// Where robots.txt files come from: an origin in, what is in force for it out.
import type { Awaitable, LoadedRobots } from "@robots-stream/fetch";

/** Gives each origin's robots.txt; the app asks a remote one for each origin once a run, others as often as it forgot. */
export interface RobotsSource {
  /** Whether asking takes time worth running many at once. */
  readonly isRemote: boolean;
  /**
   * Loads that are under way and wait for a server's turn or time: they stand in nobody's way. Changes are told to `onWaiting`,
   * which whoever loads may set.
   */
  readonly waiting?: number;
  onWaiting?: () => void;
  /** Rejects with a `UsageError` for settings that cannot be, as far as that shows before anything is read. */
  check?(): Promise<void>;
  /** Never rejects for what the world does. May answer at once. Rejects when `signal` aborts. */
  load(origin: string, signal: AbortSignal): Awaitable<SourcedRobots>;
  close(): Awaitable<void>;
}

/** What the app uses of `LoadedRobots`. */
export interface SourcedRobots extends Pick<LoadedRobots, "access" | "fetched" | "robotsIn" | "matcherOf"> {
  /** What the access result rests on: "ok", "http-404", "timeout", "not-saved" … */
  readonly code: string;
  /** The file in force; what decides can be made of it again. Undefined where there is none, or nobody can tell. */
  readonly body?: Uint8Array | undefined;
  /** A redirect led from https to http, so whoever is in between can change the file. */
  readonly isDowngraded?: boolean;
}
