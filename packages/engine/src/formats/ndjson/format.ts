// The input format NDJSON, also called JSON Lines: its name, its file endings and its reader.
import type { InputFormat } from "../../records/batch.ts";
import { readNdjson } from "./read.ts";

/** NDJSON. */
export const ndjson: InputFormat = {
  name: "ndjson",
  about: "one JSON object a line",
  endings: [".ndjson", ".jsonl", ".ldjson", ".json"],
  recordsAre: "lines",
  read: readNdjson,
};
