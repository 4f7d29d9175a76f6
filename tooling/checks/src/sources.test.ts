// Tests which lines of invented texts name a path of one machine or a registry, and which invented files lack an opening comment.
import { describe, expect, test } from "vitest";
import { findSourceProblems, flagProblems, machineProblems, openingProblems } from "./sources.ts";
import { checkout } from "./workspace.ts";

const registry = ["registry", "example", "org"].join(".");

describe("machineProblems", () => {
  test.each([
    ["the checkout", "see /some/where/checkout/src", 1],
    ["a registry", `https://${registry}/x`, 1],
    ["a user's home", ["at /home", "me", ".npm/_npx"].join("/"), 1],
    ["a rule of a robots.txt", "disallow: /home/ and /Users/x and /tmp/", 0],
    ["an address", "https://example.com/home/me/", 0],
    ["a relative path", "../shared/vectors", 0],
  ])("%s", (_what, text, count) => {
    expect(machineProblems("a.md", `one\n${text}\n`, ["/some/where/checkout"])).toHaveLength(count);
  });

  test("a problem names its file and line", () => {
    expect(machineProblems("a.md", "one\n/some/where\n", ["/some/where"])).toEqual(['a.md:2: holds "/some/where"']);
  });
});

describe("openingProblems", () => {
  test.each([
    ["a comment", "a.ts", "// Text in, text out.\nexport {};", 0],
    ["a comment after the shebang", "cli.ts", "#!/usr/bin/env node\n// Text in, text out.\n", 0],
    ["no comment", "a.ts", 'import "./b.ts";\n// late', 1],
    ["only a shebang", "cli.ts", '#!/usr/bin/env node\nimport "./b.ts";\n', 1],
    ["no code", "a.json", "{}", 0],
    ["a fixture", "src/fixtures/a.ts", "export {};", 0],
  ])("%s", (_what, file, text, count) => {
    expect(openingProblems(file, text)).toHaveLength(count);
  });
});

describe("flagProblems", () => {
  test.each([
    ["a flag in a message", "packages/a/src/b.ts", 'throw new Error("name it: --url-field NAME");', 1],
    ["a flag in a comment", "packages/a/src/b.ts", "// The value of `--url-field`.", 1],
    ["a flag that is put together", "packages/a/src/b.ts", "return `--${name}`;", 1],
    ["a flag of another program", "packages/a/src/b.ts", "// `kubectl logs --prefix`", 0],
    ["a decrement", "packages/a/src/b.ts", "if (--this.left > 0) return;", 0],
    ["a test", "packages/a/src/b.test.ts", "// --url-field", 0],
    ["the command itself", "apps/a/src/b.ts", "// --url-field", 0],
  ])("%s", (_what, file, text, count) => {
    expect(flagProblems(file, `// One.\n${text}\n`, new Set(["--url-field"]))).toHaveLength(count);
  });
});

test("this checkout's own files", () => {
  expect(findSourceProblems(checkout)).toEqual([]);
});
