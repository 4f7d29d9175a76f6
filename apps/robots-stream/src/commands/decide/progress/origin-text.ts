// Makes the line that `--verbose` prints for the loaded robots.txt of an origin.
import { formatInsteadOf } from "@robots-stream/core/internal";
import { parseTarget } from "@robots-stream/url";
import { printableOf, type SourcedRobots } from "@robots-stream/engine/internal";
import type { Paint } from "../../../cli/terminal.ts";
import { bytesText, durationText } from "../../../cli/figures.ts";

const colours = { successful: "green", unavailable: "yellow", unreachable: "red" } as const;

/** Makes the line. Control characters in names and codes are escaped. `file`: the path of the origin's saved file, if it has one. */
export function originTextOf(
  origin: string,
  { access, code, fetched, body, exchange }: Pick<SourcedRobots, "access" | "code" | "fetched" | "body" | "exchange">,
  file: string | undefined,
  paint: Paint,
): string {
  const parts = [`${printableOf(origin)}: ${paint(colours[access], access)}`, printableOf(code)];
  const format = access === "successful" && body !== undefined ? formatInsteadOf(body) : undefined;
  if (format !== undefined) parts.push(`${format}, not a robots.txt`);
  if (exchange === undefined) return [...parts, file === undefined ? "no file" : printableOf(file)].join(", ");
  const { status, ms, endedAt, bytes, urls } = exchange;
  if (status !== undefined && code !== `http-${status}`) parts.push(`status ${status}`);
  if (ms !== undefined) parts.push(durationText(ms));
  if (bytes > 0) parts.push(bytesText(bytes));
  // Shows only the origin of the last redirect's URL, because the server controls the rest of the URL.
  const last = parseTarget(urls.at(-1) ?? "")?.origin;
  if (urls.length > 1) parts.push(`${urls.length} hops${last === undefined ? "" : ` to ${printableOf(last)}`}`);
  if (!fetched) parts.push(`from the cache of ${new Date(endedAt).toISOString()}`);
  return parts.join(", ");
}
