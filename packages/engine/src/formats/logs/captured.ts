// Finds the host and the User-Agent header in the bytes of a field with captured headers.
import { type LogPattern, mostCaptured } from "@robots-stream/logs";
import { ByteMemo } from "../../records/byte-memo.ts";
import { firstPlaceOf } from "../../records/words.ts";
import { capturedPlaces } from "./scan.ts";

/** "|" in each byte of a word. */
const bars = 0x7c7c7c7c;

/** Finds the two headers in a field whose values are separated by "|". */
export class CapturedHeaders {
  readonly #kinds: ByteMemo<"host" | "userAgent" | undefined>;

  constructor(pattern: LogPattern) {
    this.#kinds = new ByteMemo((value) => pattern.capturedKindOf?.(value));
  }

  /**
   * Sets the last four numbers of `places`: start and end of the host, then of the User-Agent header, in the field at index `field` of
   * `places`. Start and end of a missing header are 0. Start and end of the host are also 0 when several values are hosts. Only the first
   * `mostCaptured` values are examined.
   */
  find(bytes: Buffer, view: DataView, places: Int32Array, field: number): void {
    const hostAt = places.length - capturedPlaces;
    const end = places[field + 1]!;
    let from = places[field]!;
    let hosts = 0;
    for (let place = hostAt; place < places.length; place++) places[place] = 0;
    for (let count = 0; count < mostCaptured && from <= end; count++) {
      const to = firstPlaceOf(bars, view, from, end);
      const kind = beginsWithProduct(bytes, from, to) ? "userAgent" : this.#kinds.resultOf(bytes, from, to);
      const place = kind === "host" ? hostAt : hostAt + 2;
      if (kind === "host") hosts++;
      if (kind !== undefined && places[place + 1] === 0) {
        places[place] = from;
        places[place + 1] = to;
      }
      from = to + 1;
    }
    if (hosts > 1) places[hostAt] = places[hostAt + 1] = 0;
  }
}

/** Maximum length in bytes of a product name that is recognized here. */
const longestName = 60;

/** Whether a value begins with a product name and a version, like `Mozilla/5`, as nearly all User-Agent headers do, and no host does. */
function beginsWithProduct(bytes: Uint8Array, start: number, end: number): boolean {
  const stop = Math.min(end - 1, start + longestName);
  let at = start;
  while (at < stop && isLetter(bytes[at]!)) at++;
  const digit = bytes[at + 1]!;
  return at > start && at < stop && bytes[at] === slash && digit >= 0x30 && digit <= 0x39;
}

const slash = 0x2f;

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
