// The help of every command, and the flags that all commands share.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decide } from "./decide/run.ts";
import { describedCommands } from "../cli/command.ts";
import { commands } from "./list.ts";
import { runHere } from "../../test/here.ts";
import { makeFolder } from "../../test/folder.ts";

const run = (argv: readonly string[], stdin?: string, env?: NodeJS.ProcessEnv): ReturnType<typeof runHere> =>
  runHere(argv, stdin, env);

async function helpOf(argv: readonly string[]): Promise<string> {
  const { code, stdout } = await run(argv);
  expect(code).toBe(0);
  return stdout;
}

const described = await describedCommands([decide, ...commands]);

test.each(described)("$name: the help lists every flag", async ({ name, flags }) => {
  const help = await helpOf(name === "" ? ["--help"] : [name, "--help"]);
  for (const flag of flags) expect(help).toMatch(new RegExp(`--${flag.name}\\b`));
});

test.each(described)("$name: without the arguments that it needs, it names --help", async ({ name }) => {
  const { code, stderr } = await run(name === "" ? [] : [name]);
  const needsNone = ["agents", "man", "lint", "origins", "detect"].includes(name);
  const words = ["  robots-stream", name, "--help lists the flags"].filter((word) => word !== "").join(" ");
  expect([code, stderr.includes(words)]).toEqual(needsNone ? [0, false] : [2, true]);
});

test("the main help lists every command with its arguments and purpose", async () => {
  const help = (await run(["--help"], "", { COLUMNS: "100" })).stdout.replaceAll(/\n {20,}/g, " ");
  for (const { name, args, about } of commands) {
    expect(help).toContain(`  robots-stream ${name} ${args}`);
    expect(help).toContain(about);
  }
});

describe("help", () => {
  const helps = [["-h"], ["--help"], ...commands.map(({ name }) => [name, "--help"])];

  test.each(helps)("%s %s: no line is longer than the terminal is wide, and no word is lost", async (...argv) => {
    const wordsOf = (text: string): readonly string[] => text.split(/\s+/);
    const wide = (await run(argv, "", { COLUMNS: "1000" })).stdout;
    for (const columns of [40, 60, 80, 100]) {
      const { stdout } = await run(argv, "", { COLUMNS: String(columns) });
      expect(wordsOf(stdout)).toEqual(wordsOf(wide));
      // A line may exceed the width only if it consists of one long word.
      expect(stdout.split("\n").filter((line) => line.length > columns && line.trim().includes(" "))).toEqual([]);
    }
    expect(Math.max(...(await run(argv)).stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  test("-h lists twelve flags and names --help; --help takes precedence over -h", async () => {
    const { stdout } = await run(["-h"]);
    expect(stdout.match(/^ {2}(?:-\w,| {3}) --/gm)).toHaveLength(12);
    expect(stdout).toMatch(/robots-stream --help describes \d+ more flags/);
    const full = await run(["--help"]);
    for (const argv of [["-h", "--help"], ["--help", "-h"], ["help"]]) expect(await run(argv)).toEqual(full);
  });

  test.each(commands)("help $name is $name --help", async ({ name }) => {
    expect(await run(["help", name])).toEqual(await run([name, "--help"]));
  });

  test("help for an unknown command is wrong usage, and the message suggests the nearest one", async () => {
    const { code, stdout, stderr } = await run(["help", "exlpain"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/help exlpain: there is no such command[^\n]*\n.*did you mean help explain\?/);
  });
});

test.each([
  [["agnets"], /^robots-stream: agnets: is neither a file nor a command; .*\n.*did you mean robots-stream agents\?\n$/],
  [["explian", "https://shop.example/"], /is a URL, and no file has this name\n.*robots-stream explain https:/],
  [["https://shop.example/"], /is a URL, and no file has this name\n.*robots-stream explain https:/],
  [["urls.ndjson"], /--agent is missing: name a crawler\n.*--agent-field user_agent\n$/],
  [["urls.ndjson", "--user-agent", "bingbot"], /--user-agent sets the header that robots-stream sends/],
])("%j: the message names what was probably meant", async (argv, message) => {
  const { code, stdout, stderr } = await run(argv);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(message);
});

test("no two commands have the same name", () => {
  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
});

describe("flags that every command has", () => {
  test.each(described)("$name: -o, --output names a format, --output-file a file", ({ flags: table }) => {
    expect(table.find(({ name }) => name === "output")).toMatchObject({ short: "o", value: "FORMAT" });
    expect(table.find(({ name }) => name === "output-file")).toMatchObject({ value: "FILE", file: { use: "writes" } });
    expect(table.filter(({ name }) => ["json", "format"].includes(name))).toEqual([]);
  });

  test.each(described)("$name: an unknown flag is refused, and the message names the nearest one", async ({ name }) => {
    const argv = [...(name === "" ? [] : [name]), ...(name === "cache" ? ["ls"] : []), "--outptu-file", "x"];
    const { code, stdout, stderr } = await run(argv);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/has no flag --outptu-file|there is no flag --outptu-file/);
    expect(stderr).toContain("did you mean --output-file?");
  });
});

describe("--output-file", () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "robots.txt"), "User-agent: *\nDisallow: private\n");
  writeFileSync(join(folder, "urls.txt"), "https://a.example/private\n");

  /** Some commands with the output format ndjson, and their arguments. */
  const printing: readonly (readonly [command: string, args: () => readonly string[]])[] = [
    ["decide", () => ["--agent", "bingbot", "--robots", join(folder, "robots.txt"), join(folder, "urls.txt")]],
    ["explain", () => ["explain", "https://a.example/", "--agent", "bingbot", "--robots", join(folder, "robots.txt")]],
    ["agents", () => ["agents", "bingbot"]],
    ["lint", () => ["lint", "--fail-on", "none", join(folder, "robots.txt")]],
    ["detect", () => ["detect", join(folder, "urls.txt")]],
  ];

  test.each(printing)("%s: the content of FILE.ndjson is the output of --output ndjson", async (command, args) => {
    const path = join(folder, `${command}.ndjson`);
    writeFileSync(path, "what was there before, and is longer than most of what comes\n".repeat(100));
    const printed = await run([...args(), "--output", "ndjson"]);
    expect(printed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\{.*\}\n$/s) as string });
    expect(await run([...args(), "--output-file", path])).toEqual({ ...printed, stdout: "" });
    expect(readFileSync(path, "utf8")).toBe(printed.stdout);
  });

  test.each([
    ["an ending that means no format", "x.doc", /the ending \.doc means none of the formats/],
    ["a compressed file", "x.ndjson.gz", /output is not compressed/],
  ] as const)("%s is refused, and no file is created", async (_what, name, message) => {
    for (const [, args] of printing) {
      const { code, stderr } = await run([...args(), "--output-file", join(folder, name)]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    }
    expect(readdirSync(folder)).not.toContain(name);
  });

  test("a file that is also read is refused and stays unchanged", async () => {
    const path = join(folder, "robots.txt");
    const before = readFileSync(path, "utf8");
    expect(await run(["lint", path, "--output-file", path])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is the same file as") as string,
    });
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  test("wrong usage changes and creates no file", async () => {
    const [kept, made] = [join(folder, "kept.ndjson"), join(folder, "made.ndjson")];
    writeFileSync(kept, "kept\n");
    for (const path of [kept, made]) {
      expect((await run(["agents", "no-such-crawler", "--output-file", path])).code).toBe(2);
      expect((await run(["lint", join(folder, "none.txt"), "--output-file", path])).code).toBe(2);
      expect((await run(["detect", join(folder, "none.txt"), "--output-file", path])).code).toBe(2);
    }
    expect(readFileSync(kept, "utf8")).toBe("kept\n");
    expect(readdirSync(folder)).not.toContain("made.ndjson");
  });

  test("empty output empties the file", async () => {
    writeFileSync(join(folder, "fine.txt"), "User-agent: *\nDisallow: /private\n");
    const path = join(folder, "findings.ndjson");
    writeFileSync(path, "of another day\n");
    expect((await run(["lint", join(folder, "fine.txt"), "--output-file", path])).code).toBe(0);
    expect(readFileSync(path, "utf8")).toBe("");
  });
});
