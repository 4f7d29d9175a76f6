// Reads an origin that the user wrote, and returns the scheme and host of a log's requests.
import type { Base } from "@robots-stream/logs";
import { UsageError } from "../common/errors.ts";
import { parseRequestUrl } from "../common/target.ts";
import { printableOf, shownWordOf } from "../common/text.ts";

/**
 * Reads `text`, the value of `flag`. Returns undefined if `text` is undefined. Throws a `UsageError` unless the value is an http or https
 * origin.
 */
export function baseOf(text: string | undefined, flag: string): Base | undefined {
  if (text === undefined) return undefined;
  const parsed = parseRequestUrl(text);
  const [, scheme, host] = /^(https?):\/\/(.+)$/.exec(parsed?.origin ?? "") ?? [];
  if ((scheme === "http" || scheme === "https") && host !== undefined && parsed?.target === "/")
    return { scheme, host };
  const shown = `${flag}${shownWordOf(text, 100)}`;
  const other = parsed === undefined && !text.includes("://") ? parseRequestUrl(`https://${text}`) : parsed;
  const meant = parsed !== undefined && scheme === undefined ? undefined : other?.origin;
  throw new UsageError(
    "wrong-value",
    `${shown}: must be an http or https origin, without a path`,
    meant === undefined ? `for example: ${flag}https://example.com` : `did you mean ${flag}${printableOf(meant, 100)}?`,
  );
}
