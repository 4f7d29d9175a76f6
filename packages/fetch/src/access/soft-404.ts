// Tests whether an error page is clearly a "not found" page, by its beginning. Pure, in linear time.
import { hasNotFoundPhrase } from "./soft-404-phrases.ts";

/** A longer page of plain text is about more than a missing page, so it is ignored. */
const maxPlainChars = 1_000;

const decoder = new TextDecoder("utf-8");

/** English phrases in the titles and headings of "not found" pages. Phrases in other languages are in soft-404-phrases.ts. */
const notFound =
  /\b404\b|\bnot[ -]found\b|\b(?:does|do|did)(?: not|n[\u0027\u2019]t) exist\b|\bno longer (?:exists|available)\b|\b(?:no such|can(?:not|[\u0027\u2019]t) find(?: the| this| that)?) page\b/i;

/**
 * Searches the title and the headings (h1, h2) of an HTML page, or the whole of a short plain text; the body text of an HTML page is
 * ignored. Returns false when these texts also mention a server error, an overload or maintenance (500 to 504, "unavailable").
 */
export function saysNotFound(body: Uint8Array): boolean {
  if (body.length === 0) return false;
  const text = decoder.decode(body.subarray(0, 65_536));
  const places = /<(?:!doctype|html|head|body|title|h[12])\b/i.test(text) ? headingsOf(text) : plainOf(text);
  const isMissing = places.some((place) => notFound.test(place) || hasNotFoundPhrase(place));
  return isMissing && !places.some((place) => trouble.test(place));
}

const trouble =
  /\b50[0-4]\b|\b(?:unavailable|overload|maintenance|internal server error|bad gateway|time-?out|timed out)/i;

function plainOf(text: string): readonly string[] {
  return text.length <= maxPlainChars ? [text] : [];
}

/** The texts of titles and headings, found by searching forward only, in linear time. */
function headingsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const found: string[] = [];
  for (const name of ["title", "h1", "h2"]) {
    for (let at = lower.indexOf(`<${name}`); at !== -1 && found.length < 20; at = lower.indexOf(`<${name}`, at)) {
      const start = lower.indexOf(">", at);
      const end = start === -1 ? -1 : lower.indexOf(`</${name}`, start);
      if (end === -1) break;
      found.push(text.slice(start + 1, Math.min(end, start + 500)).replaceAll(/<[^<>]{0,200}>/g, " "));
      at = end;
    }
  }
  return found;
}
