// The types for `require("@robots-stream/robots-parser")`: the module is the function itself.
declare function robotsParser(url: string, contents?: string | null): robotsParser.Robot;

declare namespace robotsParser {
  /** Why a URL is allowed or disallowed. */
  interface Explanation {
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
  interface Robot {
    /**
     * Whether the URL may be fetched. Undefined when the robots.txt does not apply: the URL is invalid, or has another scheme, host or
     * port.
     */
    isAllowed(url: string, ua?: string | null): boolean | undefined;
    /** The opposite of `isAllowed`; true if `isAllowed` returns undefined. */
    isDisallowed(url: string, ua?: string | null): boolean;
    /**
     * Whether a group that names this user agent disallows the URL; groups for `*` count only for the user agent `*` itself (and for an
     * empty name). Undefined if `isAllowed` returns undefined.
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
}

export = robotsParser;
