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

const w3c = (fields: string, line: string): string => `#Software: x\n#Fields: ${fields}\n${line}\n`;
const json = (record: object): string => `${JSON.stringify(record)}\n`;
const caddyWith = (headers: object): object => ({
  msg: "handled request",
  request: { remote_ip: "192.0.2.1", host: "shop.example", uri: "/p", tls: {}, ...headers },
});
const haproxy = (captured: string): string =>
  `10.0.1.2:33317 [06/Feb/2009:12:14:14.655] in s/s 10/0/30/69/109 200 27 - - ---- 1/1/1/1/0 0/0 ${captured}"GET /p HTTP/1.1"\n`;

test.each<[format: string, what: string, input: string, isRefused: boolean]>([
  ["common", "", '192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] "GET https://shop.example/p HTTP/1.1" 200 1\n', true],
  ["combined", "an empty header", combined("-"), false],
  ["w3c", "no field", w3c("date time cs-uri-stem cs-host", "2026-01-01 00:00:00 /p shop.example"), true],
  ["w3c", "", w3c("date time cs-uri-stem cs-host cs(User-Agent)", "2026-01-01 00:00:00 /p shop.example -"), false],
  ["cloudfront", "no field", "#Fields: cs-uri-stem x-host-header\n/p\tshop.example\n", true],
  ["cloudfront", "no header", cloudfront("-"), false],
  ["haproxy", "one captured header", haproxy("{shop.example} "), true],
  ["haproxy", "an empty captured header", haproxy("{shop.example|} "), false],
  ["nginx_json", "no member", json({ remote_addr: "192.0.2.1", request_uri: "/p", host: "shop.example" }), true],
  ["nginx_json", "", json({ remote_addr: "x", request_uri: "/p", host: "shop.example", http_user_agent: "" }), false],
  ["envoy_json", "", json({ response_flags: "-", response_code: 200, path: "/p", authority: "shop.example" }), true],
  ["traefik_json", "headers dropped", json({ RequestPath: "/p", RequestHost: "shop.example" }), true],
  ["traefik_json", "", json({ RequestPath: "/p", RequestHost: "shop.example", request_Referer: "" }), false],
  ["caddy", "headers removed", json(caddyWith({})), true],
  ["caddy", "a client without the header", json(caddyWith({ headers: {} })), false],
  ["cloudflare", "", json({ ClientRequestHost: "shop.example", ClientRequestURI: "/p" }), true],
])(
  "%s (%s): agentField is refused only if the log has no User-Agent headers",
  async (inputFormat, _what, text, isRefused) => {
    const options = { agentField: "user_agent", robots: saved, inputFormat, base: "https://shop.example" };
    const decide = async (): Promise<number> => {
      let records = 0;
      for await (const batch of decideStream({ ...options, input: Buffer.from(text) })) records += batch.length;
      return records;
    };
    if (!isRefused) expect(await decide()).toBe(1);
    else {
      await expect(decide()).rejects.toMatchObject({
        code: "ERR_NO_AGENT_FIELD",
        message: "input: this log has no User-Agent headers; agentField needs them",
      });
    }
  },
);

const logpush = (agent?: string): string =>
  json({ ClientRequestHost: "shop.example", ClientRequestURI: "/p", ClientRequestUserAgent: agent });
const caddyLine = (headers: object): string => json(caddyWith(headers));
const fieldsOf = (names: string, line: string): string => `#Fields: date time cs-uri-stem cs-host${names}\n${line}\n`;

test.each([
  ["a member that an empty header leaves out", logpush() + logpush("bingbot/2.0"), 2],
  ["with the agent in the 20th record", logpush().repeat(19) + logpush("bingbot/2.0"), 20],
  [
    "with the agent in a record that is no request of a client",
    logpush() +
      json({ ClientRequestHost: "a", ClientRequestURI: "/", WorkerSubrequest: true, ClientRequestUserAgent: "x" }),
    1,
  ],
  ["rows of JSON, joined from two exports", caddyLine({}) + caddyLine({ headers: {} }), 2],
  [
    "two headings",
    fieldsOf("", "2026-01-01 00:00:00 /p shop.example") +
      fieldsOf(" cs(User-Agent)", "2026-01-01 00:00:01 /p shop.example bingbot/2.0"),
    2,
  ],
])("%s: the log is read, named or not, whatever the chunks", async (_what, text, count) => {
  const names = [undefined, text.startsWith("#") ? "w3c" : text.includes("ClientRequest") ? "cloudflare" : "caddy"];
  for (const inputFormat of names) {
    for (const size of [7, text.length]) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        Buffer.from(text.slice(at * size, (at + 1) * size)),
      );
      let records = 0;
      const options = {
        agentField: "user_agent",
        robots: saved,
        ...(inputFormat === undefined ? {} : { inputFormat }),
      };
      for await (const batch of decideStream({ ...options, input: chunks })) records += batch.length;
      expect(records).toBe(count);
    }
  }
});

test("a log is refused if none of its first 20 records has a User-Agent header", async () => {
  for (const inputFormat of [{}, { inputFormat: "cloudflare" }]) {
    const input = Buffer.from(logpush().repeat(20) + logpush("bingbot/2.0"));
    const decide = async (): Promise<void> => {
      for await (const _batch of decideStream({ agentField: "user_agent", robots: saved, ...inputFormat, input }));
    };
    await expect(decide()).rejects.toMatchObject({ code: "ERR_NO_AGENT_FIELD" });
  }
});
