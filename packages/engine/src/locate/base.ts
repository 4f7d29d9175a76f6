// Reads an origin that the user wrote, and returns the scheme and host of a log's requests.
import type { Base } from "@robots-stream/logs";
import { parseTarget } from "@robots-stream/url";
import { UsageError } from "../errors.ts";
import { printableOf, shownWordOf } from "../text.ts";

/**
 * Reads `text`, the value of `flag`. Returns undefined if `text` is undefined. Throws a `UsageError` unless the value is an http or https
 * origin.
 */
export function baseOf(text: string | undefined, flag = "--base "): Base | undefined {
  if (text === undefined) return undefined;
  const parsed = parseTarget(text);
  const [, scheme, host] = /^(https?):\/\/(.+)$/.exec(parsed?.origin ?? "") ?? [];
  if ((scheme === "http" || scheme === "https") && host !== undefined && parsed?.target === "/")
    return { scheme, host };
  const shown = `${flag}${shownWordOf(text, 100)}`;
  const meant =
    parsed === undefined ? parseTarget(`https://${text}`)?.origin : scheme === undefined ? undefined : parsed.origin;
  throw new UsageError(
    "wrong-value",
    `${shown}: must be an http or https origin, without a path`,
    meant === undefined ? `for example: ${flag}https://example.com` : `did you mean ${flag}${printableOf(meant, 100)}?`,
  );
}
