// Finds files that are no robots.txt: crawlers read no group in them, so they allow every URL.
import { dialectOf } from "../read/dialect.ts";
import { DirectiveCursor } from "../read/directives.ts";
import { USER_AGENT } from "../read/keys.ts";
import { foreignFormatOf, isUtf16 } from "./file.ts";

/** The maximum number of bytes of a file that are checked. Crawlers need not read more (RFC 9309 §2.5), and Google's crawlers do not. */
const mostBytes = 512_000;

/** The lines of a file as Google's parser reads them. */
export function cursorOf(bytes: Uint8Array): DirectiveCursor {
  return new DirectiveCursor(bytes, Math.min(bytes.length, mostBytes), dialectOf("google"));
}

/** Whether a file has a user-agent line, as Google's parser finds them: also without a colon. Then it can have rules. */
export function hasUserAgent(bytes: Uint8Array): boolean {
  const cursor = cursorOf(bytes);
  while (cursor.next()) if (cursor.kind === USER_AGENT) return true;
  return false;
}

/**
 * The format of a file that is clearly no robots.txt and has no user-agent line, such as "HTML", "UTF-16" or "binary data"; undefined for
 * any other file.
 */
export function formatInsteadOf(bytes: Uint8Array): string | undefined {
  const format = isUtf16(bytes) ? "UTF-16" : foreignFormatOf(bytes);
  return format === undefined || hasUserAgent(bytes) ? undefined : format;
}
