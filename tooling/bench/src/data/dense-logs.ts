// Generates, from a seed, a log in which every crawler makes requests to every host, and dated robots.txt files of these hosts: the input
// for which an audit needs the most memory.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { crawlers as knownCrawlers } from "@robots-stream/agents";
import { browserOf } from "./access-logs.ts";
import { type Random, createRandom } from "./random.ts";
import { createRobotsFiles } from "./robots-files.ts";
import { createTarget, hostOf } from "./urls.ts";

export interface DenseLogSize {
  readonly count: number;
  readonly hosts: number;
  /** Product tokens. The User-Agent header of a crawler's request names `TOKEN/1.0`. */
  readonly crawlers: readonly string[];
  readonly seed: number;
}

/** Number of days in the log, which begins at 2025-06-01T00:00:00Z. */
const days = 30;
const firstMs = Date.UTC(2025, 5, 1);
const dayMs = 86_400_000;
/** Default number of versions of each host's robots.txt. Each version is fetched on its first day and in the middle of its validity. */
export const versionsEach = 5;
/** The share of crawlers' requests in the log, and the share of robots.txt requests among the crawlers' requests. */
const crawlerShare = 0.8;
const fetchShare = 0.02;
/** Largest number of different targets. */
const mostTargets = 50_000;

/**
 * Writes the log, gzipped, as vhost_combined. Hosts and crawlers are equally likely, so that in a long log every pair of host and crawler
 * occurs.
 */
export function writeDenseLog(path: string, { count, hosts, crawlers, seed }: DenseLogSize): void {
  const random = createRandom(seed, `dense ${hosts} ${crawlers.length}`);
  const names = Array.from({ length: hosts }, (_, at) => hostOf(at));
  const headers = crawlers.map((token) => `Mozilla/5.0 (compatible; ${token}/1.0; +https://bots.example/${token})`);
  const browsers = Array.from({ length: 300 }, () => browserOf(random));
  const targets = Array.from({ length: Math.min(count, mostTargets) }, () => createTarget(random));
  const file = openSync(path, "w");
  let text = "";
  for (let at = 0; at < count; at++) {
    const written = accessTimeOf(firstMs + Math.floor((at * days * dayMs) / count));
    text += lineOf(random, written, random.pick(names), headers, browsers, targets);
    if (text.length < 1_000_000 && at < count - 1) continue;
    // Consecutive gzip members form one gzip file.
    writeSync(file, gzipSync(text, { level: 1 }));
    text = "";
  }
  closeSync(file);
}

function lineOf(
  random: Random,
  time: string,
  host: string,
  headers: readonly string[],
  browsers: readonly string[],
  targets: readonly string[],
): string {
  const isCrawler = random.chance(crawlerShare);
  const target = isCrawler && random.chance(fetchShare) ? "/robots.txt" : random.pick(targets);
  const method = random.chance(0.95) ? "GET" : random.pick(["HEAD", "POST"]);
  const status = random.pick([200, 200, 200, 200, 200, 301, 304, 404, 500]);
  const client = `192.0.2.${random.below(256)}`;
  const agent = random.pick(isCrawler ? headers : browsers);
  return `${host}:443 ${client} - - [${time}] "${method} ${target} HTTP/1.1" ${status} ${random.below(200_000)} "-" "${agent}"\n`;
}

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

function accessTimeOf(ms: number): string {
  const instant = new Date(ms).toISOString();
  return `${instant.slice(8, 10)}/${months[Number(instant.slice(5, 7)) - 1]}/${instant.slice(0, 4)}:${instant.slice(11, 19)} +0000`;
}

/** Writes the versions of each host's robots.txt as files with dated names, as `--robots-history` reads them. */
export function writeDenseHistory(folder: string, hosts: number, seed: number, versions: number = versionsEach): void {
  mkdirSync(folder, { recursive: true });
  const bodies = createRobotsFiles(hosts * versions, seed);
  for (let host = 0; host < hosts; host++) {
    for (let version = 0; version < versions; version++) {
      // The first version is fetched the day before the log begins; each version is fetched a second time before the next version.
      const first = firstMs - dayMs + Math.floor((version * days * dayMs) / versions);
      for (const at of [first, first + Math.floor((days * dayMs) / versions / 2)]) {
        const name = `${hostOf(host)}@${new Date(at).toISOString().slice(0, 19).replaceAll(":", "")}Z.txt`;
        writeFileSync(`${folder}/${name}`, bodies[host * versions + version]!);
      }
    }
  }
}

/** The first product tokens of known crawlers, in registry order, without control tokens, which no request carries. */
export function crawlerNames(count: number): readonly string[] {
  return knownCrawlers
    .filter(({ kind }) => kind !== "control-token")
    .slice(0, count)
    .map(({ productToken }) => productToken);
}
