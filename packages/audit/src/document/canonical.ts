// Plain JSON data in, its one canonical text out: sorted keys, a line for each element of a list of lists or objects.
import type { AuditDocument } from "./types.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The canonical text of a document, with a line feed at its end. Equal documents have equal texts. */
export function documentTextOf(document: AuditDocument): string {
  return `${canonicalOf(document as unknown as Json)}\n`;
}

/** The canonical text of what two splits of one log have in common: the document without its inputs. */
export function countsTextOf(document: AuditDocument): string {
  return documentTextOf({ ...document, inputs: [] });
}

function canonicalOf(value: Json): string {
  if (Array.isArray(value)) return listOf(value as readonly Json[]);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${canonicalOf(member)}`).join(",")}}`;
}

function listOf(list: readonly Json[]): string {
  const isFlat = list.every((element) => element === null || typeof element !== "object");
  if (isFlat) return JSON.stringify(list);
  return `[\n${list.map(canonicalOf).join(",\n")}\n]`;
}
