// Recorded answers of Google's C++ parser, read from gzipped NDJSON: fixtures of this package, or the shared folder.
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** A robots.txt with the answers recorded for it. */
export interface RecordedFile {
  readonly id: string;
  readonly robots?: string;
  readonly robots_b64?: string;
  readonly cases: readonly RecordedCase[];
}

export interface RecordedCase {
  readonly agents: readonly string[];
  readonly url: string;
  readonly expected: boolean;
  /** The matching line, 0 for none. */
  readonly line: number;
}

/** The lines of a gzipped NDJSON file beside the tests. */
export function fixture<Row>(name: string): Row[] {
  return rowsOf(new URL(`./fixtures/${name}.ndjson.gz`, import.meta.url));
}

/** The folder named by ROBOTS_STREAM_SHARED, else the folder `shared` beside the repository. It need not exist. */
export const sharedFolder: URL = process.env["ROBOTS_STREAM_SHARED"]
  ? new URL(`file://${process.env["ROBOTS_STREAM_SHARED"]}/`)
  : new URL("../../../../shared/", import.meta.url);

/** The lines of a file in the shared folder; undefined when the file does not exist. */
export function shared<Row>(path: string): Row[] | undefined {
  const file = new URL(path, sharedFolder);
  return existsSync(file) ? rowsOf(file) : undefined;
}

function rowsOf<Row>(file: URL): Row[] {
  const text = gunzipSync(readFileSync(file)).toString("utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
}

/** The bytes of a recorded file. */
export function bytesOf(row: { readonly robots?: string; readonly robots_b64?: string }): Uint8Array {
  return row.robots_b64 === undefined
    ? new TextEncoder().encode(row.robots)
    : new Uint8Array(Buffer.from(row.robots_b64, "base64"));
}
