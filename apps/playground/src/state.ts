// The input of the page: a file, URLs, crawlers, and optionally a second file and the directives of a page.

/** Everything that a link carries; every member is a text as it was typed. */
export interface Question {
  readonly robots: string;
  /** One URL or path a line. */
  readonly urls: string;
  /** One product token or User-Agent header a line. */
  readonly crawlers: string;
  /** A second robots.txt, compared with the first one; empty for none. */
  readonly next: string;
  /** Header lines of a page's response. */
  readonly headers: string;
  /** The page's HTML. */
  readonly html: string;
}

/** The members of a question, which are those of a link. */
export const members = ["robots", "urls", "crawlers", "next", "headers", "html"] as const;

/** The most URLs and crawlers that are answered; the page says when there are more. */
export const most = { urls: 200, crawlers: 20 } as const;

/** A question with the texts that are given; the others are empty. */
export function questionOf(given: Partial<Question>): Question {
  return { robots: "", urls: "", crawlers: "", next: "", headers: "", html: "", ...given };
}

/** The lines of a text that are not blank, trimmed, each once; `left` counts those beyond the limit. */
export function listOf(text: string, limit: number): { readonly items: readonly string[]; readonly left: number } {
  const items = [...new Set(text.split(/[\r\n]+/u).map((line) => line.trim()))].filter((line) => line !== "");
  return { items: items.slice(0, limit), left: Math.max(0, items.length - limit) };
}
