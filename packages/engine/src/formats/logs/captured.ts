// The bytes of captured headers in, the places of the host and of the User-Agent header among them out.
import { type LogPattern, mostCaptured } from "@robots-stream/logs";
import { ByteMemo } from "../../records/byte-memo.ts";
import { capturedPlaces } from "./scan.ts";

const bar = 0x7c;

/** Finds the two headers in values that "|" separates. */
export class CapturedHeaders {
  readonly #kinds: ByteMemo<"host" | "userAgent" | undefined>;

  constructor(pattern: LogPattern) {
    this.#kinds = new ByteMemo((value) => pattern.capturedKindOf?.(value));
  }

  /** Puts the places of the host and the agent after those of the fields; empty ones for what is missing, and for several hosts. */
  find(bytes: Buffer, places: Int32Array, field: number): void {
    const hostAt = places.length - capturedPlaces;
    const end = places[field + 1]!;
    let from = places[field]!;
    let hosts = 0;
    places.fill(0, hostAt);
    for (let count = 0; count < mostCaptured && from <= end; count++) {
      let to = from;
      while (to < end && bytes[to] !== bar) to++;
      const kind = this.#kinds.resultOf(bytes, from, to);
      const place = kind === "host" ? hostAt : hostAt + 2;
      if (kind === "host") hosts++;
      if (kind !== undefined && places[place + 1] === 0) {
        places[place] = from;
        places[place + 1] = to;
      }
      from = to + 1;
    }
    if (hosts > 1) places.fill(0, hostAt, hostAt + 2);
  }
}
