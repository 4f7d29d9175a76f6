// The console examples of the documents: each command is run and must print the output in the document.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appArguments, root } from "./run.ts";

const documents = [
  "README.md",
  "docs/OUTPUT.md",
  "docs/AUDIT.md",
  "docs/DIFF.md",
  "docs/CI.md",
  "docs/LIBRARY.md",
  "apps/robots-stream/README.md",
];

/** Commands whose output depends on a cache that earlier runs filled, or on a server. */
const isElsewhere = /robots-stream (?:cache |.*--allow-private)/u;

interface Example {
  readonly command: string;
  readonly output: string;
}

/** The commands in a document's `console` blocks that call the program, each with its output lines. */
function examplesOf(text: string): Example[] {
  const blocks = [...text.matchAll(/^```console\n([\s\S]*?)^```$/gmu)].map(([, body]) => body!);
  const examples = blocks.flatMap((body) =>
    body
      .split(/^\$ /mu)
      .slice(1)
      .map((part) => {
        const end = part.indexOf("\n");
        return { command: part.slice(0, end), output: part.slice(end + 1) };
      }),
  );
  return examples.filter(({ command }) => command.includes("robots-stream") && !isElsewhere.test(command));
}

/** Removes differences between runs: times, rates, memory, and the order in which the two streams arrive. */
function comparable(output: string): string[] {
  return output
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("took "))
    .sort();
}

let folder: string;

/** A folder to run in, with this checkout's examples and the program under both names that the documents use. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "robots-stream-documents-"));
  symlinkSync(join(root, "examples"), join(folder, "examples"));
  symlinkSync(join(root, "apps"), join(folder, "apps"));
  const program = join(folder, "robots-stream");
  const words = [process.execPath, ...appArguments].map((word) => `'${word}'`).join(" ");
  writeFileSync(program, `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(program, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(process.platform === "win32")("documents", () => {
  for (const name of documents) {
    const examples = examplesOf(readFileSync(join(root, name), "utf8"));

    test(`${name} has examples`, () => expect(examples.length).toBeGreaterThan(0));

    test.each(examples)(`${name}: $command`, ({ command, output }) => {
      const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}`, ROBOTS_STREAM_CACHE: "none" };
      const { stdout, stderr } = spawnSync("sh", ["-c", command], { cwd: folder, env, encoding: "utf8" });
      expect(comparable(stdout + stderr)).toEqual(comparable(output));
    });
  }
});
