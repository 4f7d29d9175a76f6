// Names of fields in, the one that holds the URL out.
import { UsageError } from "../exit.ts";
import { printableOf } from "../text.ts";

/** Names of URL fields, most telling first; compared without regard to case, " " and "-" as "_". */
const urlFieldNames: readonly string[] = [
  "url",
  "uri",
  "address",
  "loc",
  "link",
  "href",
  "page",
  "page_url",
  "request_url",
  "target_url",
  "full_url",
  "landing_page",
  "permalink",
  "top_pages",
];

/** The index of the first field whose name is one of the usual ones, most telling name first; -1 when none is. */
export function indexOfUsualField(names: readonly string[]): number {
  const plain = names.map((name) => name.trim().toLowerCase().replaceAll(/[ -]/g, "_"));
  for (const usual of urlFieldNames) {
    const index = plain.indexOf(usual);
    if (index >= 0) return index;
  }
  return -1;
}

/** The mistake of a first record without the field; names the fields it has. */
export function missingUrlField(source: string, asked: string | undefined, names: readonly string[]): UsageError {
  const shown = names.slice(0, 20).map((name) => printableOf(name, 60));
  const list = shown.length === 0 ? "no fields at all" : shown.join(", ") + (names.length > 20 ? ", …" : "");
  const what = asked === undefined ? "no field that usually holds a URL" : `no field "${printableOf(asked, 60)}"`;
  return new UsageError(
    "no-url-field",
    `${source}: the first record has ${what}; it has: ${list}`,
    asked === undefined ? `name it: --url-field ${shown[0] ?? "NAME"}` : "names are compared exactly",
  );
}

/** The mistake of a log that says of its first request no host. */
export function missingBase(place: string): UsageError {
  return new UsageError(
    "missing-base",
    `${place}: this log does not say which host was asked`,
    "say it: --base https://example.com",
  );
}

/** The mistake of a first record that already has what would be added. */
export function takenName(source: string, name: string): UsageError {
  return new UsageError(
    "taken-column",
    `${source}: already has "${printableOf(name)}"`,
    "choose another: --result-key NAME",
  );
}
