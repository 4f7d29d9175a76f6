// Tests the programs of docs/LIBRARY.md: each is run in the checkout's top folder and must print the output on the page.
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { appArguments, root } from "./run.ts";

const page = readFileSync(join(root, "docs/LIBRARY.md"), "utf8");
const programs = [...page.matchAll(/^```js\n((?:(?!```).*\n)+)```\n\n```text\n([\s\S]*?)^```$/gmu)].map(
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
  test("has a program for each use", () => expect(programs.length).toBe(4));

  test.each(programs)("$title", ({ code, output }) => {
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"]}`, ROBOTS_STREAM_CACHE: "none" };
    // Imports of packages resolve from the app's folder, paths of files from the top folder.
    const program = `process.chdir(${JSON.stringify(root)});\n${code}`;
    const words = ["--input-type=module", "--conditions=@robots-stream/source", "-"];
    const cwd = join(root, "apps/robots-stream");
    const { stdout, stderr } = spawnSync(process.execPath, words, { cwd, env, input: program, encoding: "utf8" });
    expect(stdout + stderr).toBe(output);
  });
});
