// Packs the built packages, installs them with npm in an empty folder, imports them and runs them.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runQuietly } from "./process.ts";
import type { Package } from "./workspace.ts";
import { publishedPackagesOf } from "./workspace.ts";

/** A program that uses the installed packages and prints its results. */
const consumer = `
import { createRequire } from "node:module";
import { createMatcher, explain, parseRobotsTxt } from "@robots-stream/core";
import { lint } from "@robots-stream/core/lint";
import { parseTarget, robotsUrlOf } from "@robots-stream/url";
import { productTokenOf } from "@robots-stream/agents";
import { createRobotsClient } from "@robots-stream/fetch";
import robotsParser from "@robots-stream/robots-parser";
import { createSavedRobots, decideStream } from "robots-stream";
const required = createRequire(import.meta.url)("@robots-stream/robots-parser");
const { origin, target } = parseTarget("HTTPS://Example.com:443/private/x?y=1#z");
const decision = createMatcher(parseRobotsTxt("user-agent: *\\ndisallow: /private\\n"), productTokenOf("bingbot/2.0")).decideTarget(target);
const client = createRobotsClient();
await client.close();
const decisions = decideStream({ agents: "bingbot", robots: createSavedRobots("robots.txt"), input: ["https://example.com/private/x"] });
for await (const [{ allowed, line }] of decisions) console.log(allowed, line);
console.log([robotsParser, required].map((parser) => parser("/robots.txt", "user-agent: *\\ndisallow: /p").isAllowed("/p")).join(" "));
console.log([robotsUrlOf(origin), decision.allowed, decision.rule?.line, typeof explain(decision), lint("Disalow: /")[0].code].join(" "));
`;
const consumerSays = "false 2\nfalse false\nhttps://example.com/robots.txt false 2 string forgiven-typo";

const robotsTxt = "user-agent: *\ndisallow: /private\n";
const record = '{"url":"https://example.com/private/x"}\n';

/** One sentence for each problem; empty without problems. Needs npm, pnpm on the PATH, and built packages. */
export async function findTarballProblems(root: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-tarballs-"));
  try {
    const published = publishedPackagesOf(root);
    for (const each of published) await pack(root, each, folder);
    const tarballs = readdirSync(folder).filter((file) => file.endsWith(".tgz"));
    const contents = await Promise.all(tarballs.map((tarball) => contentProblems(folder, tarball)));
    return [...contents.flat(), ...(await useProblems(folder, tarballs))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function pack(root: string, { folder }: Package, destination: string): Promise<void> {
  await runQuietly("pnpm", ["pack", "--pack-destination", destination], { cwd: join(root, folder) });
}

/** A tarball must contain every file that users need, and no file that only the project needs. */
async function contentProblems(folder: string, tarball: string): Promise<readonly string[]> {
  const listing = await runQuietly("tar", ["-tzf", tarball], { cwd: folder });
  const files = listing.split("\n").map((line) => line.replace(/^package\//u, ""));
  const wanted = ["package.json", "README.md", "LICENSE"].filter((file) => !files.includes(file));
  const unwanted = files.filter((file) => /\.test\.|\/fixtures\/|tsbuildinfo|^test\//u.test(file));
  return [
    ...wanted.map((file) => `${tarball}: has no ${file}`),
    ...unwanted.map((file) => `${tarball}: holds ${file}`),
    ...(files.some((file) => file.startsWith("dist/")) ? [] : [`${tarball}: has no dist/`]),
  ];
}

async function useProblems(folder: string, tarballs: readonly string[]): Promise<readonly string[]> {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  writeFileSync(join(folder, "consumer.mjs"), consumer);
  writeFileSync(join(folder, "robots.txt"), robotsTxt);
  const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await runQuietly("npm", [...install, ...tarballs.map((tarball) => `./${tarball}`)], {
    cwd: folder,
    env: ownEnvironment(),
  });
  const said = (await runQuietly(process.execPath, ["consumer.mjs"], { cwd: folder })).trim();
  const bin = join(folder, "node_modules/.bin/robots-stream");
  const options = { cwd: folder, input: record };
  const decided = await runQuietly(bin, ["--agent", "bingbot", "--robots", "robots.txt"], options);
  return [
    ...(said === consumerSays ? [] : [`the installed packages said ${JSON.stringify(said)}`]),
    ...(decided.includes('"allowed":false') && decided.includes('"line":2')
      ? []
      : [`the installed app said ${JSON.stringify(decided)}`]),
  ];
}

/** The environment without the variables that npx sets, so that npm runs as for a user. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const told =
    /^npm_(?:config_(?:allow_scripts|package|yes|prefer_offline|legacy_peer_deps|package_lock)$|package_|lifecycle_)/iu;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !told.test(name)));
}
