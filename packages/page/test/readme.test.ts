// Tests that the README's first example runs and that each expression has the value in its comment.
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";
import { readHtml } from "../src/html.ts";
import { decidePage, explainPage, readXRobotsTag } from "../src/index.ts";

test("the example", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, example = ""] = /^```ts\n([\s\S]*?)^```$/mu.exec(readme) ?? [];
  const context = createContext({ decidePage, explainPage, readHtml, readXRobotsTag });
  const values: [expression: string, told: string, value: unknown][] = [];
  const statements = example.split("\n").filter((line) => line !== "" && !line.startsWith("import "));
  for (const line of statements) {
    const last = values.at(-1);
    if (line.startsWith("// ") && last !== undefined) {
      last[1] += last[1] === "" ? line.slice(3) : `\n${line.slice(3)}`;
      continue;
    }
    const [, expression = line, told = ""] = /^(\S.*);(?: \/\/ (.*))?$/u.exec(line) ?? [];
    const value: unknown = runInContext(line, context);
    if (!line.startsWith("const ")) values.push([expression, told, value]);
  }
  expect(values).toHaveLength(5);
  for (const [expression, told, value] of values) {
    const shown = typeof value === "string" ? value : (JSON.stringify(value)?.replaceAll(",", ", ") ?? "undefined");
    expect(told.startsWith(shown), `${expression}: ${shown}, not ${told}`).toBe(true);
  }
});
