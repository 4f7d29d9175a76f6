// The programs on pages for users: examples of READMEs, docs/LIBRARY.md, docs/COMING-FROM.md and the polite crawler give what the pages say.
import { globSync, readFileSync, chmodSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join, delimiter } from "node:path";
import { createContext, runInContext } from "node:vm";
import { expect, test, beforeAll, describe } from "vitest";
import { root, appArguments } from "./run.ts";
import { spawnSync } from "node:child_process";
import { makeFolder } from "./folder.ts";
import { createServer } from "node:http";
import { createRobotsClient } from "@robots-stream/fetch";
import { portOf } from "./servers.ts";

/** The pages with examples that need neither network nor files. The packages `page` and `preferences` have tests of their own. */
const pages = [
  "README.md",
  ...["agents", "core", "diff", "logs", "url", "verify"].map((name) => `packages/${name}/README.md`),
];

/** The value in a comment such as `// "bingbot": its token`; undefined for a comment without a value. */
function valueOf(comment: string): { readonly value: unknown } | undefined {
  const ends = [comment.length, ...[...comment.matchAll(/: |, /gu)].map(({ index }) => index)];
  for (const end of ends) {
    try {
      return { value: runInContext(`(${comment.slice(0, end)})`, createContext({})) as unknown };
    } catch {
      // Not a value, or the value continues after this comma or colon.
    }
  }
  return undefined;
}

test.each(pages)("the examples of %s", async (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const context = createContext({ console: { log: () => undefined }, URL, TextEncoder });
  let compared = 0;
  for (const [, block = ""] of text.matchAll(/^```ts\n([\s\S]*?)^```$/gmu)) {
    for (const [, names = "", from = ""] of block.matchAll(/^import \{ (.*) \} from "(.*)";/gmu)) {
      const module = (await import(from)) as Record<string, unknown>;
      for (const name of names.split(", ")) {
        expect(module[name], `${name} of ${from}`).toBeDefined();
        context[name] = module[name];
      }
    }
    const body = block.replaceAll(/^import .*\n/gmu, "").replaceAll(/^(?:const|let) (\{.*?\}|\w+) = /gmu, "var $1 = ");
    runInContext(stripTypeScriptTypes(body), context);
    for (const [, expression = "", comment = ""] of body.matchAll(/^([^\s/].*?);? +\/\/ (.*)$/gmu)) {
      const told = expression.startsWith("var ") ? undefined : valueOf(comment);
      if (told === undefined) continue;
      compared++;
      const result: unknown = runInContext(stripTypeScriptTypes(expression), context);
      expect(JSON.parse(JSON.stringify([result])), expression).toEqual(JSON.parse(JSON.stringify([told.value])));
    }
  }
  expect(compared).toBeGreaterThan(0);
});

/** All pages for users. Every example on these pages must be free of syntax errors, even if no test runs it. */
const allPages = globSync(["*.md", "docs/*.md", "{apps,packages,integrations}/*/README.md"], { cwd: root })
  .map((path) => path.replaceAll("\\", "/"))
  .toSorted();

test("every example in JavaScript or TypeScript can be parsed", () => {
  const blocks = allPages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/^```(?:ts|js)\n([\s\S]*?)^```$/gmu)].map(([, block = ""]) => ({
      page,
      block,
    })),
  );
  const wrong = blocks.flatMap(({ page, block }) => {
    try {
      stripTypeScriptTypes(block);
      return [];
    } catch (error) {
      return [`${page}: ${String(error)}\n${block}`];
    }
  });
  expect(wrong).toEqual([]);
  expect(blocks.length).toBeGreaterThan(20);
});

const libraryPage = readFileSync(join(root, "docs/LIBRARY.md"), "utf8");
const libraryPrograms = [...libraryPage.matchAll(/^```js\n((?:(?!```).*\n)+)```\n\n```text\n([\s\S]*?)^```$/gmu)].map(
  ([, code, output]) => ({ code: code!, output: output!, title: /decide\w+|answer/u.exec(code!)?.[0] ?? "" }),
);

const folder = makeFolder();
beforeAll(() => {
  const program = join(folder, "robots-stream");
  const words = [process.execPath, ...appArguments].map((word) => `'${word}'`).join(" ");
  writeFileSync(program, `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(program, 0o755);
});

describe.skipIf(process.platform === "win32")("docs/LIBRARY.md", () => {
  test("has a program for each use", () => expect(libraryPrograms.length).toBe(4));

  test.each(libraryPrograms)("$title", ({ code, output }) => {
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"]}`, ROBOTS_STREAM_CACHE: "none" };
    // Imports of packages resolve from the app's folder, paths of files from the top folder.
    const program = `process.chdir(${JSON.stringify(root)});\n${code}`;
    const words = ["--input-type=module", "--conditions=@robots-stream/source", "-"];
    const cwd = join(root, "apps/robots-stream");
    const { stdout, stderr } = spawnSync(process.execPath, words, { cwd, env, input: program, encoding: "utf8" });
    expect(stdout + stderr).toBe(output);
  });
});

const app = join(root, "apps/robots-stream");

const comingFrom = readFileSync(join(root, "docs/COMING-FROM.md"), "utf8");
const blocks = [...comingFrom.matchAll(/^```(js|text)\n([\s\S]*?)^```$/gmu)].map(([, kind, body]) => ({
  kind,
  body: body!,
}));

/** Each program with the output block that follows it; consecutive programs share the output block after the last of them. */
const programs = blocks.flatMap(({ kind, body }, index) =>
  kind === "js" ? [{ body, output: blocks.slice(index).find((block) => block.kind === "text")!.body }] : [],
);

test("docs/COMING-FROM.md has programs", () => expect(programs.length).toBeGreaterThan(4));

test.each(programs)("prints $output", ({ body, output }) => {
  // Only the folder of @robots-stream/robots-parser can import both this package and npm robots-parser, which it replaces.
  const importing = body.includes("robots-parser") ? join(root, "packages/robots-parser") : app;
  const flags = ["--conditions=@robots-stream/source", "--input-type=module", "--eval", body];
  const { stdout, stderr } = spawnSync(process.execPath, flags, { cwd: importing, encoding: "utf8" });
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
