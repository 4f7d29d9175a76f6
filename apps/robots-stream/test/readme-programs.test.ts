// Tests the TypeScript examples of READMEs: each statement is run, and its result is compared with the value in the comment after it.
import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";
import { root } from "./run.ts";

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
