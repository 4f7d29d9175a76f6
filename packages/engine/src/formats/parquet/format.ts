// The input format Apache Parquet: sources/prepare.ts converts the needed columns to lines of JSON, and the reader of NDJSON reads them.
import type { InputFormat } from "../input-format.ts";
import { readNdjson } from "../ndjson/read.ts";

/** Apache Parquet. The library that reads it is loaded for the first such file. */
export const parquet: InputFormat = {
  name: "parquet",
  about: "Apache Parquet; only the columns needed are read",
  endings: [".parquet"],
  recordsAreLines: true,
  hasFields: true,
  read: readNdjson,
};
