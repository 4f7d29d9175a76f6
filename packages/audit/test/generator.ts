// Generates a log with its history of robots.txt files, crawlers and decisions from a seed.
import { type Decision, type DialectName, type Matcher, createMatcher, parseRobotsTxt } from "@robots-stream/core";
import type { Observation } from "@robots-stream/fetch/history";
import type { AuditCrawler, AuditDecision, CandidateVersions, Verification } from "../src/index.ts";
import { type Random, createRandom } from "./random.ts";

/** One line of the log. */
export interface LogLine {
  readonly origin: string | undefined;
  /** The product token; undefined for a line of no known crawler. */
  readonly crawler: string | undefined;
  readonly verification: Verification;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly bytes: number | undefined;
  readonly atSeconds: number | undefined;
}

/** A generated log with everything that an audit of it needs. */
export interface World {
  readonly crawlers: readonly AuditCrawler[];
  readonly observations: readonly Observation[];
  /** Bodies by version. */
  readonly bodies: ReadonlyMap<string, string>;
  readonly lines: readonly LogLine[];
  /** Candidates by origin. Default: none. */
  readonly candidates?: ReadonlyMap<string, CandidateVersions>;
  /** Returns the decision of a version. All decisions by one rule are one object. */
  decide(version: string, crawler: string, target: string): AuditDecision;
}

/** How large a world is. */
export interface WorldSize {
  readonly hosts: number;
  readonly crawlers: number;
  readonly lines: number;
  /** The dialects, which are assigned to the crawlers in turn. Default: google and rfc9309. */
  readonly dialects?: readonly DialectName[];
}

const day = 86_400;
/** 2026-11-01. */
const worldStart = 1_793_491_200;
const worldDays = 40;

const words = ["cart", "search", "a", "shop", "private", "old", "b$", "x", "%C3%A4", "caf\u00e9", "img"] as const;

/** Generates a world. Equal seeds and sizes give equal worlds. */
export function createWorld(seed: number, size: WorldSize): World {
  const random = createRandom(seed);
  const crawlers = Array.from({ length: size.crawlers }, (_, at) => crawlerOf(random, at));
  const bodies = new Map<string, string>();
  const hosts = Array.from({ length: size.hosts }, (_, at) => `https://host${at}.example`);
  const observations = hosts.flatMap((origin) => observationsOf(random, origin, crawlers, bodies));
  const known = [...hosts, "https://unknown.example", "https://stranger.example:8443"];
  const lines = Array.from({ length: size.lines }, () => lineOf(random, known, crawlers));
  const candidates = new Map(
    hosts.map((origin) => {
      const candidate = addBody(bodies, bodyOf(random, crawlers));
      return [origin, { google: candidate, rfc9309: candidate, yandex: random.one([candidate, "unavailable"]) }];
    }),
  );
  return {
    crawlers,
    observations: random.shuffled(observations),
    bodies,
    lines,
    candidates,
    decide: deciderOf(bodies, size.dialects ?? ["google", "rfc9309"]),
  };
}

function crawlerOf(random: Random, at: number): AuditCrawler {
  const kind = at === 1 ? "control-token" : at === 2 ? "user-triggered" : "crawler";
  return {
    productToken: `Crawler${String.fromCharCode(65 + Math.floor(at / 26))}${String.fromCharCode(97 + (at % 26))}`,
    operator: `Operator ${Math.floor(at / 2)}`,
    kind,
    purposes: [random.one(["search", "ai-training", "seo"])],
    bound: at === 2 ? "no" : random.one(["yes", "yes", "own-group", "by-name", "undocumented", "no"]),
    accessPolicy: random.one(["google", "rfc9309", "yandex"]),
    honoursCrawlDelay: random.chance(0.3),
  };
}

function bodyOf(random: Random, crawlers: readonly AuditCrawler[]): string {
  const groups = Array.from({ length: 1 + random.below(3) }, (_, at) => {
    const names = at === 0 ? ["*"] : [random.one(crawlers).productToken, random.one(crawlers).productToken];
    const rules = Array.from({ length: random.below(5) }).flatMap(() => {
      const pattern = `/${random.chance(0.2) ? "*" : ""}${random.one(words)}${random.chance(0.4) ? "/" : ""}`;
      // Only the dialect rfc9309 reads the two lines as one rule, which is on the first line.
      if (random.chance(0.15)) return ["Disallow: /*%61", "Disallow: /*a"];
      return `${random.chance(0.75) ? "Disallow" : "Allow"}: ${random.chance(0.1) ? "/" : pattern}`;
    });
    return [...names.map((name) => `User-agent: ${name}`), ...rules].join("\n");
  });
  return groups.join("\n\n");
}

/** Adds a body, and returns its version. */
function addBody(bodies: Map<string, string>, body: string): string {
  const sha256 = (bodies.size + 1).toString(16).padStart(64, "0");
  bodies.set(sha256, body);
  return sha256;
}

/** Observations of an origin: a few recurring versions, gaps, outages, answers with 404. Some origins have one observation without a date. */
function observationsOf(
  random: Random,
  origin: string,
  crawlers: readonly AuditCrawler[],
  bodies: Map<string, string>,
): Observation[] {
  const versions = Array.from({ length: 1 + random.below(5) }, () => addBody(bodies, bodyOf(random, crawlers)));
  if (random.chance(0.15)) return [{ origin, access: "successful", sha256: versions[0]! }];
  const found: Observation[] = [];
  let atSeconds = worldStart - random.below(3) * day + random.below(day);
  let access: Observation["access"] = random.chance(0.15) ? "unreachable" : "successful";
  let sha256 = versions[0]!;
  while (atSeconds < worldStart + worldDays * day && found.length < 40) {
    found.push({
      origin,
      atSeconds,
      access,
      ...(access === "unavailable" || access === "unreachable" ? {} : { sha256 }),
    });
    const isLongGap = random.chance(0.06);
    atSeconds += isLongGap
      ? (28 + random.below(5)) * day
      : random.chance(0.1)
        ? random.below(600)
        : random.below(3 * day);
    if (random.chance(0.35)) sha256 = random.one(versions);
    if (access === "unreachable" && random.chance(0.5)) continue;
    access = random.chance(0.8)
      ? "successful"
      : random.one<Observation["access"]>([
          "unavailable",
          "unreachable",
          "unreachable",
          { google: "unreachable", rfc9309: "unavailable", yandex: "unavailable" },
          { google: "unreachable", rfc9309: "unreachable", yandex: "unavailable" },
        ]);
  }
  return found;
}

function targetOf(random: Random): string {
  if (random.chance(0.05)) return random.one(["/robots.txt", "/robots.txt?x", "//robots.txt", "/robots.txt/"]);
  const path = Array.from({ length: random.below(5) }, () => random.one(words)).join("/");
  const query = random.chance(0.3)
    ? `?${Array.from({ length: random.below(4) }, () => `${random.one(["q", "page", "\u00e4"])}=${random.below(9)}`).join("&")}`
    : "";
  return `/${path}${random.chance(0.5) ? "/" : ""}${random.chance(0.02) ? `${"y".repeat(300)}/` : ""}${query}`;
}

function lineOf(random: Random, origins: readonly string[], crawlers: readonly AuditCrawler[]): LogLine {
  const isFetch = random.chance(0.08);
  const method = random.chance(0.8) ? "GET" : random.one(["HEAD", "POST", "OPTIONS", "CONNECT", "PROPFIND"]);
  const isBrowser = random.chance(0.2);
  // Origins that only browsers request must not use up the limit of origins that are kept by name.
  const browsed = [...origins, ...Array.from({ length: 40 }, (_, at) => `https://browsed${at}.example`)];
  return {
    origin: random.chance(0.02) ? undefined : random.one(isBrowser ? browsed : origins),
    crawler: isBrowser ? undefined : random.one(crawlers).productToken,
    verification: random.one<Verification>(["no-check", "no-check", "verified", "claimed", "false"]),
    method,
    target: isFetch ? "/robots.txt" : method === "OPTIONS" && random.chance(0.5) ? "*" : targetOf(random),
    status: random.one([200, 200, 200, 206, 301, 304, 400, 403, 404, 410, 429, 499, 500, 503, 0, -1, 100, 999, 1_499]),
    bytes: random.chance(0.1) ? undefined : random.below(50_000),
    atSeconds: random.chance(0.02) ? undefined : worldStart + random.below(worldDays * day),
  };
}

/** Decides with the matchers of core, each crawler in one of `dialects`, and compares with the other dialect. */
function deciderOf(bodies: ReadonlyMap<string, string>, dialects: readonly DialectName[]): World["decide"] {
  const matchers = new Map<string, readonly [Matcher, Matcher]>();
  const made = new Map<Decision, AuditDecision>();
  const disputedOnes = new Map<Decision, AuditDecision>();
  const encoder = new TextEncoder();
  return (version, crawler, target) => {
    if (version === "unavailable") return unavailable;
    const key = `${version} ${crawler}`;
    const dialect = dialects[crawler.charCodeAt(crawler.length - 1) % dialects.length]!;
    let pair = matchers.get(key);
    if (pair === undefined) {
      const body = encoder.encode(bodies.get(version));
      const matcherIn = (name: DialectName): Matcher => createMatcher(parseRobotsTxt(body, { dialect: name }), crawler);
      pair = [matcherIn(dialect), matcherIn(dialect === "google" ? "rfc9309" : "google")];
      matchers.set(key, pair);
    }
    const decision = pair[0].decideTarget(target);
    const disputed = pair[1].decideTarget(target).allowed !== decision.allowed;
    const known = disputed ? disputedOnes : made;
    let found = known.get(decision);
    if (found === undefined) known.set(decision, (found = { ...decision, dialect, disputed }));
    return found;
  };
}

const unavailable: AuditDecision = { allowed: true, because: "unavailable" };
