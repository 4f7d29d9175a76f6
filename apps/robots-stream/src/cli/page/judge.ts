// Finds the directives of a page for a crawler, and their contradictions with robots.txt, the sitemap and each other.
import { type PageDecision, type Statement, decidePage, readMetaTags, readXRobotsTag } from "@robots-stream/page";
import { type HtmlPage, readHtml } from "@robots-stream/page/html";
import { parseTarget } from "@robots-stream/url";

/** The texts of a page; "" for a text that the record lacks. */
export interface PageTexts {
  /** The lines of X-Robots-Tag; a text without a line end may be several lines that were joined. */
  readonly xRobotsTag: string;
  /** The contents of robots meta tags, one per line. */
  readonly robotsMeta: string;
  readonly html: string;
  readonly canonical: string;
}

interface Sitemap {
  has(origin: string, target: string): boolean;
}

/** A page, and the crawler and target for which the page is judged. */
interface AskedPage {
  readonly texts: PageTexts;
  /** The product token of the crawler. */
  readonly agent: string;
  /** Undefined when no robots.txt applies. */
  readonly origin: string | undefined;
  readonly target: string;
  readonly isAllowed: boolean | undefined;
  /** Whether the crawler may fetch another target of the origin; undefined when the answer is unknown. */
  allows(target: string): boolean | undefined;
}

/**
 * The contradictions. "noindex-not-seen": robots.txt disallows the page, so the crawler never sees the page's noindex. "engines-differ":
 * the page's directives allow some but not all of Google, Bing and Yandex to index the page. "sitemap-disallowed": a sitemap lists the
 * page, which is disallowed. "sitemap-noindex": a sitemap lists the page, which has noindex. "canonical-disallowed": the canonical URL is
 * disallowed.
 */
type Contradiction =
  | "noindex-not-seen"
  | "engines-differ"
  | "sitemap-disallowed"
  | "sitemap-noindex"
  | "canonical-disallowed";

/** The directives of a page for one crawler, and their contradictions. */
export interface JudgedPage {
  readonly decision: PageDecision;
  readonly contradictions: readonly Contradiction[];
}

/** The content of a page that was read: its statements and its HTML. */
interface ReadPage {
  readonly statements: readonly Statement[];
  readonly html: HtmlPage | undefined;
  /** The decisions made so far, by the crawler's product token. */
  readonly decisions: Map<string, PageDecision>;
  /** Whether the page's directives differ on indexing between the crawlers of the three search engines. */
  readonly isDifferent: boolean;
}

const searchCrawlers = ["Googlebot", "bingbot", "YandexBot"];

/** Maximum number of product tokens whose meta tags are searched for in every page. */
const mostProductTokens = 1_000;

const mostKept = 1_000;
/** Maximum length, in UTF-16 units, of the key of a cached page: its header lines and meta tags. */
const longestKept = 1_000;
const mostDecisions = 20_000;

/**
 * Judges pages. Caches the last page with HTML, because the same record is judged once per crawler. Also caches pages without HTML, because
 * many of them have the same texts.
 */
export class PageJudge {
  readonly #sitemap: Sitemap | undefined;
  #productTokens = new Set<string>();
  #last: { readonly texts: PageTexts; readonly read: ReadPage } | undefined;
  #kept = new Map<string, ReadPage>();
  /** Upper bound of the number of decisions in `#kept`. */
  #decisions = 0;

  constructor(sitemap: Sitemap | undefined) {
    this.#sitemap = sitemap;
  }

  /** Judges a page; returns undefined for a record that has no text of a page and whose URL is in no sitemap. Never throws. */
  judge(page: AskedPage): JudgedPage | undefined {
    const { texts, origin, target, isAllowed, agent } = page;
    const isInSitemap = origin !== undefined && this.#sitemap?.has(origin, target) === true;
    const hasTexts = texts.xRobotsTag !== "" || texts.robotsMeta !== "" || texts.html !== "" || texts.canonical !== "";
    if (!hasTexts && !isInSitemap) return undefined;
    const read = this.#read(texts, agent);
    const decision = this.#decide(read, agent);
    const isNoindex = decision.prohibited.includes("noindex");
    const contradictions: Contradiction[] = [];
    if (isAllowed === false && isNoindex) contradictions.push("noindex-not-seen");
    if (read.isDifferent) contradictions.push("engines-differ");
    if (isInSitemap && isAllowed === false) contradictions.push("sitemap-disallowed");
    if (isInSitemap && isNoindex) contradictions.push("sitemap-noindex");
    if (isCanonicalDisallowed(page, read)) contradictions.push("canonical-disallowed");
    return { decision, contradictions };
  }

  #decide({ statements, decisions }: ReadPage, agent: string): PageDecision {
    let decision = decisions.get(agent);
    if (decision === undefined) {
      if (++this.#decisions > mostDecisions) {
        this.#kept = new Map();
        this.#decisions = 0;
      }
      decisions.set(agent, (decision = decidePage(statements, agent)));
    }
    return decision;
  }

  #read(texts: PageTexts, agent: string): ReadPage {
    if (texts.html === "") return this.#readShort(texts);
    if (!this.#productTokens.has(agent)) {
      if (this.#productTokens.size >= mostProductTokens) this.#productTokens = new Set();
      this.#productTokens.add(agent);
      this.#last = undefined;
    }
    if (this.#last === undefined || !isSame(this.#last.texts, texts)) {
      this.#last = { texts, read: readPage(texts, [...this.#productTokens]) };
    }
    return this.#last.read;
  }

  #readShort(texts: PageTexts): ReadPage {
    const key = `${texts.xRobotsTag.length} ${texts.xRobotsTag}${texts.robotsMeta}`;
    let read = this.#kept.get(key);
    if (read !== undefined) return read;
    read = readPage(texts, []);
    if (this.#kept.size >= mostKept) this.#kept = new Map();
    if (key.length <= longestKept) this.#kept.set(key, read);
    return read;
  }
}

function readPage(texts: PageTexts, productTokens: readonly string[]): ReadPage {
  const html = texts.html === "" ? undefined : readHtml(texts.html, { productTokens });
  const lines = texts.xRobotsTag.split("\n").filter((line) => line !== "");
  const statements = [
    ...readXRobotsTag(lines, { areJoined: !texts.xRobotsTag.includes("\n") }),
    ...readMetaTags(texts.robotsMeta.split("\n").map((content) => ({ name: "robots", content }))),
    ...(html?.statements ?? []),
  ];
  const indexable = searchCrawlers.map((crawler) => decidePage(statements, crawler).indexable);
  return { statements, html, decisions: new Map(), isDifferent: new Set(indexable).size > 1 };
}

function isSame(one: PageTexts, other: PageTexts): boolean {
  return (
    one.html === other.html &&
    one.xRobotsTag === other.xRobotsTag &&
    one.robotsMeta === other.robotsMeta &&
    one.canonical === other.canonical
  );
}

/** Whether the canonical URL is another page of the same origin that is disallowed. The robots.txt of another origin is not requested. */
function isCanonicalDisallowed(page: AskedPage, { html }: ReadPage): boolean {
  const { origin, target, texts } = page;
  // The canonical URL of most pages is the page itself.
  if (origin === undefined || texts.canonical === origin + target) return false;
  const links = texts.canonical === "" ? (html?.canonicalLinks ?? []).map(({ href }) => href) : [texts.canonical];
  // Search engines document that they ignore the canonical links of a page with several different canonical links.
  if (new Set(links).size !== 1) return false;
  const canonical = urlOf(links[0]!, origin + target, texts.canonical === "" ? html?.baseHref : undefined);
  if (canonical === undefined) return false;
  const located = parseTarget(canonical);
  if (located?.origin !== origin || located.target === target) return false;
  return page.allows(located.target) === false;
}

function urlOf(href: string, url: string, baseHref: string | undefined): string | undefined {
  const base = baseHref !== undefined && URL.canParse(baseHref, url) ? new URL(baseHref, url).href : url;
  return URL.canParse(href, base) ? new URL(href, base).href : undefined;
}

export function htmlTextOf(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return bytes.toString("utf8");
}
