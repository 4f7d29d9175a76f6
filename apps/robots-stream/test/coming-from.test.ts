// docs/COMING-FROM.md and the polite crawler: every JavaScript program is run and must print the output on the page.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { createRobotsClient } from "@robots-stream/fetch";
import { expect, test } from "vitest";
import { root } from "./run.ts";
import { portOf } from "./servers.ts";

const app = join(root, "apps/robots-stream");

const page = readFileSync(join(root, "docs/COMING-FROM.md"), "utf8");
const blocks = [...page.matchAll(/^```(js|text)\n([\s\S]*?)^```$/gmu)].map(([, kind, body]) => ({ kind, body: body! }));

/** Each program with the output block that follows it; consecutive programs share the output block after the last of them. */
const programs = blocks.flatMap(({ kind, body }, index) =>
  kind === "js" ? [{ body, output: blocks.slice(index).find((block) => block.kind === "text")!.body }] : [],
);

test("the page has programs", () => expect(programs.length).toBeGreaterThan(4));

test.each(programs)("prints $output", ({ body, output }) => {
  // Only the folder of @robots-stream/robots-parser can import both this package and npm robots-parser, which it replaces.
  const folder = body.includes("robots-parser") ? join(root, "packages/robots-parser") : app;
  const flags = ["--conditions=@robots-stream/source", "--input-type=module", "--eval", body];
  const { stdout, stderr } = spawnSync(process.execPath, flags, { cwd: folder, encoding: "utf8" });
  expect({ stdout, stderr }).toEqual({ stdout: output, stderr: "" });
});

test("the polite crawler obeys robots.txt and Crawl-delay", async () => {
  const asked: { readonly path: string; readonly ms: number }[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push({ path: url, ms: performance.now() });
    response.end(url === "/robots.txt" ? "user-agent: examplebot\ndisallow: /cart\ncrawl-delay: .3\n" : "page");
  });
  const origin = `http://127.0.0.1:${await portOf(server)}`;
  const client = createRobotsClient({ allowPrivate: ["127.0.0.0/8"] });
  try {
    const path = join(app, "examples/polite-crawler.mjs");
    const { crawl } = (await import(path)) as {
      crawl: (urls: readonly string[], robots: unknown, leastPause: number) => AsyncIterable<unknown>;
    };
    expect(readFileSync(path, "utf8").split("\n").length).toBeLessThanOrEqual(41);
    const urls = [`${origin}/a`, `${origin}/cart/x`, "mailto:a", `${origin}/b`];
    const answers: unknown[] = [];
    for await (const answer of crawl(urls, client, 0)) answers.push(answer);
    expect(answers).toEqual([
      { url: `${origin}/a`, page: "page" },
      { url: `${origin}/cart/x`, reason: "line 2, disallow: /cart" },
      { url: "mailto:a", reason: "not a URL of the web" },
      { url: `${origin}/b`, page: "page" },
    ]);
    expect(asked.map((each) => each.path)).toEqual(["/robots.txt", "/a", "/b"]);
    // Timers may fire a millisecond early.
    expect(asked[2]!.ms - asked[1]!.ms).toBeGreaterThan(295);
  } finally {
    await client.close();
    server.close();
  }
});
