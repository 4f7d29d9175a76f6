// Generates, from a seed, access logs in the formats below, as servers write them. Crawlers make half of the requests.
import { closeSync, openSync, writeSync } from "node:fs";
import { type Random, createRandom } from "./random.ts";
import { createTarget, hostOf } from "./urls.ts";

export type AccessLogFormat =
  | "combined"
  | "vhost_combined"
  | "cloudfront"
  | "squid"
  | "envoy"
  | "elb"
  | "haproxy"
  | "nginx_json";

/** User-Agent headers of crawlers; half of the requests have such a header, as in real logs. */
const crawlers: readonly string[] = [
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
  "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
  "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
  "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.6422.175 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
  "Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)",
  "CCBot/2.0 (https://commoncrawl.org/faq/)",
];

/** Number of different User-Agent headers of browsers; the first ones are picked far more often. */
const browserCount = 300;

/** Writes a log. In `combined`, all requests go to the first host; in the other formats a few hosts get many of the requests. */
export function writeAccessLog(
  path: string,
  { format, count, origins, seed }: { format: AccessLogFormat; count: number; origins: number; seed: number },
): void {
  const random = createRandom(seed, `log ${format} ${origins}`);
  const browsers = Array.from({ length: browserCount }, () => browserOf(random));
  const file = openSync(path, "w");
  let text = format === "cloudfront" ? cloudfrontHeading : "";
  // 2025-06-01T00:00:00Z.
  let seconds = 1_748_736_000;
  for (let at = 0; at < count; at++) {
    if (random.chance(0.4)) seconds++;
    const host = hostOf(format === "combined" ? 0 : Math.floor(random.next() ** 2 * origins));
    const agent = random.chance(0.5) ? random.pickSkewed(crawlers) : random.pickSkewed(browsers);
    text += `${lineOf(format, host, agent, new Date(seconds * 1_000).toISOString(), random)}\n`;
    if (text.length > 1_000_000) {
      writeSync(file, text);
      text = "";
    }
  }
  writeSync(file, text);
  closeSync(file);
}

const cloudfrontHeading =
  "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken\n";

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

function lineOf(format: AccessLogFormat, host: string, agent: string, instant: string, random: Random): string {
  const client = `${1 + random.below(223)}.${random.below(256)}.${random.below(256)}.${random.below(256)}`;
  const method = random.chance(0.83) ? "GET" : random.chance(0.9) ? "POST" : "HEAD";
  const target = createTarget(random);
  const status = random.pick([200, 200, 200, 200, 200, 301, 304, 404, 500]);
  const bytes = random.chance(0.05) ? 0 : random.below(200_000);
  const referer = random.chance(0.35) ? `https://${host}${createTarget(random)}` : "-";
  const date = instant.slice(0, 10);
  const time = instant.slice(11, 19);
  if (format === "cloudfront") {
    const [stem, query = "-"] = target.split("?");
    const id = Array.from({ length: 4 }, () => random.next().toString(36).slice(2, 14)).join("");
    const domain = "d111111abcdef8.cloudfront.net";
    const begins = [date, time, "FRA56-P4", bytes, client, method, domain, stem, status, referer].join("\t");
    const ends = [
      agent.replaceAll(" ", "%20"),
      query,
      "-",
      "Miss",
      id,
      host,
      "https",
      300 + random.below(500),
      "0.012",
    ];
    return `${begins}\t${ends.join("\t")}`;
  }
  const milliseconds = String(random.below(1_000)).padStart(3, "0");
  if (format === "squid") {
    const took = String(random.below(3_000)).padStart(6);
    const seconds = Date.parse(instant) / 1_000;
    return `${seconds}.${milliseconds} ${took} ${client} TCP_MISS/${status} ${bytes} ${method} http://${host}${target} - HIER_DIRECT/10.0.0.1 text/html`;
  }
  if (format === "envoy") {
    return `[${date}T${time}.${milliseconds}Z] "${method} ${target} HTTP/2" ${status} - 0 ${bytes} 12 11 "${client}" "${agent}" "${seedOf(random)}" "${host}" "10.0.0.1:8080"`;
  }
  if (format === "elb") {
    return `${date}T${time}.${milliseconds}000Z lb ${client}:4711 10.0.0.1:80 0.000073 0.001048 0.000057 ${status} ${status} 0 ${bytes} "${method} https://${host}:443${target} HTTP/1.1" "${agent}" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2`;
  }
  if (format === "nginx_json") {
    return JSON.stringify({
      time_iso8601: `${date}T${time}+00:00`,
      remote_addr: client,
      host,
      scheme: "https",
      request: `${method} ${target} HTTP/2.0`,
      status,
      body_bytes_sent: bytes,
      request_time: 0.012,
      http_referer: referer === "-" ? "" : referer,
      http_user_agent: agent,
      upstream_addr: "10.0.0.7:8080",
    });
  }
  const [year, month, day] = date.split("-");
  if (format === "haproxy") {
    const since = `${day}/${months[Number(month) - 1]}/${year}:${time}.${milliseconds}`;
    return `${months[Number(month) - 1]} ${day} ${time} lb haproxy[812]: ${client}:33317 [${since}] in~ app/srv1 10/0/30/69/109 ${status} ${bytes} - - ---- 1/1/1/1/0 0/0 {${host}|${agent}} "${method} ${target} HTTP/1.1"`;
  }
  const written = `${day}/${months[Number(month) - 1]}/${year}:${time} +0000`;
  const begins = format === "combined" ? "" : `${host}:443 `;
  return `${begins}${client} - - [${written}] "${method} ${target} HTTP/1.1" ${status} ${bytes} "${referer}" "${agent}"`;
}

/** A request identifier. */
function seedOf(random: Random): string {
  return Array.from({ length: 3 }, () => random.next().toString(16).slice(2, 12)).join("-");
}

export function browserOf(random: Random): string {
  const version = `${80 + random.below(60)}.0.${random.below(7_000)}.${random.below(200)}`;
  const system = random.pick([
    "Windows NT 10.0; Win64; x64",
    "Macintosh; Intel Mac OS X 10_15_7",
    "X11; Linux x86_64",
    `Linux; Android ${8 + random.below(7)}; SM-G${900 + random.below(99)}B`,
    `iPhone; CPU iPhone OS 1${random.below(8)}_${random.below(7)} like Mac OS X`,
  ]);
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36`;
}
