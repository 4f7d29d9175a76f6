// Generates, from a seed, requests of crawlers and browsers, and writes them as records, lists of URLs or access logs.
import { closeSync, openSync, writeSync } from "node:fs";
import { type Random, createRandom } from "./random.ts";
import { createTarget, hostOf } from "./urls.ts";

/** One request; a browser's agent is a header like those of browsers. */
interface Request {
  readonly host: string;
  readonly target: string;
  readonly client: string;
  readonly instant: string;
  readonly method: string;
  readonly status: number;
  readonly bytes: number;
  readonly referer: string;
  readonly agent: string;
}

export interface RequestsSize {
  readonly count: number;
  readonly origins: number;
  readonly seed: number;
  /**
   * User-Agent headers of crawlers; default: some of real logs. With them, every crawler requests pages of every host; otherwise a few
   * crawlers and hosts make most of the requests, as in logs.
   */
  readonly headers?: readonly string[];
}

const crawlers: readonly string[] = [
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
  "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
  "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
  "Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)",
  "CCBot/2.0 (https://commoncrawl.org/faq/)",
];
const browserCount = 300;
/** Share of the requests that crawlers make. */
const crawlerShare = 0.5;
const dense = { crawlerShare: 0.8, targets: 50_000 };
/** 2025-06-01T00:00:00Z. */
const firstMs = 1_748_736_000_000;
const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

const urlOf = ({ host, target }: Request): string => `https://${host}${target}`;
const wideNames = ["time", "method", "url", "status", "bytes", "referer", "user_agent", "id"];

function wideOf(request: Request): readonly (string | number)[] {
  const { instant, method, status, bytes, referer, agent, client } = request;
  return [instant, method, urlOf(request), status, bytes, referer, agent, client];
}

function combinedOf({ client, instant, method, target, status, bytes, referer, agent }: Request): string {
  const day = `${instant.slice(8, 10)}/${months[Number(instant.slice(5, 7)) - 1]}/${instant.slice(0, 4)}`;
  const request = `"${method} ${target} HTTP/1.1" ${status} ${bytes}`;
  return `${client} - - [${day}:${instant.slice(11, 19)} +0000] ${request} "${referer || "-"}" "${agent}"`;
}

/** The formats, each with the line of a request. In `combined`, which names no host, all requests are those to the first host. */
const lineOf = {
  thin: (request: Request): string => JSON.stringify({ url: urlOf(request) }),
  wide: (request: Request): string =>
    JSON.stringify(Object.fromEntries(wideOf(request).map((value, at) => [wideNames[at]!, value]))),
  csv: (request: Request): string =>
    wideOf(request)
      .map((value) => `"${String(value).replaceAll('"', '""')}"`)
      .join(","),
  list: urlOf,
  combined: combinedOf,
  vhost: (request: Request): string => `${request.host}:443 ${combinedOf(request)}`,
};
export type RequestFormat = keyof typeof lineOf;

/** Writes requests in a format. The same size gives the same requests in every format. */
export function writeRequests(path: string, format: RequestFormat, size: RequestsSize): void {
  const next = createRequests(size);
  const file = openSync(path, "w");
  let text = format === "csv" ? `${wideNames.join(",")}\n` : "";
  for (let at = 0; at < size.count; at++) {
    text += `${lineOf[format](next(at))}\n`;
    if (text.length < 1_000_000 && at < size.count - 1) continue;
    writeSync(file, text);
    text = "";
  }
  closeSync(file);
}

function createRequests({ count, origins, seed, headers }: RequestsSize): (at: number) => Request {
  const random = createRandom(seed, `requests ${origins}`);
  const browsers = Array.from({ length: browserCount }, () => browserOf(random));
  const targets = Array.from({ length: headers ? Math.min(count, dense.targets) : 0 }, () => createTarget(random));
  const hosts = Array.from({ length: origins }, (_, at) => hostOf(at));
  return (at) => {
    const isCrawler = random.chance(headers ? dense.crawlerShare : crawlerShare);
    const host = headers ? random.pick(hosts) : hosts[Math.floor(random.next() ** 2 * origins)]!;
    return {
      host,
      target: headers ? random.pick(targets) : createTarget(random),
      client: `${1 + random.below(223)}.${random.below(256)}.${random.below(256)}.${random.below(256)}`,
      instant: new Date(firstMs + Math.floor((at * 30 * 86_400_000) / count)).toISOString(),
      method: random.chance(0.83) ? "GET" : random.chance(0.9) ? "POST" : "HEAD",
      status: random.pick([200, 200, 200, 200, 200, 301, 304, 404, 500]),
      bytes: random.below(200_000),
      referer: random.chance(0.35) ? `https://${host}/${random.below(1_000)}.html` : "",
      agent: isCrawler ? (headers ? random.pick(headers) : random.pickSkewed(crawlers)) : random.pickSkewed(browsers),
    };
  };
}

function browserOf(random: Random): string {
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
