// Finds the captured URL in lines of web archive indexes: CDX with any columns, and CDXJ as in Common Crawl.
import type { LineLogFormat, LineParser, LogProblem, LogRequest } from "./types.ts";

/** CDX with or without a header line, and CDXJ (key, timestamp, JSON). */
export const cdx: LineLogFormat = {
  name: "cdx",
  about: "web archive indexes: CDX and CDXJ, as of Common Crawl",
  facts: ["time", "status"],
  namesHost: true,
  recognizes: (line) =>
    /^ ?CDX( [A-Za-z]){3,} *$/.test(line) ||
    /^[^ ]{1,4096} \d{4,14} \{"/.test(line) ||
    /^[^ )]{1,4096}\)[^ ]{0,4096} \d{14} [^ ]/.test(line),
  isHeading: (line) => heading.test(line),
  createParser,
  samples: {
    record: 'example)/{other} 20240722120756 {"url": "{url}"}',
    broken: ['example)/ 20240722120756 {"url"', "oops"],
    fragments: [
      " CDX N b a m s",
      "com,a)/ 20240722120756 http://a.example/ text/html 200",
      'com,a)/ 20240722120756 {"url":"http://a.example/"}',
      " {",
      "}",
      "\\u00",
    ],
  },
};

const heading = /^ ?CDX((?: [A-Za-z])+) *$/;

const notALine: LogProblem = { code: "not-a-log-line", message: "is not a line of an index" };
const noUrl: LogProblem = { code: "no-url", message: "has no URL" };

/**
 * The minimum number of fields of a line, and the index of each field that the parser reads; -1 for a column that the index does not have.
 */
interface Layout {
  readonly count: number;
  readonly time: number;
  readonly url: number;
  readonly status: number;
}

/** The layout of an index without a header line, as index servers send it: key, timestamp, URL, type, status, and others. */
const usual: Layout = { count: 3, time: 1, url: 2, status: 4 };

function createParser(): LineParser {
  let layout = usual;
  return (line) => {
    const header = heading.exec(line)?.[1]?.trim().split(" ");
    if (header !== undefined) {
      const url = header.indexOf("a");
      if (url < 0) return noUrl;
      layout = { count: header.length, time: header.indexOf("b"), url, status: header.indexOf("s") };
      return undefined;
    }
    const json = line.indexOf(" {");
    if (json >= 0 && /^[^ ]+ \d{4,14}$/.test(line.slice(0, json))) return captureOf(line, json + 1);
    const fields = line.split(" ");
    if (fields.length < layout.count) return notALine;
    return requestOf(fields[layout.url], fields[layout.time], fields[layout.status]);
  };
}

function requestOf(
  url: string | undefined,
  time: string | undefined,
  status: string | undefined,
): LogRequest | LogProblem {
  if (url === undefined || url === "" || url === "-") return noUrl;
  return {
    method: undefined,
    target: url,
    scheme: undefined,
    host: undefined,
    userAgent: undefined,
    // The times of an index are in UTC.
    time: time === undefined ? undefined : `${time}Z`,
    client: undefined,
    status: status === "-" ? undefined : status,
    bytes: undefined,
    referer: undefined,
  };
}

function captureOf(line: string, jsonAt: number): LogRequest | LogProblem {
  let capture: unknown;
  try {
    capture = JSON.parse(withoutUnicodeEscapes(line.slice(jsonAt)));
  } catch {
    return notALine;
  }
  const { url, status } = capture as { readonly url?: unknown; readonly status?: unknown };
  if (typeof url !== "string") return noUrl;
  const time = line.slice(line.indexOf(" ") + 1, jsonAt - 1);
  return requestOf(url, time, typeof status === "string" || typeof status === "number" ? String(status) : undefined);
}

/** A JSON text whose escapes of non-ASCII characters are decoded to UTF-8 bytes, like the rest of the line. */
function withoutUnicodeEscapes(json: string): string {
  if (!json.includes("\\u")) return json;
  return json.replaceAll(/(?:\\u[0-9a-fA-F]{4})+|\\./g, (escapes) => {
    if (!escapes.startsWith("\\u")) return escapes;
    // A lone surrogate cannot be encoded in UTF-8. Control characters, quotes and backslashes remain escaped.
    const text = (JSON.parse(`"${escapes}"`) as string).replaceAll(/\p{Surrogate}/gu, "\ufffd");
    return JSON.stringify(text)
      .slice(1, -1)
      .replaceAll(/[^\0-\x7f]+/gu, utf8Of);
  });
}

/** The UTF-8 bytes of a text as a Latin-1 string. */
function utf8Of(text: string): string {
  return encodeURIComponent(text).replaceAll(/%([0-9A-F]{2})/g, (_all, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
}
