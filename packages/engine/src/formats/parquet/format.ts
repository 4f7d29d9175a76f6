// The input format Apache Parquet: prepare.ts turns the columns that a run needs into lines of JSON, which the reader of NDJSON reads.
import type { InputFormat } from "../../records/batch.ts";
import { readNdjson } from "../ndjson/read.ts";

/** Apache Parquet. The library that reads it is loaded for the first such file. */
export const parquet: InputFormat = {
  name: "parquet",
  about: "Apache Parquet; only the columns needed are read",
  endings: [".parquet"],
  recordsAre: "lines",
  hasFields: true,
  read: readNdjson,
};
