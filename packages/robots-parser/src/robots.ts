// The API of npm robots-parser 3 over @robots-stream/core: a robots.txt and its URL in, answers by URL and user agent out.
import {
  type Decision,
  type Matcher,
  type RobotsTxt,
  createMatcher,
  explain,
  parseRobotsTxt,
} from "@robots-stream/core";
import { hosts, sitemaps } from "@robots-stream/core/records";
import { crawlDelayOf } from "./crawl-delay.ts";

/** Why a URL is allowed or disallowed. */
export interface Explanation {
  readonly allowed: boolean;
  /** The line of the rule that decides, from 1; undefined when no rule matches. */
  readonly line: number | undefined;
  /** The pattern of that rule as it is compared: ASCII, escapes in upper case. */
  readonly pattern: string | undefined;
  /** The name that chose the group: the user agent's name or `*`; undefined when no group binds the crawler. */
  readonly userAgent: string | undefined;
  /** One English sentence. */
  readonly text: string;
}

/** A robots.txt. `ua` is a crawler's name, with or without a version ("Googlebot/2.1"); without it, and for null, the groups for `*` decide. */
export interface Robot {
  /**
   * Whether the URL may be fetched. Undefined when the robots.txt does not apply: the URL is invalid, or has another scheme, host or port.
   */
  isAllowed(url: string, ua?: string | null): boolean | undefined;
  /** The opposite of `isAllowed`; true if `isAllowed` returns undefined. */
  isDisallowed(url: string, ua?: string | null): boolean;
  /**
   * Whether a group that names this user agent disallows the URL; groups for `*` count only for the user agent `*` itself (and for an empty
   * name). Undefined if `isAllowed` returns undefined.
   */
  isExplicitlyDisallowed(url: string, ua: string | null): boolean | undefined;
  /** The line, from 1, of the rule that decides; -1 if there is none. */
  getMatchingLineNumber(url: string, ua?: string | null): number;
  /** Seconds, from the last readable Crawl-delay of the crawler's groups; undefined if there is none. */
  getCrawlDelay(ua?: string | null): number | undefined;
  /** The values of the Sitemap lines, in their order. */
  getSitemaps(): string[];
  /** The value of the last Host line that is not empty, in lower case; null if there is none. */
  getPreferredHost(): string | null;
  /** Why a URL is allowed or disallowed. Undefined if `isAllowed` returns undefined. npm robots-parser has no such method. */
  explain(url: string, ua?: string | null): Explanation | undefined;
}

/**
 * Parses a robots.txt. `url` is the URL of the file. If `url` is relative ("/robots.txt"), the file applies to relative URLs. Never throws
 * for strings; without contents, and for null, there are no rules. Parsing is linear in `contents`; a user agent's rules are compiled at the first decision for it.
 */
export function robotsParser(url: string, contents?: string | null): Robot {
  return new ParsedRobot(url, contents ?? "");
}

/** The global class URL; browsers, Node, Deno and Bun have it. */
declare const URL: {
  canParse(url: string, base: string): boolean;
  new (url: string, base: string): Readonly<Record<"protocol" | "hostname" | "port", string>>;
};

/** The base of relative URLs. No other URL has this origin. */
const relativeBase = "http://relative.invalid/";

/** The maximum number of user agents whose matchers are cached. */
const mostMatchers = 100;

/** User-agent names that Google's parser can find; other names, such as "MJ12bot", are compared whole. */
const plainName = /^[a-z_-]+$/;

class ParsedRobot implements Robot {
  readonly #origin: string | undefined;
  readonly #robots: RobotsTxt;
  readonly #matchers = new Map<string, Matcher>();

  constructor(url: string, contents: string) {
    this.#origin = partsOf(url)?.origin;
    this.#robots = parseRobotsTxt(contents);
  }

  isAllowed(url: string, ua?: string | null): boolean | undefined {
    return this.#decide(url, ua)?.allowed;
  }

  isDisallowed(url: string, ua?: string | null): boolean {
    return this.isAllowed(url, ua) !== true;
  }

  isExplicitlyDisallowed(url: string, ua: string | null): boolean | undefined {
    const decision = this.#decide(url, ua);
    if (decision === undefined) return undefined;
    return !decision.allowed && (!("productToken" in decision) || decision.productToken === nameOf(ua));
  }

  getMatchingLineNumber(url: string, ua?: string | null): number {
    return ruleOf(this.#decide(url, ua))?.line ?? -1;
  }

  getCrawlDelay(ua?: string | null): number | undefined {
    const name = nameOf(ua);
    const isPlain = plainName.test(name);
    return crawlDelayOf(
      this.#robots,
      ({ value, productToken }) => nameOf(value) === name || (isPlain && productToken.toLowerCase() === name),
    );
  }

  getSitemaps(): string[] {
    return sitemaps(this.#robots)
      .map(({ value }) => value)
      .filter((value) => value !== "");
  }

  getPreferredHost(): string | null {
    const host = hosts(this.#robots).findLast(({ value }) => value !== "");
    return host === undefined ? null : host.value.toLowerCase();
  }

  explain(url: string, ua?: string | null): Explanation | undefined {
    const decision = this.#decide(url, ua);
    if (decision === undefined) return undefined;
    const rule = ruleOf(decision);
    return {
      allowed: decision.allowed,
      line: rule?.line,
      pattern: rule?.pattern,
      userAgent: "productToken" in decision ? decision.productToken : undefined,
      text: explain(decision),
    };
  }

  /** The decision for a URL; undefined if the robots.txt does not apply to the URL. */
  #decide(url: string, ua: string | null | undefined): Decision | undefined {
    const parts = partsOf(url);
    if (parts === undefined || parts.origin !== this.#origin) return undefined;
    return this.#matcherOf(nameOf(ua)).decideTarget(parts.target);
  }

  #matcherOf(name: string): Matcher {
    let matcher = this.#matchers.get(name);
    if (matcher === undefined) {
      if (this.#matchers.size === mostMatchers) this.#matchers.clear();
      matcher = createMatcher(this.#robots, namesOf(name), matchOf(name));
      this.#matchers.set(name, matcher);
    }
    return matcher;
  }
}

/** The name in a user agent, as npm robots-parser reads it: lower case, without what follows the first "/". */
function nameOf(ua: string | null | undefined): string {
  const [name = ""] = (ua || "*").toLowerCase().split("/", 1);
  return name.trim();
}

/** The names for `createMatcher`. An empty list selects the groups for `*`. */
function namesOf(name: string): readonly string[] {
  return name === "*" ? [] : [name];
}

function matchOf(name: string): { readonly tokenMatch: "google" | "whole" } {
  return { tokenMatch: plainName.test(name) ? "google" : "whole" };
}

/** The rule of a decision; undefined if no rule decided, or an empty rule did. */
function ruleOf(decision: Decision | undefined): { readonly line: number; readonly pattern: string } | undefined {
  return decision?.because === "rule" && decision.rule.pattern !== "" ? decision.rule : undefined;
}

/**
 * Scheme, host and port of a URL, and its target; undefined for text that `URL` refuses. `URL` would change more of the target than core and
 * Google's parser do: it drops an empty query, resolves dot segments and encodes `'`, `{` and others.
 */
function partsOf(given: unknown): { readonly origin: string; readonly target: string } | undefined {
  // A program in JavaScript may pass a URL object.
  const url = String(given);
  if (!URL.canParse(url, relativeBase)) return undefined;
  const { protocol, hostname, port } = new URL(url, relativeBase);
  return {
    origin: `${protocol}//${hostname}:${port || (protocol === "https:" ? "443" : "80")}`,
    target: targetOf(url),
  };
}

/** The scheme and the authority at the beginning of a URL; with the scheme of the base, and without slashes, there is no authority. */
const beforeTarget = /^(?:(?!http:)[a-z][a-z0-9+.-]*:[\\/]*[^\\/?#]*|(?:http:)?(?:[\\/]{2,}[^\\/?#]*)?)/i;

/**
 * The path and query as the URL writes them. Only characters that a URL cannot have are encoded, as by `parseTarget` of @robots-stream/url;
 * a lone surrogate stays, so that no rule's character matches it.
 */
function targetOf(url: string): string {
  const text = url.replace(/^[\0- ]+|[\0- ]+$/g, "").replace(/[\t\n\r]/g, "");
  const [written = ""] = text.replace(beforeTarget, "").split("#", 1);
  const query = written.indexOf("?") < 0 ? written.length : written.indexOf("?");
  const target = (written.slice(0, query).replaceAll("\\", "/") + written.slice(query))
    .replace(/[\0- "<>\x7f]|[^\0-\x7f\p{Cs}]+/gu, encodeURIComponent)
    .replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
  return target.startsWith("/") ? target : `/${target}`;
}
