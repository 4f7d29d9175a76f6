// Shows the entries of a cache as text, as JSON or only as robots.txt files: one line for each origin, the fetches of an origin, sitemaps.
import { createHash } from "node:crypto";
import { parseRobotsTxt } from "@robots-stream/core";
import { sitemaps } from "@robots-stream/core/records";
import { visibleJsonOf } from "@robots-stream/core/internal";
import { printableOf } from "@robots-stream/engine/internal";
import type { StoredRobots } from "@robots-stream/fetch";
import { jsonOfStored } from "@robots-stream/fetch/json";
import { exitCodes } from "../../cli/exit-codes.ts";
import { type ActionContext, originOf } from "./command.ts";

/** Number of characters of a list that are written at once. */
const mostText = 65_536;

/** Lists the newest entry of every origin that contains one of the named texts, or of all origins if no text is named. */
export function listEntries(context: ActionContext): Promise<number> {
  return list(context, lineOf);
}

/** Lists the sitemaps of the same origins. URLs are listed as they are written in the robots.txt files. */
export function listSitemaps(context: ActionContext): Promise<number> {
  return list(context, sitemapLinesOf);
}

async function list(
  { command, store, write }: ActionContext,
  linesOfEntry: (entry: StoredRobots, isJson: boolean) => string,
): Promise<number> {
  const texts = command.names.map((name) => name.toLowerCase());
  const isJson = command.output.format.name === "ndjson";
  for (const batch of store.newest()) {
    let text = "";
    for (const entry of batch) {
      if (texts.length > 0 && !texts.some((each) => entry.origin.includes(each))) continue;
      text += linesOfEntry(entry, isJson);
      if (text.length < mostText) continue;
      await write(text);
      text = "";
    }
    await write(text);
  }
  return exitCodes.done;
}

/** Returns the line for an entry, as JSON or as columns for people. */
function lineOf(entry: StoredRobots, isJson: boolean): string {
  const { origin, fetchedAt, freshUntil, access, code, status } = entry;
  const bytes = entry.body?.byteLength;
  if (isJson)
    return `${visibleJsonOf(JSON.stringify({ origin, fetchedAt, freshUntil, access, code, status, bytes }))}\n`;
  const columns = [
    isoOf(fetchedAt),
    access.padEnd(11),
    printableOf(code, 30).padEnd(15),
    String(bytes ?? "").padStart(7),
  ];
  return `${columns.join("  ")}  ${printableOf(origin, 300)}\n`;
}

/** Converts milliseconds since 1970 to ISO 8601. */
export function isoOf(ms: number): string {
  // Larger values are shown as the latest date that JavaScript can represent.
  return new Date(Math.min(ms, 8_640_000_000_000_000)).toISOString();
}

/** Maximum length of a sitemap's URL according to the sitemap protocol. Longer values are skipped. */
const longestSitemap = 2_048;

/** Returns one line for each sitemap that the robots.txt of an entry names. During an outage, the last copy of the robots.txt is read. */
function sitemapLinesOf({ origin, body, lastCopy }: StoredRobots, isJson: boolean): string {
  const bytes = body ?? lastCopy?.body;
  if (bytes === undefined) return "";
  return sitemaps(parseRobotsTxt(bytes))
    .filter(({ value }) => value !== "" && value.length <= longestSitemap)
    .map(({ value, line }) =>
      isJson
        ? `${visibleJsonOf(JSON.stringify({ origin, sitemap: value, line }))}\n`
        : `${printableOf(value, longestSitemap)}\n`,
    )
    .join("");
}

/**
 * Shows the entry of each named origin. Resolves to the exit code: 1 if the cache has no entry for one of the origins, and with `--body`
 * also if an entry has no robots.txt.
 */
export async function showOrigins(context: ActionContext): Promise<number> {
  const { command, store, say, write } = context;
  const { flags, names, output } = command;
  const isJson = output.format.name === "ndjson";
  const [isHistory, isBody, atMs] = [flags.get("history"), flags.get("body"), flags.get("at")];
  const entriesOf = (origin: string): readonly StoredRobots[] => {
    if (isHistory) return store.history(origin);
    const entry = atMs === undefined ? store.get(origin) : store.at(origin, atMs);
    return entry === undefined ? [] : [entry];
  };
  let isFirst = true;
  let exitCode: number = exitCodes.done;
  for (const origin of new Set(names.map(originOf))) {
    const entries = entriesOf(origin);
    if (entries.length === 0) {
      const when = atMs === undefined ? "" : ` at ${isoOf(atMs)}`;
      say(`there is no entry for ${printableOf(origin, 300)}${when}`);
      exitCode = exitCodes.conditionMet;
    }
    if (isHistory) {
      await write(entries.map((entry) => lineOf(entry, isJson)).join(""));
      continue;
    }
    for (const entry of entries) {
      if (!isJson && !isBody && !isFirst) await write("\n");
      isFirst = false;
      await write(isJson ? `${visibleJsonOf(JSON.stringify(jsonOfStored(entry)))}\n` : shown(entry, context));
      if (isBody && entry.body === undefined) {
        say(`no robots.txt: ${entry.access}, ${printableOf(entry.code, 30)}`);
        exitCode = exitCodes.conditionMet;
      }
    }
  }
  return exitCode;
}

/** An entry as text, or its robots.txt: unchanged for a file or pipe, and for a terminal with control characters as escapes. */
function shown(entry: StoredRobots, { command, stdout }: ActionContext): string | Uint8Array {
  if (!command.flags.get("body")) return textOf(entry);
  const body = entry.body ?? new Uint8Array(0);
  if (stdout.isTTY !== true) return body;
  return linesOf(body)
    .map((line) => `${line}\n`)
    .join("");
}

function textOf(entry: StoredRobots): string {
  const { origin, fetchedAt, freshUntil, access, code, status, hops, headers, unreachableSince, lastCopy, body } =
    entry;
  const cut = entry.truncated === true ? ", cut" : "";
  const rows: readonly (readonly [what: string, value: string | undefined])[] = [
    ["origin", origin],
    ["fetched", isoOf(fetchedAt)],
    ["fresh until", isoOf(freshUntil)],
    ["result", `${access}, ${code}${status === undefined ? "" : `, status ${status}`}`],
    ...hops.map(({ url, status: answered }, at) => [at === 0 ? "asked" : "then", `${url} ${answered}`] as const),
    ...Object.entries(headers ?? {}).map(
      ([name, value], at) => [at === 0 ? "headers" : "", `${name}: ${value}`] as const,
    ),
    ["unreachable", unreachableSince === undefined ? undefined : `since ${isoOf(unreachableSince)}`],
    ["before that", lastCopy && `${isoOf(lastCopy.fetchedAt)}: ${lastCopy.access}, ${lastCopy.code}`],
    ["body", body && `${body.byteLength} bytes${cut}, sha256 ${createHash("sha256").update(body).digest("hex")}`],
  ];
  const head = rows
    .map(([what, value]) => (value === undefined ? "" : `${what.padEnd(13)}${printableOf(value, 1_000)}\n`))
    .join("");
  const lines = linesOf(body ?? lastCopy?.body ?? new Uint8Array(0));
  const width = String(lines.length).length;
  const text = lines.map((line, at) => `${String(at + 1).padStart(width + 2)} | ${line}\n`).join("");
  return text === "" ? head : `${head}\n${text}`;
}

/** Returns the lines of a robots.txt, with tabs as spaces and other control characters as escapes. */
function linesOf(body: Uint8Array): readonly string[] {
  if (body.byteLength === 0) return [];
  const lines = Buffer.from(body)
    .toString("utf8")
    .split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => printableOf(line.replaceAll("\t", " "), 2_000));
}
