// The samples of a format and a URL in, records of this URL out: what the tests of all formats make their sources of.
import type { FormatSamples } from "../src/formats/recognition.ts";

/** What makes the records of a source. */
export interface Records {
  /** A line before them; "" for none. */
  readonly header: string;
  record(url: string): string;
  readonly longRecords: readonly string[];
  /** A line that is a reject; undefined where every line is a record. */
  readonly bad: string | undefined;
  /** Whether records have a text besides their URL; it is "ü". */
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
