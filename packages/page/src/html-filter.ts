// Finds how far a parser has to read a page, by a search of the page's text.
import { isSpaceAt } from "./words.ts";

/**
 * The offset of the last candidate, or -1 if there is none. A candidate is a place where a `<meta>` with one of these names (also as a
 * `property`), a canonical link, a `<base>` or a `data-nosnippet` may be. A candidate may be a false positive, but no such tag or attribute is missed. The page must
 * be in lower case. Linear.
 */
export function lastCandidateOf(lowerHtml: string, names: readonly string[]): number {
  const meta = lowerHtml.indexOf("<meta");
  const link = lowerHtml.indexOf("<link");
  const canonical = lowerHtml.lastIndexOf("canonical");
  return Math.max(
    ...(meta === -1 ? [-1] : ["name", "property"].map((name) => lastAttributeOf(lowerHtml, name, meta, names))),
    link === -1 ? -1 : Math.max(canonical > link ? canonical : -1, lastAttributeOf(lowerHtml, "rel", link, [])),
    lowerHtml.lastIndexOf("<base"),
    lowerHtml.lastIndexOf("data-nosnippet"),
  );
}

/**
 * The offset of the last attribute `name`, from the offset `first` on, whose value begins with one of `values` or has a character
 * reference, which may decode to one of `values`; -1 if there is none.
 */
function lastAttributeOf(html: string, name: string, first: number, values: readonly string[]): number {
  const references = new NextIndex(html, "&");
  const ends = new Map(['"', "'", ">"].map((end) => [end, new NextIndex(html, end)]));
  let last = -1;
  for (let at = html.indexOf(name, first); at !== -1; at = html.indexOf(name, at + 1)) {
    let start = spacesEndOf(html, at + name.length);
    if (html[start] !== "=") continue;
    start = spacesEndOf(html, start + 1);
    const end = html[start] === '"' || html[start] === "'" ? html[start]! : ">";
    if (end !== ">") start++;
    const value = spacesEndOf(html, start);
    const isFound = values.some((each) => html.startsWith(each, value));
    if (isFound || references.from(start) < ends.get(end)!.from(start)) last = at;
  }
  return last;
}

function spacesEndOf(html: string, start: number): number {
  let end = start;
  while (end < html.length && isSpaceAt(html, end)) end++;
  return end;
}

/** Finds the next occurrence of a character from an offset. Offsets must ascend, so that each part of the text is searched only once. */
class NextIndex {
  readonly #text: string;
  readonly #character: string;
  #index = -1;

  constructor(text: string, character: string) {
    this.#text = text;
    this.#character = character;
  }

  /** The index of the first occurrence at or after `start`, or infinity. */
  from(start: number): number {
    if (this.#index < start) {
      const index = this.#text.indexOf(this.#character, start);
      this.#index = index === -1 ? Number.POSITIVE_INFINITY : index;
    }
    return this.#index;
  }
}
