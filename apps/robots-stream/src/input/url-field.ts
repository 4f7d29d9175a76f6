// Names of fields in, the one that holds the URL out.
import { UsageError } from "../exit.ts";
import { nearestOf } from "../nearest.ts";
import { printableOf, textOf } from "../text.ts";

/** Names that say that the record is about this URL. */
const tellingNames: readonly string[] = ["url", "uri", "address", "loc"];

/** Names of fields that hold a URL, perhaps one among others. */
const otherNames: readonly string[] = [
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
  "referring_page_url",
];

/** Names are compared without regard to case, " " and "-" as "_". */
function plainOf(name: string): string {
  return name.trim().toLowerCase().replaceAll(/[ -]/g, "_");
}

/** The index of the first field whose name is one of the usual ones, most telling name first; -1 when none is. */
export function indexOfUsualField(names: readonly string[]): number {
  const plain = names.map(plainOf);
  for (const usual of [...tellingNames, ...otherNames]) {
    const index = plain.indexOf(usual);
    if (index >= 0) return index;
  }
  return -1;
}

/**
 * The column of a table that holds the URL: one that is named so, or in whatever language, the only one whose first
 * field is a URL. `isUrl` says of a column whether it is. Of several with names alike the fields decide; when they do
 * not, a `UsageError` names them. -1 when there is none.
 */
export function urlColumnOf(source: string, names: readonly string[], isUrl: (index: number) => boolean): number {
  const plain = names.map(plainOf);
  const indexes = names.map((_name, index) => index);
  const named = (usual: readonly string[]): number[] =>
    indexes.filter((index) => usual.includes(plain[index] as string));
  const telling = named(tellingNames);
  const byName = telling.length > 0 ? telling : named(otherNames);
  const byField = (byName.length > 0 ? byName : indexes).filter(isUrl);
  const candidates = byName.length === 1 || byField.length === 0 ? byName : byField;
  if (candidates.length <= 1) return candidates[0] ?? -1;
  const shown = candidates.slice(0, 20).map((index) => `"${printableOf(textOf(names[index] as string), 60)}"`);
  throw new UsageError(
    "several-url-fields",
    `${source}: several columns may hold the URL: ${shown.join(", ")}${candidates.length > 20 ? ", …" : ""}`,
    `say which: --url-field ${shown[0]}`,
  );
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

/** The mistake of a first record without the field that names the crawler; names the fields it has. */
export function missingAgentField(source: string, asked: string, names: readonly string[]): UsageError {
  const shown = names.slice(0, 20).map((name) => printableOf(name, 60));
  const list = shown.length === 0 ? "no fields at all" : shown.join(", ") + (names.length > 20 ? ", …" : "");
  const near = nearestOf(asked, names);
  return new UsageError(
    "no-agent-field",
    `${source}: the first record has no field "${printableOf(asked, 60)}" (--agent-field); it has: ${list}`,
    near === undefined ? undefined : `did you mean --agent-field ${printableOf(near, 60)}?`,
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
