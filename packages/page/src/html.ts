// The entry point `./html`: reads the statements and links of an HTML page (HTML standard §13.2, with scripting off).
import { engines } from "./engines.ts";
import { checkOptionNames, checkArgument } from "./errors.ts";
import { lastCandidateOf } from "./html-filter.ts";
import { type FoundTag, TagFinder } from "./html-tokens.ts";
import { type MetaTag, readMetaTags } from "./meta.ts";
import type { Place, Statement } from "./types.ts";
import { asciiLowerOf, trimmedOf, wordsOf } from "./words.ts";

/** How a page is read. */
export interface HtmlOptions {
  /**
   * Product tokens of further crawlers whose tags are read. Default: none; tags with the names in the engines' profiles are always read.
   */
  readonly productTokens?: readonly string[];
  /**
   * The maximum number of bytes of a page that are read; for a string, of UTF-16 code units. Default: 2,097,152, the limit of Google
   * Search.
   */
  readonly maxBytes?: number;
}

/** A canonical link. */
export interface CanonicalLink {
  /** The `href`, trimmed and with its character references decoded, but not resolved against a base. */
  readonly href: string;
  readonly place: Place;
  readonly line: number;
}

/** The statements and links of a page. */
export interface HtmlPage {
  readonly statements: readonly Statement[];
  readonly canonicalLinks: readonly CanonicalLink[];
  /** The `href` of the first `<base>` with this attribute. Relative links are resolved against this URL. */
  readonly baseHref: string | undefined;
  /** The number of span, div and section elements with the attribute `data-nosnippet`. */
  readonly nosnippetElements: number;
  /** The values of the first `<meta name="tdm-reservation">` and the first `tdm-policy`; undefined without such a tag. */
  readonly tdmReservation: string | undefined;
  readonly tdmPolicy: string | undefined;
  /** Whether the page was longer than `maxBytes`. */
  readonly isCut: boolean;
}

declare class TextDecoder {
  constructor(label?: string);
  decode(bytes: Uint8Array): string;
}

const tdmNames = ["tdm-reservation", "tdm-policy"];
const profileNames: readonly string[] = [
  ...new Set(Object.values(engines).flatMap(({ heard }) => heard.value.flatMap(({ names }) => names))),
].filter((name) => name !== "own");

/**
 * Reads a page, given as text or as bytes: UTF-8, or UTF-16 with a byte order mark. Never throws for a page's content. Throws a `PageError`
 * for an unknown option. Takes time linear in the length of the page: a search of the text finds the last place where a tag or attribute of
 * interest may be, and the parser stops soon after that place.
 */
export function readHtml(page: string | Uint8Array, options: HtmlOptions = {}): HtmlPage {
  checkOptionNames(options, ["productTokens", "maxBytes"]);
  checkArgument(typeof page === "string" || page instanceof Uint8Array, "A page is a string or a Uint8Array");
  const { productTokens = [], maxBytes = engines.google.maxBytes.value } = options;
  const isCut = page.length > maxBytes;
  const text = textOf(isCut && typeof page !== "string" ? page.subarray(0, maxBytes) : page).slice(0, maxBytes);
  const names = new Set([...profileNames, ...tdmNames, ...productTokens.map(asciiLowerOf)]);
  const reading = new Reading(names);
  // Conversion to lower case may make a text longer, never shorter, so the offset is never too small.
  const last = lastCandidateOf(text.toLowerCase(), [...names]);
  if (last !== -1) new TagFinder((tag) => reading.take(tag)).read(text, last);
  return { ...reading.page(), isCut };
}

function textOf(page: string | Uint8Array): string {
  if (typeof page === "string") return page;
  const [first, second] = page;
  const label =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(label).decode(page);
}

/** Collects the statements and links of the tags. */
class Reading {
  readonly #names: ReadonlySet<string>;
  readonly #tags: MetaTag[] = [];
  readonly #canonicalLinks: CanonicalLink[] = [];
  readonly #tdm = new Map<string, string>();
  #baseHref: string | undefined;
  #nosnippetElements = 0;

  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  take({ tagName, attribute, place, line }: FoundTag): void {
    if (tagName === "meta") this.#takeMeta(attribute, place, line);
    else if (tagName === "link") this.#takeLink(attribute("rel") ?? "", attribute("href"), place, line);
    else if (tagName === "base") this.#baseHref ??= attribute("href") ?? undefined;
    else if (tagName === "span" || tagName === "div" || tagName === "section") {
      if (attribute("data-nosnippet") !== null) this.#nosnippetElements++;
    }
  }

  page(): Omit<HtmlPage, "isCut"> {
    return {
      statements: readMetaTags(this.#tags),
      canonicalLinks: this.#canonicalLinks,
      baseHref: this.#baseHref,
      nosnippetElements: this.#nosnippetElements,
      tdmReservation: this.#tdm.get("tdm-reservation"),
      tdmPolicy: this.#tdm.get("tdm-policy"),
    };
  }

  #takeMeta(attribute: FoundTag["attribute"], place: Place, line: number): void {
    const name = attribute("name") ?? attribute("property") ?? "";
    const content = attribute("content") ?? attribute("value");
    const known = asciiLowerOf(trimmedOf(name, 0, name.length));
    if (content === null || !wordsOf(known).some((word) => this.#names.has(word))) return;
    const mistake = attribute("name") === null ? "property" : attribute("content") === null ? "value" : undefined;
    if (!tdmNames.includes(known)) this.#tags.push({ name: known, content, place, line, mistake });
    else if (mistake !== undefined) return;
    else if (!this.#tdm.has(known)) this.#tdm.set(known, trimmedOf(content, 0, content.length));
  }

  #takeLink(rel: string, href: string | null, place: Place, line: number): void {
    if (
      href === null ||
      !asciiLowerOf(rel)
        .split(/[\t\n\f\r ]+/)
        .includes("canonical")
    )
      return;
    this.#canonicalLinks.push({ href: trimmedOf(href, 0, href.length), place, line });
  }
}
