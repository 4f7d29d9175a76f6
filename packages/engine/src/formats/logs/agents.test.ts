// Tests the crawlers that non-ASCII User-Agent headers in log lines name: a character whose low byte is a letter of a crawler's name must
// not match that letter, whether it is written as UTF-8 or as an escape.
import { expect, test } from "vitest";
import { fileURLToPath } from "node:url";
import { createSavedRobots, decideStream } from "../../index.ts";

const saved = createSavedRobots(fileURLToPath(new URL("../../../../../examples/robots", import.meta.url)));

const cloudflare = (agent: string): string =>
  `{"ClientRequestHost":"shop.example","ClientRequestURI":"/p","ClientRequestScheme":"https","ClientRequestUserAgent":"${agent}"}\n`;
const caddy = (agent: string): string =>
  `{"ts":1.5,"logger":"http.log.access","msg":"handled request","request":{"method":"GET","host":"shop.example","uri":"/p","headers":{"User-Agent":["${agent}"]},"tls":{}},"status":200}\n`;
const combined = (agent: string): string =>
  `192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] "GET https://shop.example/p HTTP/1.1" 200 1 "-" "${agent}"\n`;
const cloudfront = (agent: string): string =>
  `#Version: 1.0\n#Fields: date time cs-method cs-uri-stem cs(User-Agent) x-host-header cs-protocol\n2026-01-01\t00:00:00\tGET\t/p\t${agent}\tshop.example\thttps\n`;

const letter = "\u0547"; // its low byte is "G"
const linesOf = { cloudflare, caddy, combined, cloudfront };
test.each<[format: keyof typeof linesOf, agent: string, named: string | null]>([
  ["cloudflare", "Googlebot/2.1", "Googlebot"],
  ["cloudflare", `${letter}ooglebot/2.1`, null],
  ["cloudflare", "\\u0547ooglebot/2.1", null],
  ["cloudflare", "\\ud847ooglebot/2.1", null],
  ["cloudflare", `caf\u00e9 (Googlebot/2.1)`, "Googlebot"],
  ["caddy", "Googlebot/2.1", "Googlebot"],
  ["caddy", `${letter}ooglebot/2.1`, null],
  ["caddy", "\\u0547ooglebot/2.1", null],
  ["combined", `${letter}ooglebot/2.1`, null],
  ["combined", `caf\u00e9 (Googlebot/2.1)`, "Googlebot"],
  ["cloudfront", `${letter}ooglebot/2.1`, null],
  ["cloudfront", "%D5%87ooglebot/2.1", null],
  ["cloudfront", "Googlebot/2.1", "Googlebot"],
])("%s: %j names %j", async (inputFormat, agent, named) => {
  const found = [];
  const input = Buffer.from(linesOf[inputFormat](agent));
  for await (const batch of decideStream({ agentField: "user_agent", robots: saved, inputFormat, input })) {
    for (const decision of batch) found.push(decision.agent);
  }
  expect(found).toEqual([named]);
});
