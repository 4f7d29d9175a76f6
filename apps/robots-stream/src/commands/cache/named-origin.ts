// Finds the origin in an origin or URL that the user typed.
import { parseTarget } from "@robots-stream/url";
import { shownWordOf, UsageError } from "@robots-stream/engine/internal";

/** The origin in the text of an origin or URL. Throws a `UsageError` for any other text. */
export function originOf(text: string): string {
  const origin = parseTarget(text)?.origin;
  if (origin !== undefined) return origin;
  const meant = `https://${text}`;
  throw new UsageError(
    "wrong-value",
    `${shownWordOf(text, 100)}: this is neither an origin nor a URL`,
    parseTarget(meant) === undefined || shownWordOf(meant, Infinity) !== meant
      ? "for example: https://example.com"
      : `did you mean ${shownWordOf(meant, 100)}?`,
  );
}
