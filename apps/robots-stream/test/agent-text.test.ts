// User-Agent headers with characters outside ASCII, in each input format: such a character must not match the letter with its low byte.
import { expect, test } from "vitest";
import { runHere } from "./here.ts";
import { recordsOf } from "./run.ts";

/** U+0547 and U+0142: their low bytes are "G" and "B". */
const posing = ["\u0547ooglebot/2.1", "GPT\u0142ot/1.2", "\u0547PTBot"];
const real = "Googlebot/2.1 (\u0547)";
const url = "https://example.com/private";

const escaped = (text: string): string => text.replaceAll(/[^ -~]/gu, (c) => `\\u0${c.charCodeAt(0).toString(16)}`);
const clf = (agent: string): string =>
  `192.0.2.1 - - [21/Nov/2026:06:55:01 +0000] "GET /private HTTP/1.1" 200 1 "-" "${agent}"`;
const caddy = (agent: string): string =>
  JSON.stringify({
    ts: 1,
    msg: "handled request",
    status: 200,
    request: { method: "GET", host: "example.com", uri: "/private", tls: {}, headers: { "User-Agent": [agent] } },
  });

const inputs: readonly [what: string, flags: readonly string[], textOf: (agents: readonly string[]) => string][] = [
  ["ndjson", ["--agent-field", "ua"], (agents) => agents.map((ua) => JSON.stringify({ url, ua })).join("\n")],
  [
    "ndjson, escaped",
    ["--agent-field", "ua"],
    (agents) => agents.map((ua) => `{"url":"${url}","ua":"${escaped(ua)}"}`).join("\n"),
  ],
  [
    "ndjson, nested",
    ["--agent-field", "h.ua"],
    (agents) => agents.map((ua) => JSON.stringify({ url, h: { ua } })).join("\n"),
  ],
  ["csv", ["--agent-field", "ua"], (agents) => ["url,ua", ...agents.map((ua) => `${url},${ua}`)].join("\n")],
  ["csv, quoted", ["--agent-field", "ua"], (agents) => ["url,ua", ...agents.map((ua) => `${url},"${ua}"`)].join("\n")],
  ["tsv", ["--agent-field", "ua"], (agents) => ["url\tua", ...agents.map((ua) => `${url}\t${ua}`)].join("\n")],
  [
    "combined",
    ["--agent-field", "user_agent", "--base", "https://example.com"],
    (agents) => agents.map(clf).join("\n"),
  ],
  ["caddy", ["--agent-field", "user_agent", "--input", "caddy"], (agents) => agents.map(caddy).join("\n")],
];

test.each(inputs)("names with characters outside ASCII are not crawlers: %s", async (_what, flags, textOf) => {
  const robots = new URL("fixtures/dialects.txt", import.meta.url).pathname;
  const ended = await runHere([...flags, "--robots", robots], `${textOf([...posing, real])}\n`);
  expect(ended.stderr).toBe("");
  const agents = recordsOf(ended.stdout).map((record) => (record as { robots: { agent: string | null } }).robots.agent);
  expect(agents).toEqual([...posing.map(() => null), "Googlebot"]);
});
