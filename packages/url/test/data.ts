// Test data: fixtures of this package, and files of the shared folder beside the repository.
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** The content of a JSON file beside the tests. */
export function fixture<Content>(name: string): Content {
  return JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), "utf8")) as Content;
}

/** The content of a JSON file in the shared folder (or the folder named by ROBOTS_STREAM_SHARED); undefined when there is no such file. */
export function shared<Content>(path: string): Content | undefined {
  const bytes = sharedBytes(path);
  return bytes && (JSON.parse(bytes.toString("utf8")) as Content);
}

/** The rows of a gzipped NDJSON file in the shared folder; undefined when there is no such file. */
export function sharedRows<Row>(path: string): Row[] | undefined {
  const bytes = sharedBytes(path);
  if (bytes === undefined) return undefined;
  const lines = gunzipSync(bytes).toString("utf8").split("\n");
  return lines.filter(Boolean).map((line) => JSON.parse(line) as Row);
}

function sharedBytes(path: string): Buffer | undefined {
  const folder = process.env["ROBOTS_STREAM_SHARED"];
  const file = folder ? new URL(`file://${folder}/${path}`) : new URL(`../../../../shared/${path}`, import.meta.url);
  return existsSync(file) ? readFileSync(file) : undefined;
}
