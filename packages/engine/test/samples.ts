// Makes records from the samples of a format and a URL, for the tests of all formats.
import type { FormatSamples } from "../src/formats/input-format.ts";

/** The parts from which a test builds a source. */
export interface Records {
  /** The line before the records; "" for none. */
  readonly header: string;
  record(url: string): string;
  readonly longRecords: readonly string[];
  /** A line that is a reject; undefined where every line is a record. */
  readonly bad: string | undefined;
  /** Whether records contain another text, "ü", besides their URL. */
  readonly hasOther: boolean;
}

/** The records that samples describe. */
export function recordsOf({ heading = "", record, longRecords = [], broken }: FormatSamples): Records {
  return {
    header: heading,
    record: (url) => filled(record, url),
    longRecords: longRecords.map((each, at) => filled(each, `https://a.example/long/${at}`)),
    bad: broken[0],
    hasOther: record.includes("{other}"),
  };
}

function filled(template: string, url: string): string {
  const [, scheme = "", host = "", path = "", query = ""] = /^(https?):..([^/]*)([^?]*)\??(.*)$/.exec(url) ?? [];
  const target = query === "" ? path : `${path}?${query}`;
  const parts = { url, scheme, host, path, query: query === "" ? "-" : query, target, other: "ü" };
  return Object.entries(parts).reduce((text, [name, part]) => text.replaceAll(`{${name}}`, () => part), template);
}
