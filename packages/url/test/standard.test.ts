// Tests the WHATWG URL standard's own test data, recorded results for odd URLs, and Google's table of origins.
import { describe, expect, test } from "vitest";
import { normalizeTarget, parseTarget, problemOf, robotsUrlOf } from "../src/index.ts";
import { fixture, shared } from "./data.ts";

/** Cases of the standard's data for which this package differs on purpose, with the reason; at most ten. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ["idna:", 'the empty host: no URL can carry it, "https:///x" has the host x'],
]);

test("there are at most ten exceptions", () => {
  expect(exceptions.size).toBeLessThanOrEqual(10);
});

interface UrlCase {
  readonly input: string;
  readonly base: string | null;
  readonly failure?: true;
  readonly protocol?: string;
  readonly host?: string;
  readonly href?: string;
  readonly pathname?: string;
  readonly search?: string;
}

const hasRobotsTxt = /^(?:https?|ftp):/;

/** The input's scheme if the input is parsed without its base; "" if it has neither a scheme nor a base; else undefined. */
function ownSchemeOf({ input, base }: UrlCase): string | undefined {
  const text = input.replaceAll(/^[\0-\x20]+|[\0-\x20]+$/g, "").replaceAll(/[\t\n\r]/g, "");
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0].toLowerCase();
  if (base === null) return scheme ?? "";
  // "http:a" is relative to a base with the scheme http.
  return scheme !== undefined && (!base.startsWith(scheme) || text.startsWith("//", scheme.length))
    ? scheme
    : undefined;
}

/** The form in which our target equals the standard's path and query: normalized, with each character escaped that either side escapes. */
function commonFormOf(target: string): string {
  const query = target.indexOf("?");
  const path = query < 0 ? target : target.slice(0, query);
  const search = query < 0 ? "" : target.slice(query);
  // The standard encodes ^ ` { } in the path and ' in the query, keeps the case of escapes, and drops a "?" without a query.
  const escaped = path.replaceAll(/[\^`{}]/g, escapeOf) + (search === "?" ? "" : search.replaceAll("'", "%27"));
  return normalizeTarget(escaped.replaceAll(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase()));
}

function escapeOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

describe("WHATWG urltestdata", () => {
  const data = shared<(UrlCase | string)[]>("wpt/urltestdata.json");
  const cases = data?.filter((entry) => typeof entry === "object") ?? [];

  test.skipIf(data === undefined)(
    "the origin equals the standard's, or is undefined where the standard fails (needs ../shared)",
    () => {
      const wrong: string[] = [];
      let compared = 0;
      for (const entry of cases) {
        const scheme = ownSchemeOf(entry);
        if (scheme === undefined || exceptions.has(`url:${entry.input}`)) continue;
        compared++;
        const supported = hasRobotsTxt.test(scheme);
        const expected = entry.failure || !supported ? undefined : `${entry.protocol}//${entry.host}`;
        const problem =
          expected === undefined ? (supported || scheme === "" ? "invalid-url" : "unsupported-scheme") : undefined;
        const origin = parseTarget(entry.input)?.origin;
        if (origin !== expected || problemOf(entry.input) !== problem)
          wrong.push(`${JSON.stringify(entry.input)}: ${origin}`);
      }
      expect(wrong).toEqual([]);
      expect(compared).toBe(705);
    },
  );

  test.skipIf(data === undefined)(
    "the target equals the standard's path and query, except for the differences in the README's table (needs ../shared)",
    () => {
      const wrong: string[] = [];
      let compared = 0;
      for (const entry of cases) {
        const scheme = ownSchemeOf(entry);
        if (entry.failure || scheme === undefined || !hasRobotsTxt.test(scheme)) continue;
        compared++;
        const target = parseTarget(entry.input)?.target;
        if (target === undefined || commonFormOf(target) !== commonFormOf(entry.pathname! + entry.search!)) {
          wrong.push(`${JSON.stringify(entry.input)}: ${target}`);
        }
      }
      expect(wrong).toEqual([]);
      expect(compared).toBe(190);
    },
  );

  test.skipIf(data === undefined)("a URL as the standard serializes it has the same origin (needs ../shared)", () => {
    const resolved = cases.filter((entry) => entry.href !== undefined && hasRobotsTxt.test(entry.href));
    expect(resolved.length).toBe(254);
    for (const { href, protocol, host } of resolved) expect(parseTarget(href!)?.origin).toBe(`${protocol}//${host}`);
  });
});

describe.each(["toascii", "IdnaTestV2"])("WHATWG %s", (name) => {
  const data = shared<({ input: string; output: string | null } | string)[]>(`wpt/${name}.json`);

  test.skipIf(data === undefined)(
    "the host equals the standard's, or is undefined where the standard fails (needs ../shared)",
    () => {
      const wrong: string[] = [];
      for (const entry of data!) {
        if (typeof entry === "string" || exceptions.has(`idna:${entry.input}`)) continue;
        const origin = parseTarget(`https://${entry.input}/x`)?.origin;
        if (origin !== (entry.output === null ? undefined : `https://${entry.output}`))
          wrong.push(`${entry.input}: ${origin}`);
      }
      expect(wrong).toEqual([]);
    },
  );
});

describe("odd URLs have the standard's results", () => {
  const { cases } = fixture<{
    cases: readonly {
      input: string;
      origin?: string;
      protocol?: string;
      pathname?: string;
      search?: string;
      error?: string;
    }[];
  }>("url-odd-vectors");

  test.each(cases)("$input", ({ input, origin, protocol, pathname, search, error }) => {
    const supported = protocol !== undefined && hasRobotsTxt.test(protocol);
    const parsed = parseTarget(input);
    expect(parsed?.origin).toBe(supported ? origin : undefined);
    expect(problemOf(input)).toBe(supported ? undefined : error ? "invalid-url" : "unsupported-scheme");
    if (parsed) expect(commonFormOf(parsed.target)).toBe(commonFormOf(pathname! + search!));
  });
});

describe("Google's table: the URLs to which a robots.txt applies", () => {
  const { cases } = fixture<{
    cases: readonly {
      robots: string;
      valid?: readonly string[];
      notValid?: readonly string[];
      invalidRobotsUrl?: boolean;
    }[];
  }>("google-origin-table");

  test.each(cases)("$robots", ({ robots, valid = [], notValid = [], invalidRobotsUrl = false }) => {
    const { origin, target } = parseTarget(robots)!;
    expect(target === "/robots.txt").toBe(!invalidRobotsUrl);
    expect(parseTarget(robotsUrlOf(origin))).toEqual({ origin, target: "/robots.txt" });
    for (const url of valid) expect(parseTarget(url)?.origin).toBe(origin);
    for (const url of notValid) expect(parseTarget(url)?.origin).not.toBe(origin);
  });
});
