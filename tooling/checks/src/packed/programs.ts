// Defines one TypeScript program for each published library, with the program's expected output. A program uses the public entry points of
// its package, except `archives` of fetch and engine. The program's text is valid in an ES module and in a CommonJS module, and needs Node
// or the DOM only if the package does.

/** A program that uses a package. */
export interface PackedProgram {
  readonly package: string;
  /** Whether the package's types, or the program, need Node's types. */
  readonly forNode?: boolean;
  readonly source: string;
  readonly prints: string;
}

export const packedPrograms: readonly PackedProgram[] = [
  {
    package: "@robots-stream/core",
    source: `
import { type Decision, createMatcher, explain, parseRobotsTxt } from "@robots-stream/core";
import { lint } from "@robots-stream/core/lint";
import { createCrawlerMatcher } from "@robots-stream/core/product-tokens";
import { crawlDelay, sitemaps } from "@robots-stream/core/records";
const robots = parseRobotsTxt("User-agent: *\\nDisallow: /p\\nCrawl-delay: 2\\nSitemap: https://a.example/s.xml\\n");
const decision: Decision = createMatcher(robots, "bingbot").decide("/p");
const byNames = createCrawlerMatcher(robots, { names: ["Googlebot-Image", "Googlebot"] });
console.log(decision.allowed, explain(decision), byNames.decide("/p").allowed, lint("Disalow: /")[0]?.code);
console.log(crawlDelay(robots, "bingbot")?.seconds, sitemaps(robots)[0]?.value);
`,
    prints: `false Disallowed by line 2 ("disallow: /p") of the group for *. false forgiven-typo\n2 https://a.example/s.xml`,
  },
  {
    package: "@robots-stream/url",
    source: `
import { type ParsedTarget, normalizeTarget, parseTarget, robotsUrlOf } from "@robots-stream/url";
import { createTargetParser, parseTarget as parseAscii, problemOf } from "@robots-stream/url/ascii";
const parsed: ParsedTarget | undefined = parseTarget("HTTPS://EX\u00c4MPLE.com/a?b");
console.log(parsed?.origin, parsed?.target, robotsUrlOf("https://a.example"), normalizeTarget("/a/../b"));
const parser = createTargetParser((domain: string) => \`\${domain.length}.example\`);
console.log(parseAscii("http://a/")?.origin, problemOf("http://\u00e4/"), parser.parseTarget("http://\u00e4/")?.origin);
`,
    prints: "https://xn--exmple-cua.com /a?b https://a.example/robots.txt /b\nhttp://a non-ascii-host http://1.example",
  },
  {
    package: "@robots-stream/agents",
    source: `
import { crawlerOf, productTokenOf } from "@robots-stream/agents";
console.log(productTokenOf("Mozilla/5.0 (compatible; bingbot/2.0)"), crawlerOf("googlebot-image")?.names.join());
`,
    prints: "bingbot Googlebot-Image,Googlebot",
  },
  {
    package: "@robots-stream/logs",
    source: `
import { isLogProblem, lineLogFormats } from "@robots-stream/logs";
const parse = lineLogFormats.find(({ name }) => name === "combined")?.createParser();
const request = parse?.('192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1 "-" "bingbot/2.0"');
if (request !== undefined && !isLogProblem(request)) console.log(request.method, request.target, request.userAgent);
`,
    prints: "GET /a bingbot/2.0",
  },
  {
    package: "@robots-stream/diff",
    source: `
import { diffRobots } from "@robots-stream/diff";
const { answers, isProved } = diffRobots("User-agent: *\\nDisallow: /a\\n", "User-agent: *\\nDisallow: /b\\n");
console.log(isProved, answers[0]?.changes.map(({ effect }) => effect).join());
`,
    prints: "true newly-disallowed,newly-allowed",
  },
  {
    package: "@robots-stream/page",
    source: `
import { decidePage, readXRobotsTag } from "@robots-stream/page";
import { readHtml } from "@robots-stream/page/html";
const { statements } = readHtml('<head><meta name="googlebot" content="noindex"></head>');
const decision = decidePage([...readXRobotsTag(["max-snippet:50"]), ...statements], "Googlebot");
console.log(decision.indexable, decision.maxSnippet);
`,
    prints: "false 50",
  },
  {
    package: "@robots-stream/verify",
    source: `
import { createVerifier, readRanges } from "@robots-stream/verify";
const { ranges, problem } = readRanges('{"creationTime":"2026-11-20T15:46:05","prefixes":[{"ipv4Prefix":"66.249.64.0/19"}]}');
if (ranges === undefined) throw new Error(problem);
const verifier = createVerifier({ lists: [{ name: "google-common", ranges, fetchedAtMs: Date.UTC(2026, 10, 21) }] });
console.log(verifier.verify({ productToken: "Googlebot", address: "66.249.66.1", atMs: Date.UTC(2026, 10, 22) }).verdict);
`,
    prints: "verified",
  },
  {
    package: "@robots-stream/preferences",
    source: `
import { parseRobotsTxt } from "@robots-stream/core";
import { createPreferences } from "@robots-stream/preferences";
const preferences = createPreferences(parseRobotsTxt("User-agent: *\\nContent-Signal: ai-train=no\\n"), "GPTBot");
console.log(preferences.usageAt("/")["train-ai"].value);
`,
    prints: "disallow",
  },
  {
    package: "@robots-stream/audit",
    source: `
import { AuditCounter, documentOf, printText, reportOf } from "@robots-stream/audit";
import { createHistory } from "@robots-stream/fetch/history";
const counter = new AuditCounter({ history: createHistory([]), crawlers: [] });
const settings = { registry: "2026-11-20", ranges: null, dialect: "rfc9309", candidate: null } as const;
console.log(printText(reportOf(documentOf(counter, { settings, inputs: [] }))).length > 0);
`,
    prints: "true",
  },
  {
    package: "@robots-stream/fetch",
    forNode: true,
    source: `
import { FetchError, createRobotsClient } from "@robots-stream/fetch";
import { createHistory } from "@robots-stream/fetch/history";
import { storedOfJson } from "@robots-stream/fetch/json";
import { createRobotsClient as createPlatformClient } from "@robots-stream/fetch/platform";
import { accessPolicies } from "@robots-stream/fetch/policy";
import { createRedisStore } from "@robots-stream/fetch/redis";
import { createSqliteStore } from "@robots-stream/fetch/sqlite";
import { createHttpTransport } from "@robots-stream/fetch/transports";
const client = createRobotsClient({ userAgent: "examplebot/1.0" });
void client.close().then(() => console.log("closed", typeof createHistory([]), typeof storedOfJson));
console.log(Object.keys(accessPolicies).includes("rfc9309"), FetchError.name);
console.log([createPlatformClient, createRedisStore, createSqliteStore, createHttpTransport].every((each) => typeof each === "function"));
`,
    prints: "true FetchError\ntrue\nclosed object function",
  },
  {
    package: "@robots-stream/engine",
    forNode: true,
    source: decideProgram("@robots-stream/engine"),
    prints: "false 2",
  },
  { package: "robots-stream", forNode: true, source: decideProgram("robots-stream"), prints: "false 2" },
  {
    package: "@robots-stream/robots-parser",
    source: `
import robotsParser, { type Robot } from "@robots-stream/robots-parser";
const robots: Robot = robotsParser("https://a.example/robots.txt", "User-agent: *\\nDisallow: /p\\n");
console.log(robots.isAllowed("https://a.example/p", "MyBot/1.0"), robots.isDisallowed("https://other.example/p"), robots.getMatchingLineNumber("https://a.example/p"));
`,
    prints: "false true 2",
  },
];

/** The robots-parser program with TypeScript's own form of `require`. In the CommonJS types, the module itself is the function. */
export const requiredParser = `
import robotsParser = require("@robots-stream/robots-parser");
const robots: robotsParser.Robot = robotsParser("https://a.example/robots.txt", "User-agent: *\\nDisallow: /p\\n");
console.log(robots.isAllowed("https://a.example/p"), robots.explain("https://a.example/p")?.line);
`;

/** A JavaScript program, as it would be written for npm robots-parser. */
export const plainRequire = `
const robotsParser = require("@robots-stream/robots-parser");
const robots = robotsParser("https://a.example/robots.txt", "User-agent: *\\nDisallow: /p\\n");
console.log(robots.isAllowed("https://a.example/p"), robots.explain("https://a.example/p")?.line);
`;

function decideProgram(name: string): string {
  return `
import { createSavedRobots, decideStream } from "${name}";
async function main(): Promise<void> {
  const robots = createSavedRobots("robots.txt");
  for await (const batch of decideStream({ agents: "bingbot", robots, input: ["https://example.com/private/x"] })) {
    for (const { allowed, line } of batch) console.log(allowed, line);
  }
}
void main();
`;
}
