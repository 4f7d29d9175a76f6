// Finds saved files that are no robots.txt, before they are read as one that allows everything.
import { type OptionName } from "../common/caller-words.ts";
import { sitemaps } from "@robots-stream/core/records";
import { printableOf, shownWordOf } from "../common/text.ts";
import { robotsOf } from "./parsed.ts";
import { archiveHint, isArchive, unusable } from "./saved-kind.ts";
import type { SourcedRobots } from "./types.ts";

type Parsed = Pick<SourcedRobots, "robotsIn">;
type Warn = (sentence: string) => void;

/** Matches a text with a line that is neither blank nor a comment. */
const hasText = /^[ \t]*[^#\s]/mu;
/** Matches control characters that no text has. */
// oxlint-disable-next-line no-control-regex
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;
const webPage = /^(?:\xef\xbb\xbf)?\s*</;
const archiveName = /\.(?:ndjson|jsonl|warc|sqlite3?|gz|zst|robots)$/i;

/**
 * Checks a file that is given as the robots.txt of an origin or of all origins. `warn` is called if the file has text, but no user-agent
 * line. Throws a `UsageError` for an archive, and for such a file if it has the name of an archive or binary data. `from`: the option that
 * names the file.
 */
export function checkRobotsFile(
  path: string,
  bytes: Uint8Array,
  warn: Warn,
  { from = "robots", robots = robotsOf(bytes) }: { readonly from?: OptionName; readonly robots?: Parsed } = {},
): void {
  if (isArchive(bytes)) throw unusable(path, isAnArchive, archiveHint, from);
  if (!isWithoutRules(bytes, robots)) return;
  if (archiveName.test(path) || binary.test(beginningOf(bytes))) {
    throw unusable(path, "is neither an archive nor a robots.txt with a user-agent line", archiveHint, from);
  }
  warn(`${shownWordOf(path)} has no user-agent line, so it allows every URL`);
}

/**
 * Checks one of many files in a folder, as servers sent them. `warn` is called for a web page and for binary data, which allow every URL.
 * Throws an error for an archive.
 */
export function checkFileOfFolder(path: string, bytes: Uint8Array, warn: Warn, robots: Parsed = robotsOf(bytes)): void {
  if (isArchive(bytes)) throw new Error(isAnArchive);
  const beginning = beginningOf(bytes);
  const kind = webPage.test(beginning) ? "a web page" : binary.test(beginning) ? "binary data" : undefined;
  // Other files are not parsed here, because a folder may have a hundred thousand files.
  if (kind === undefined || !isWithoutRules(bytes, robots)) return;
  warn(`${printableOf(path)} is ${kind} without a user-agent line, so it allows every URL`);
}

const isAnArchive = "is an archive or a part of one, not one robots.txt";

function beginningOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1", 0, 512);
}

function isWithoutRules(bytes: Uint8Array, robots: Parsed): boolean {
  // The matchers of the google dialect use the same parsed file.
  const parsed = robots.robotsIn("google")!;
  if (parsed.groups.length > 0 || sitemaps(parsed).length > 0) return false;
  return hasText.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
}
