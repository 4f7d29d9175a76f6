// Data on how each search engine reads the directives of a page, with a source for each cell, or a note where nothing is documented.
import { checkArgument } from "./errors.ts";
import type { Place } from "./types.ts";

/**
 * A way of reading pages. "draft": the draft of a standard, which is assumed for all other crawlers. The operators of some of them document
 * robots meta tags, too (Apple, Amazon, Naver), but not in enough detail for a row of their own.
 */
export type EngineName = "google" | "bing" | "yandex" | "draft";

/** A fact about an engine. */
export interface Cell<Value> {
  readonly value: Value;
  /** The URL of the page that documents the value; undefined if no page documents it. `note` then states the assumption. */
  readonly source: string | undefined;
  readonly note?: string;
}

/** Crawlers, and the names of the tags that they obey. */
export interface HeardNames {
  /** The crawlers, in lower case; a name that ends in `*` means all names that begin with the text before the `*`. */
  readonly crawlers: readonly string[];
  /** The names of tags that these crawlers obey; "own": their own product token. */
  readonly names: readonly string[];
}

/** How one engine reads the directives of a page. */
export interface EngineProfile {
  readonly name: EngineName;
  /**
   * The first row that lists a crawler applies to that crawler. In headers, the same names, except `robots`, are product tokens that the
   * crawler obeys.
   */
  readonly heard: Cell<readonly HeardNames[]>;
  /** "restrictive": all prohibitions apply. "permissive": a directive that allows a use cancels every directive that prohibits it. */
  readonly combination: Cell<"restrictive" | "permissive">;
  /** Whether the engine obeys directives that a header addresses to a product token. */
  readonly headerTokens: Cell<boolean>;
  /** The directives that the engine obeys in tags, but ignores in headers. */
  readonly onlyInTags: Cell<readonly string[]>;
  /** For each place, whether the engine obeys a tag there. */
  readonly places: Readonly<Record<Place, Cell<boolean>>>;
  /** The directives that have an effect. */
  readonly live: Cell<readonly string[]>;
  /** Pairs of directives of which the second has no effect beside the first. */
  readonly overrides: Cell<readonly (readonly [winner: string, loser: string])[]>;
  /** Directives that the engine documents as ignored. */
  readonly dead: Cell<readonly string[]>;
  /** How many bytes of a page the engine reads. */
  readonly maxBytes: Cell<number>;
  /** How the engine treats the directives of a page that robots.txt disallows. */
  readonly disallowed: Cell<"not-seen">;
}

const googlePage = "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag";
const googlebotPage = "https://developers.google.com/search/docs/crawling-indexing/googlebot";
const bingPage = "https://www.bing.com/webmasters/help/which-robots-metatags-does-bing-support-5198d240";
const bingChatPage =
  "https://blogs.bing.com/webmaster/september-2023/Announcing-new-options-for-webmasters-to-control-usage-of-their-content-in-Bing-Chat";
const yandexPage = "https://yandex.com/support/webmaster/en/controlling-robot/meta-robots";
const draftPage = "https://datatracker.ietf.org/doc/draft-illyes-repext/";

/** How many bytes of a page Google Search reads. */
const searchBytes = 2 * 1_048_576;

const fromSource = <Value>(value: Value, source: string, note?: string): Cell<Value> =>
  note === undefined ? { value, source } : { value, source, note };
const assumed = <Value>(value: Value, note: string): Cell<Value> => ({ value, source: undefined, note });

const google: EngineProfile = {
  name: "google",
  heard: fromSource(
    [
      { crawlers: ["googlebot-news"], names: ["robots", "googlebot-news"] },
      { crawlers: ["googlebot", "googlebot-mobile", "google-inspectiontool"], names: ["robots", "googlebot"] },
      { crawlers: ["googlebot-image", "googlebot-video", "storebot-google"], names: ["robots"] },
      { crawlers: ["*"], names: ["own"] },
    ],
    googlePage,
    "googlebot stands for all text results and googlebot-news for news; Google ignores its other names for search. Crawlers that are not for search obey their own name alone.",
  ),
  combination: fromSource("restrictive", googlePage),
  headerTokens: fromSource(true, googlePage),
  onlyInTags: assumed([], "No directive is documented as limited to tags."),
  places: {
    head: fromSource(true, googlePage),
    body: fromSource(true, googlePage),
    noscript: assumed(false, "Not documented. A crawler that runs scripts sees no tags there."),
    svg: assumed(true, "Not documented. An HTML parser moves such a tag out of the svg, into the body."),
  },
  live: fromSource(
    [
      "noindex",
      "nofollow",
      "none",
      "nosnippet",
      "indexifembedded",
      "max-snippet",
      "max-image-preview",
      "max-video-preview",
      "notranslate",
      "noimageindex",
      "unavailable_after",
    ],
    googlePage,
  ),
  overrides: fromSource([["nosnippet", "max-snippet"]], googlePage),
  dead: fromSource(["noarchive", "nocache", "nositelinkssearchbox"], googlePage),
  maxBytes: fromSource(
    searchBytes,
    googlebotPage,
    "The first 2 MB of a page are read for Search, at most 15 MB of any file.",
  ),
  disallowed: fromSource("not-seen", googlePage),
};

const bing: EngineProfile = {
  name: "bing",
  heard: fromSource([{ crawlers: ["*"], names: ["robots", "bingbot", "msnbot"] }], bingPage),
  combination: assumed("restrictive", "Not documented; read as Google documents it."),
  headerTokens: assumed(true, "Not documented; read as Google documents it."),
  onlyInTags: fromSource([], bingPage),
  places: {
    head: fromSource(true, bingPage),
    body: assumed(false, "Not documented: the operator's examples have it in the head."),
    noscript: assumed(false, "Not documented."),
    svg: assumed(false, "Not documented."),
  },
  live: fromSource(
    [
      "noindex",
      "nofollow",
      "none",
      "noarchive",
      "nocache",
      "nosnippet",
      "noodp",
      "max-snippet",
      "max-image-preview",
      "max-video-preview",
    ],
    bingPage,
    `noarchive: no use in chat answers or training; nocache: use of the URL, title and snippet only (${bingChatPage}). It is not documented that none means noindex and nofollow.`,
  ),
  overrides: fromSource(
    [
      ["nocache", "noarchive"],
      ["nosnippet", "max-snippet"],
    ],
    bingChatPage,
    "It is not documented that max-snippet has no effect beside nosnippet; read as Google documents it.",
  ),
  dead: assumed([], "No directive is documented as ignored."),
  maxBytes: assumed(searchBytes, "Not documented; read as Google documents it."),
  disallowed: fromSource("not-seen", bingPage),
};

const yandex: EngineProfile = {
  name: "yandex",
  heard: fromSource([{ crawlers: ["*"], names: ["robots", "yandex", "own"] }], yandexPage),
  combination: fromSource("permissive", yandexPage),
  headerTokens: assumed(true, "Not documented; read as Google documents it."),
  onlyInTags: fromSource(["index", "follow", "archive", "all", "noyaca"], yandexPage),
  places: {
    head: fromSource(true, yandexPage),
    body: fromSource(false, yandexPage, "The tag belongs in the head."),
    noscript: assumed(false, "Not documented."),
    svg: assumed(false, "Not documented."),
  },
  live: fromSource(
    ["noindex", "nofollow", "none", "noarchive", "noyaca", "index", "follow", "archive", "all"],
    yandexPage,
  ),
  overrides: assumed([], "None is documented."),
  dead: assumed([], "No directive is documented as ignored."),
  maxBytes: assumed(searchBytes, "Not documented; read as Google documents it."),
  disallowed: fromSource("not-seen", yandexPage),
};

const draft: EngineProfile = {
  name: "draft",
  heard: fromSource([{ crawlers: ["*"], names: ["robots", "own"] }], draftPage),
  combination: fromSource(
    "restrictive",
    draftPage,
    "Directives for a named crawler do not cancel the directives for all crawlers.",
  ),
  headerTokens: fromSource(true, draftPage),
  onlyInTags: fromSource([], draftPage),
  places: {
    head: fromSource(true, draftPage),
    body: fromSource(false, draftPage),
    noscript: assumed(false, "Not documented."),
    svg: assumed(false, "Not documented."),
  },
  live: fromSource(
    ["noindex", "nosnippet"],
    draftPage,
    "An individual draft: no crawler is known to follow it as such.",
  ),
  overrides: assumed([], "None is documented."),
  dead: assumed([], "No directive is documented as ignored."),
  maxBytes: assumed(searchBytes, "Not documented; read as Google documents it."),
  disallowed: assumed("not-seen", "A page that is not fetched says nothing."),
};

/** The profile of each engine. */
export const engines: Readonly<Record<EngineName, EngineProfile>> = deepFrozen({ google, bing, yandex, draft });

const crawlersOfEngines: readonly (readonly [engine: EngineName, crawlers: RegExp])[] = [
  ["google", /google/],
  ["bing", /^(?:bingbot|msnbot(?:-.*)?|bingpreview|adidxbot|microsoftpreview)$/],
  ["yandex", /^yandex/],
];

/**
 * The engine whose documentation applies to the crawler with this product token, in any letter case; "draft" for a crawler of no listed
 * engine.
 */
export function engineOf(productToken: string): EngineName {
  checkArgument(typeof productToken === "string", "A product token is a string");
  const token = productToken.toLowerCase();
  return crawlersOfEngines.find(([, crawlers]) => crawlers.test(token))?.[0] ?? "draft";
}

/** The names, in lower case, of the tags that the crawler with this product token obeys. `productToken` must be in lower case. */
export function heardNamesOf(engine: EngineProfile, productToken: string): readonly string[] {
  const row = engine.heard.value.find(({ crawlers }) =>
    crawlers.some((name) => (name.endsWith("*") ? productToken.startsWith(name.slice(0, -1)) : productToken === name)),
  );
  return (row?.names ?? []).map((name) => (name === "own" ? productToken : name));
}

function deepFrozen<Value extends object>(value: Value): Value {
  for (const each of Object.values(value)) if (typeof each === "object" && each !== null) deepFrozen(each as object);
  return Object.freeze(value);
}
