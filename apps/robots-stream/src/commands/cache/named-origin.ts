// Parses an origin or a URL on the command line, and returns its origin.
import { UsageError } from "@robots-stream/engine";
import { parseRequestUrl, shownWordOf } from "@robots-stream/engine/internal";

/** Returns the origin of a text that is an origin or a URL. Throws a `UsageError` for any other text. */
export function originOf(text: string): string {
  const origin = parseRequestUrl(text)?.origin;
  if (origin !== undefined) return origin;
  const meant = `https://${text}`;
  throw new UsageError(
    "wrong-value",
    `${shownWordOf(text, 100)}: this is neither an origin nor a URL`,
    parseRequestUrl(meant) === undefined || shownWordOf(meant, Infinity) !== meant
      ? "for example: https://example.com"
      : `did you mean ${shownWordOf(meant, 100)}?`,
  );
}
