// Tests the README: the output of its example, its table of signals, and its number of vectors.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { signals } from "../src/index.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(`${folder}/README.md`, "utf8");

test("the example prints what the README shows", () => {
  const example = readFileSync(`${folder}/examples/usage.mjs`, "utf8").replace(/^\/\/.*\n/, "");
  expect(readme).toContain(`\`\`\`js\n${example}\`\`\``);
  const { stdout, stderr } = spawnSync(process.execPath, ["examples/usage.mjs"], { cwd: folder, encoding: "utf8" });
  expect(stderr).toBe("");
  expect(readme).toContain(`\`\`\`text\n${stdout}\`\`\``);
});

test("the table of signals equals the data", () => {
  for (const { name, title, state, document, actedOnBy, read } of signals) {
    expect(readme).toContain(`| \`${name}\`: ${title} | ${state} | ${document} | ${actedOnBy} | ${read} |`);
  }
});

test("the number of vectors", () => {
  const files = readdirSync(`${folder}/vectors`);
  const lines = files.flatMap((file) => readFileSync(`${folder}/vectors/${file}`, "utf8").trimEnd().split("\n"));
  expect(readme).toContain(`has ${lines.length} cases`);
});
