// Defines the page's input: a file, URLs, crawlers, and optionally a second file and a page's directives.

/** The input of the page, which is also the content of a link. Every member is a text as the user typed it. */
export interface Question {
  readonly robots: string;
  /** URLs or paths, one per line. */
  readonly urls: string;
  /** Product tokens or User-Agent headers, one per line. */
  readonly crawlers: string;
  /** A second robots.txt, which is compared with the first; empty if there is none. */
  readonly next: string;
  /** Header lines of the page's response. */
  readonly headers: string;
  /** The page's HTML. */
  readonly html: string;
}

/** The names of a question's members, which are also the members of a link's JSON. */
export const members = ["robots", "urls", "crawlers", "next", "headers", "html"] as const;

/** Maximum numbers of URLs and crawlers that get answers. The page shows how many are left out. */
export const most = { urls: 200, crawlers: 20 } as const;

/** A question with the given texts; all other texts are empty. */
export function questionOf(given: Partial<Question>): Question {
  return { robots: "", urls: "", crawlers: "", next: "", headers: "", html: "", ...given };
}

/** The distinct non-blank lines of a text, trimmed; `left` is the number of lines beyond `limit`. */
export function listOf(text: string, limit: number): { readonly items: readonly string[]; readonly left: number } {
  const items = [...new Set(text.split(/[\r\n]+/u).map((line) => line.trim()))].filter((line) => line !== "");
  return { items: items.slice(0, limit), left: Math.max(0, items.length - limit) };
}
