// Real URLs with real robots.txt files, as saved files: every decision must equal that of Google's parser.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { root } from "./run.ts";

const shared = process.env["ROBOTS_STREAM_SHARED"] ?? resolve(root, "../shared");
const pairsPath = join(shared, "corpora/robots/real-pairs-google.ndjson.gz");
const urlsPath = join(shared, "corpora/urls/real-urls-dev.ndjson.gz");
const isMissing = !existsSync(pairsPath) || !existsSync(urlsPath);

interface Pair {
  readonly robots_b64: string;
  readonly urls: readonly string[];
  /** A string for each agent, with one character per URL: "1" for allowed. */
  readonly allowed: Readonly<Record<string, string>>;
  readonly line: Readonly<Record<string, readonly number[]>>;
}

const folder = makeFolder();

const agents = ["Googlebot", "bingbot", "GPTBot", "robots-stream-test"];

test.skipIf(isMissing)(
  `54,481 URLs for four agents: Google's decisions${isMissing ? ` (skipped: no corpora in ${shared})` : ""}`,
  { timeout: 300_000 },
  async () => {
    const allowed = new Map<string, string>();
    for (const line of gunzipSync(readFileSync(pairsPath)).toString().trim().split("\n")) {
      const pair = JSON.parse(line) as Pair;
      const names = new Set<string>();
      pair.urls.forEach((url, index) => {
        const { protocol, host } = new URL(url);
        names.add(`${protocol.slice(0, -1)}@${host.replace(":", "@")}.txt`);
        for (const agent of agents) allowed.set(`${agent} ${url}`, pair.allowed[agent]?.[index] ?? "?");
      });
      for (const name of names) writeFileSync(join(folder, name), Buffer.from(pair.robots_b64, "base64"));
    }
    const input = gunzipSync(readFileSync(urlsPath));
    const args = [
      ...agents.flatMap((agent) => ["--agent", agent]),
      "--no-fallback",
      "--robots",
      folder,
      "--max-bytes",
      "256M",
    ];
    const { code, stdout, stderr } = await runHere(args, input);

    let count = 0;
    const wrong: string[] = [];
    for (const line of stdout.split("\n")) {
      if (line === "") continue;
      const { url, robots } = JSON.parse(line) as { url: string; robots: { agent: string; allowed: boolean } };
      const key = `${robots.agent} ${url}`;
      if (allowed.get(key) !== (robots.allowed ? "1" : "0")) wrong.push(line);
      allowed.delete(key);
      count++;
    }
    // Some servers sent a web page; such a file is named, and allows every URL.
    const others = stderr
      .split("\n")
      .filter((line) => !/ is [A-Za-z -]+ without a user-agent line| are not reported$|^$/.test(line));
    expect([code, others, wrong, count, allowed.size]).toEqual([0, [], [], 4 * 54_481, 0]);
  },
);
