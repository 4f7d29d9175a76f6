// Adds findings about other records: the crawlers that read a record, and the values of records (RFC 9309 §2.2.4).
import { textOf } from "../read/bytes.ts";
import { delaySecondsOf } from "../values/record-values.ts";
import type { DirectiveCursor } from "../read/directives.ts";
import { recordRowOf, sitemapRow } from "../read/keys.ts";
import type { FindingsList, Place } from "./findings-list.ts";
import type { LintGroup } from "./groups.ts";
import { checkHash } from "./patterns.ts";
import { type RecordType, recordTypes } from "./record-types.ts";
import { directiveInside } from "./spelling.ts";
import { checkUsage } from "./usage.ts";

/** The longest delay that is not reported as a probable mistake: one page in five minutes. */
const longestDelaySeconds = 300;
/** The maximum number of sitemaps that are kept to find repeated sitemaps. */
const mostSitemaps = 10_000;

/** Checks the other records of a file. */
export class RecordReader {
  readonly #list: FindingsList;
  readonly #told = new Set<string>();
  readonly #sitemaps = new Map<string, number>();

  constructor(list: FindingsList) {
    this.#list = list;
  }

  /** Checks the record in the cursor's line; `name` is its lower-case key. Unknown keys are ignored. */
  take(name: string, cursor: DirectiveCursor, group: LintGroup | undefined): void {
    const row = recordRowOf(name);
    const type = recordTypes[row];
    if (type === undefined) return;
    const { line, lineStart, keyStart, valueStart, valueEnd } = cursor;
    const keyPlace = { line, lineStart, at: keyStart };
    const place = { line, lineStart, at: valueStart };
    this.#checkReaders(type, keyPlace);
    if (type.scope === "group" && group === undefined) {
      this.#list.add("record-outside-group", keyPlace, () => ({ name: type.name }));
    }
    const inside = row === sitemapRow ? undefined : directiveInside(cursor.bytes, valueStart, valueEnd);
    if (inside !== undefined) {
      this.#list.add("several-directives", { ...place, at: inside.at }, () => ({ name: inside.name }));
    } else if (valueStart === valueEnd) this.#list.add("empty-record", keyPlace, () => ({ name: type.name }));
    else if (row === sitemapRow) this.#checkSitemap(cursor, place);
    else if (type.name === "crawl-delay") this.#checkDelay(cursor, place);
    else if (type.name === "license") this.#checkLicense(cursor, place);
    else if (type.name === "content-usage" || type.name === "content-signal") {
      checkUsage(this.#list, cursor, type.name, group);
    }
    if (type.name === "crawl-delay" && group !== undefined) this.#checkDelays(group, keyPlace);
  }

  /** Adds a finding about the crawlers that read a record, once for each record name of the file. */
  #checkReaders({ name, readers, source }: RecordType, place: Place): void {
    if (readers === undefined || name === "sitemap" || this.#told.has(name)) return;
    this.#told.add(name);
    if (name === "noindex") this.#list.add("noindex-record", place, () => ({}));
    else if (name === "host") this.#list.add("host-record", place, () => ({}));
    else if (readers.length === 0) this.#list.add("unread-record", place, () => ({ name, source }));
    else this.#list.add("partly-read-record", place, () => ({ name, readers: readers.join(", ") }));
  }

  #checkSitemap(cursor: DirectiveCursor, place: Place): void {
    const { bytes, line, lineStart, valueStart, valueEnd, lineEnd } = cursor;
    const list = this.#list;
    const value = list.shown(valueStart, valueEnd);
    const blank = firstBlank(bytes, valueStart, valueEnd);
    const scheme = /^([a-z][a-z0-9+.-]*):\/\/[^/]/i.exec(value)?.[1]?.toLowerCase();
    if (scheme === undefined) list.add("sitemap-relative", place, () => ({ value }));
    else if (scheme !== "http" && scheme !== "https") list.add("sitemap-scheme", place, () => ({ value, scheme }));
    else if (blank >= 0) list.add("sitemap-blank", { ...place, at: blank }, () => ({ value }));
    checkHash(list, cursor, (at) => ({ line, lineStart, at }), lineEnd);
    // A value that was cut is not compared with other values.
    if (value.endsWith("…")) return;
    const firstLine = this.#sitemaps.get(value);
    if (firstLine !== undefined) list.add("sitemap-repeated", place, () => ({ value, firstLine }));
    else if (this.#sitemaps.size < mostSitemaps) this.#sitemaps.set(value, line);
  }

  /** Adds a finding if the value of a License line is not an absolute URL (RSL 1.0). */
  #checkLicense({ valueStart, valueEnd }: DirectiveCursor, place: Place): void {
    const value = this.#list.shown(valueStart, valueEnd);
    if (!/^[a-z][a-z0-9+.-]*:\/\/[^/\s]\S*$/i.test(value)) this.#list.add("license-relative", place, () => ({ value }));
  }

  #checkDelay({ bytes, valueStart, valueEnd }: DirectiveCursor, place: Place): void {
    const seconds = delaySecondsOf(textOf(bytes, valueStart, valueEnd));
    if (seconds === undefined) {
      this.#list.add("crawl-delay-value", place, () => ({ value: this.#list.shown(valueStart, valueEnd) }));
    } else if (seconds > longestDelaySeconds) {
      // JSON has no infinity.
      this.#list.add("crawl-delay-large", place, () => ({ seconds: Math.min(seconds, Number.MAX_VALUE) }));
    }
  }

  /** Adds a finding if the group already has a crawl-delay. */
  #checkDelays(group: LintGroup, place: Place): void {
    const firstLine = group.crawlDelayLine;
    if (firstLine === 0) group.crawlDelayLine = place.line;
    else this.#list.add("crawl-delay-repeated", place, () => ({ firstLine }));
  }
}

function firstBlank(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) if (bytes[at] === 0x20 || bytes[at] === 0x09) return at;
  return -1;
}
