// Writes the files that whole processes read, each under a fixed name: inputs, and robots.txt files from every kind of source.
import { execFileSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crawlers as knownCrawlers } from "@robots-stream/agents";
import { runCli } from "../whole-process.ts";
import { type RequestFormat, type RequestsSize, writeRequests } from "./requests.ts";
import { createPatterns, createRobotsFiles } from "./robots-files.ts";
import { hostOf } from "./urls.ts";

export interface Size {
  /** Records of an input. */
  readonly count: number;
  readonly seed: number;
}

/** The origin of the inputs that name no host. */
export const base = `https://${hostOf(0)}`;

/** The dense log: every crawler requests pages of every host, so that an audit counts as many pairs as possible. */
const dense = { hosts: 300, crawlers: 200 };
const hostsOf = ({ count }: Size): number => Math.min(1_000, count);
/** Origins of `many.ndjson` and its saved robots.txt files. */
const manyOf = ({ count }: Size): number => Math.max(10, Math.floor(count / 10));

function requests(format: RequestFormat, more: (size: Size) => Partial<RequestsSize> = () => ({})) {
  return (path: string, size: Size): void =>
    writeRequests(path, format, { origins: hostsOf(size), ...size, ...more(size) });
}

const writers: Readonly<Record<string, (path: string, size: Size, folder: string) => void>> = {
  "ten.ndjson": requests("thin", () => ({ count: 10, origins: 10 })),
  "thin.ndjson": requests("thin"),
  "wide.ndjson": requests("wide"),
  "quoted.csv": requests("csv"),
  "urls.txt": requests("list"),
  "combined.log": requests("combined", () => ({ origins: 1 })),
  "vhost.log": requests("vhost"),
  "many.ndjson": requests("thin", (size) => ({ origins: manyOf(size) })),
  "dense.log": requests("vhost", () => ({ origins: dense.hosts, headers: denseHeaders() })),
  "combined.log.gz": compress,
  "dense.log.gz": compress,
  "robots.txt": (path, { seed }) => writeFileSync(path, robotsTxt(30, seed)),
  "candidate.txt": (path, { seed }) => writeFileSync(path, robotsTxt(40, seed)),
  hosts: (path, size) => {
    mkdirSync(path);
    for (const [at, text] of createRobotsFiles(Math.max(dense.hosts, hostsOf(size)), size.seed).entries())
      writeFileSync(join(path, `${hostOf(at)}.txt`), text);
  },
  history: (path, { seed }) => {
    mkdirSync(path);
    for (const [at, day] of ["2025-05-31", "2025-06-15"].entries())
      writeFileSync(join(path, `${hostOf(0)}@${day}T000000Z.txt`), robotsTxt(30 + at, seed));
  },
  ranges: (path) => {
    mkdirSync(path);
    const prefixes = Array.from({ length: 200 }, (_, at) => ({ ipv4Prefix: `66.249.${at}.0/27` }));
    writeFileSync(join(path, "googlebot.json"), JSON.stringify({ creationTime: "2025-05-01T00:00:00", prefixes }));
  },
  "archive.ndjson": writeArchive,
  snapshot: (path, size, folder) => {
    writeFiles(["archive.ndjson"], folder, size);
    const cache = join(folder, "cache");
    runCli("cache", "import", join(folder, "archive.ndjson"), "--cache", cache);
    runCli("cache", "export", "--snapshot", path, "--cache", cache);
  },
};

/** Writes those of the names that are names of files into a folder, unless they exist there. */
export function writeFiles(names: readonly string[], folder: string, size: Size): void {
  for (const name of names)
    if (Object.hasOwn(writers, name) && !existsSync(join(folder, name)))
      writers[name]!(join(folder, name), size, folder);
}

function compress(path: string, size: Size, folder: string): void {
  const name = path.slice(folder.length + 1, -".gz".length);
  writeFiles([name], folder, size);
  execFileSync("gzip", ["-1", "-k", name], { cwd: folder });
}

function denseHeaders(): readonly string[] {
  return knownCrawlers
    .filter(({ kind }) => kind !== "control-token")
    .slice(0, dense.crawlers)
    .map(({ productToken }) => `Mozilla/5.0 (compatible; ${productToken}/1.0; +https://bots.example/)`);
}

/** A file with a group for two crawlers and a rule for all others. */
function robotsTxt(rules: number, seed: number): string {
  const lines = createPatterns(rules, "mixed", seed).map((pattern) => `Disallow: ${pattern}\n`);
  return `User-agent: *\nDisallow: /private/\n\nUser-agent: bingbot\nUser-agent: GPTBot\n${lines.join("")}`;
}

/** Writes saved robots.txt files as NDJSON, one for each origin. */
function writeArchive(path: string, size: Size): void {
  const fetchedAt = Date.UTC(2026, 10, 1);
  const times = { fetchedAt, freshUntil: fetchedAt + 86_400_000 };
  const file = openSync(path, "w");
  for (const [at, body] of createRobotsFiles(manyOf(size), size.seed).entries()) {
    const origin = `https://${hostOf(at)}`;
    const hops = [{ url: `${origin}/robots.txt`, status: 200 }];
    const entry = { origin, ...times, access: "successful", code: "ok", status: 200, hops, body };
    writeSync(file, `${JSON.stringify(entry)}\n`);
  }
  closeSync(file);
}
