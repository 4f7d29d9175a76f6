// Converts an observation of a robots.txt to the capture that a census counts, by Google's access policy.
import type { CensusCapture } from "@robots-stream/census";
import type { Observation } from "@robots-stream/fetch/history";

/** The capture of an observation. Its time is the latest second at which the observation may have been made. */
export function captureOf({ access, atSeconds, toSeconds = atSeconds, sha256 }: Observation): CensusCapture {
  const result = typeof access === "string" ? access : access.google;
  if (result === "successful") return { atSeconds: toSeconds, result: "robots-txt", version: sha256 };
  const names = { unavailable: "not-found", unreachable: "unreachable", unknown: "unread" } as const;
  return { atSeconds: toSeconds, result: names[result] };
}
