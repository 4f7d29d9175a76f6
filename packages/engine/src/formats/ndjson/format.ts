// The input formats whose records are JSON objects: NDJSON, also called JSON Lines; and Apache Parquet, of which sources/prepare.ts converts
// the needed columns to lines of JSON.
import { type InputFormat, isMost, isObjectLike } from "../input-format.ts";
import { readNdjson } from "./read.ts";

export const ndjson: InputFormat = {
  name: "ndjson",
  about: "one JSON object per line",
  endings: [".ndjson", ".jsonl", ".ldjson", ".json"],
  recordsAreLines: true,
  hasFields: true,
  samples: {
    record: '{"url":"{url}","n":"{other}"}',
    broken: ['{"url":', "oops"],
    fragments: [
      '{"url":"x:1"}',
      '{"url":"\\u00fc","a":[{"b":1}]}',
      '{"url":1}',
      '{"a":"',
      "}",
      "[",
      "1e",
      '"url"',
      ":",
      ",",
      '{"url":"x","robots":1}',
    ],
  },
  // The first line may be damaged.
  recognize: ({ lines: [first = ""], wholeLines }) =>
    first.startsWith("{") || isMost(wholeLines, isObjectLike) ? "first-line" : undefined,
  // A bracket alone does not show an array, because lines of logs may begin with one: "[2026-01-01T00:00:00Z]", "[pid: 1".
  refuse: ({ lines: [first = ""] }) =>
    /^\[\s*(?:[{"[\]]|$)/.test(first)
      ? {
          what: "a JSON array, not one object a line",
          hint: "turn it into lines first: jq -c '.[]' FILE | robots-stream …",
        }
      : undefined,
  read: readNdjson,
};

/** Apache Parquet. The library that reads it is loaded for the first such file. */
export const parquet: InputFormat = {
  name: "parquet",
  about: "Apache Parquet; only the columns needed are read",
  endings: [".parquet"],
  recordsAreLines: true,
  hasFields: true,
  read: readNdjson,
};
