// Tests the examples in documents: each command of a console block is run and must print the output in the document.
import { spawnSync } from "node:child_process";
import { chmodSync, globSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { decide } from "../src/commands/decide/run.ts";
import { describedCommands } from "../src/cli/command.ts";
import { commands } from "../src/commands/list.ts";
import { makeFolder } from "./folder.ts";
import { appArguments, root } from "./run.ts";

/** The documents that may have examples: those in the top folder and in docs, and the READMEs of apps, packages and integrations. */
const documents = globSync(["*.md", "docs/*.md", "{apps,packages,integrations}/*/README.md"], { cwd: root })
  .map((path) => path.replaceAll("\\", "/"))
  .toSorted();

interface Example {
  readonly command: string;
  /** Undefined if the command must only succeed and write nothing to stdout. */
  readonly output: string | undefined;
}

/**
 * A block of commands, with the comment before it, if there is one. A check (tooling/checks) makes sure that each block that this file does
 * not run has a comment.
 */
const block = /(?:^<!-- (run by|not run)[: ]+(.*) -->\n\n?)?^```(console|sh)\n([\s\S]*?)^```$/gmu;
const here = "apps/robots-stream/test/documents.test.ts";

/**
 * The commands of a document's `console` blocks with their output lines, except blocks whose comment does not name this file, and the
 * commands of the `sh` blocks whose comment names this file.
 */
function examplesOf(text: string): Example[] {
  return [...text.matchAll(block)].flatMap(([, what, value, language, body = ""]): Example[] => {
    if (language === "sh") {
      if (what !== "run by" || value !== here) return [];
      return body
        .trim()
        .split("\n")
        .map((command) => ({ command, output: undefined }));
    }
    if (what !== undefined && value !== here) return [];
    return body
      .split(/^\$ /mu)
      .slice(1)
      .map((part) => {
        const end = part.indexOf("\n");
        return { command: part.slice(0, end), output: part.slice(end + 1) };
      });
  });
}

/**
 * The output without differences between runs: times, rates, memory, the order of lines from the two streams, and the width of columns,
 * which depends on the rows that are printed together.
 */
function comparable(output: string): string[] {
  return output
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("took "))
    .map((line) => line.replaceAll(/(?<=\S) {2,}/gu, "  "))
    .sort();
}

const folder = makeFolder();

/** A folder to run in, with this checkout's examples, and the program under both names that documents use. */
beforeAll(() => {
  symlinkSync(join(root, "examples"), join(folder, "examples"));
  symlinkSync(join(root, "apps"), join(folder, "apps"));
  const program = join(folder, "robots-stream");
  const words = [process.execPath, ...appArguments].map((word) => `'${word}'`).join(" ");
  writeFileSync(program, `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(program, 0o755);
});

/** Flags in documents that belong to other programs: npm, the fault lab, git, V8, GNU parallel, GoAccess. */
const otherFlags = [
  "global",
  "markdown",
  "format",
  "max-old-space-size",
  "max-semi-space-size",
  "heap-growing-percent",
  "prefix",
  "timestamps",
  "parallel",
  "persist",
  "restore",
  "no-global-config",
  "max-items",
  "joblog",
  "resume-failed",
  "filter",
  "pack-destination",
  "master",
  "archives",
];

test("every flag in the documents is a flag of a command", async () => {
  const known = new Set(otherFlags);
  for (const { flags } of await describedCommands([decide, ...commands])) for (const { name } of flags) known.add(name);
  const kafka = readFileSync(join(root, "apps/robots-stream-kafka/src/flags.ts"), "utf8");
  for (const [, name] of kafka.matchAll(/(?:\bname: |Flag\(\s*)"([a-z-]+)"/gu)) known.add(name!);
  // CONTRIBUTING and the playground's README use flags of the project's own scripts.
  const unknown = documents
    .filter((name) => name !== "CONTRIBUTING.md" && name !== "apps/playground/README.md")
    .flatMap((name) =>
      [...readFileSync(join(root, name), "utf8").matchAll(/(?<![\w|-])--([a-z][a-z\d-]*)/gu)]
        .filter(([, flag]) => !known.has(flag!))
        .map(([flag]) => `${name}: ${flag}`),
    );
  expect(unknown).toEqual([]);
});

const hasJq = process.env["CI"] !== undefined || spawnSync("jq", ["--version"]).status === 0;

test("the table of packages names everything that a package needs", () => {
  const rows = readFileSync(join(root, "docs/LIBRARY.md"), "utf8").match(/^\|.*\[@robots-stream\/.*$/gmu) ?? [];
  const missing = rows.flatMap((row) => {
    const [, name, needs] = /\[@robots-stream\/([a-z-]+)\].*\|(.*)\|$/u.exec(row)!;
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, "packages", name!, "package.json"), "utf8")) as {
      dependencies?: Record<string, string>;
    };
    const words = new Set(needs!.match(/[a-z\d-]+/gu));
    return Object.keys(dependencies)
      .map((each) => each.replace("@robots-stream/", ""))
      .filter((each) => !words.has(each))
      .map((each) => `${name} needs ${each}`);
  });
  expect(rows.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});

test("every TypeScript file that a document names exists", () => {
  const names = new Set(
    globSync("{apps,packages,tooling,scripts,integrations}/**/*.ts", {
      cwd: root,
      exclude: (path) => /(?:^|[\\/])(?:node_modules|dist|bin)$/u.test(path),
    }).map((path) => path.replaceAll("\\", "/").split("/").at(-1)!),
  );
  for (const path of globSync("*.ts", { cwd: root })) names.add(path);
  const missing = [...documents, ...globSync("docs/decisions/*.md", { cwd: root })].flatMap((path) =>
    [...readFileSync(join(root, path), "utf8").matchAll(/[\w.-]+\.ts\b/gu)]
      .filter(([name]) => !names.has(name))
      .map(([name]) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

describe.skipIf(process.platform === "win32")("documents", () => {
  test("the documents have examples", () => {
    const counts = documents.map((name) => examplesOf(readFileSync(join(root, name), "utf8")).length);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(30);
  });

  for (const name of documents) {
    const examples = examplesOf(readFileSync(join(root, name), "utf8"));

    // In CI, .ci/run installs jq.
    const isRunnable = ({ command }: Example): boolean => hasJq || !/\bjq /u.test(command);
    test.each(examples.filter(isRunnable))(`${name}: $command`, ({ command, output }) => {
      const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}`, ROBOTS_STREAM_CACHE: "none" };
      const { status, stdout, stderr } = spawnSync("sh", ["-c", command], { cwd: folder, env, encoding: "utf8" });
      if (output === undefined) expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: "" });
      else expect(comparable(stdout + stderr)).toEqual(comparable(output));
    });
  }
});
