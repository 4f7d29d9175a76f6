// The completion scripts in real shells, and the manual page in real formatters, if they are installed.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decide } from "../src/commands/decide/run.ts";
import { describedCommands } from "../src/cli/command.ts";
import { commands } from "../src/commands/list.ts";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { root } from "./run.ts";

/** Whether a program is installed. In CI all of them are expected, so that a missing program fails its tests. */
const has = (program: string, ...args: string[]): boolean =>
  process.env["CI"] !== undefined ||
  (process.platform !== "win32" && spawnSync(program, args, { input: "" }).status === 0);

const folder = makeFolder();

/** The path of a shell's completion script, which is written once. */
async function scriptOf(shell: string): Promise<string> {
  const path = join(folder, shell);
  if (existsSync(path)) return path;
  const { code, stdout, stderr } = await runHere(["completion", shell]);
  expect([code, stderr]).toEqual([0, ""]);
  writeFileSync(path, stdout);
  return path;
}

/** Command lines whose last word is incomplete, and the words offered for it. Offered files are those of examples/. */
const cases: readonly (readonly [line: string, words: readonly string[]])[] = [
  ["--outp", ["--output", "--output-file"]],
  ["-o ", ["csv", "ndjson", "table", "tsv"]],
  ["--output n", ["ndjson"]],
  ["--only allowed,d", ["allowed,disallowed"]],
  ["--agents ai-", ["ai-assistant", "ai-search", "ai-training"]],
  ["--agent b", []],
  ["ex", ["explain"]],
  ["urls.n", ["urls.ndjson"]],
  ["-a bingbot urls.n", ["urls.ndjson"]],
  ["cache sh", ["show"]],
  ["help l", ["lint"]],
  ["completion ", ["bash", "fish", "zsh"]],
  ["explain --agents ai-s", ["ai-search"]],
  ["explain u", []],
  ["lint --level ", ["error", "info", "warning"]],
  ["lint --fail-on e", ["error"]],
  ["detect urls.c", ["urls.csv"]],
];

describe.skipIf(!has("bash", "-c", "complete -p || true"))("bash", () => {
  const complete = (script: string, words: readonly string[]): readonly string[] => {
    const program = `source "$1"; shift; COMP_WORDS=(robots-stream "$@"); COMP_CWORD=$#; _robots_stream 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync("bash", ["--norc", "-c", program, "bash", script, ...words], {
      cwd: join(root, "examples"),
      encoding: "utf8",
    });
    return stdout
      .split("\n")
      .filter((word) => word !== "")
      .toSorted();
  };

  test.each(cases)("%s", async (line, words) => {
    expect(complete(await scriptOf("bash"), line.split(" "))).toEqual(words);
  });

  test("bash splits a flag and its value at the equals sign", async () => {
    const script = await scriptOf("bash");
    expect(complete(script, ["--output", "=", "c"])).toEqual(["csv"]);
    expect(complete(script, ["--output", "="])).toEqual(["csv", "ndjson", "table", "tsv"]);
    expect(complete(script, ["--summary", "=", "urls.c"])).toEqual(["urls.csv"]);
    // Without the equals sign, the word is an input file.
    expect(complete(script, ["--summary", "urls.c"])).toEqual(["urls.csv"]);
  });

  test("every flag of every command is offered", async () => {
    const script = await scriptOf("bash");
    for (const { name, flags } of await describedCommands([decide, ...commands])) {
      const names = flags.map((flag) => `--${flag.name}`);
      expect(complete(script, [...(name === "" ? [] : [name]), "--"])).toEqual(names.toSorted());
    }
  });
});

describe.skipIf(!has("fish", "--version"))("fish", () => {
  test.each(cases)("%s", async (line, words) => {
    const script = await scriptOf("fish");
    const { stdout } = spawnSync(
      "fish",
      ["--no-config", "-c", `source $argv[1]; complete -C $argv[2]`, script, `robots-stream ${line}`],
      {
        cwd: join(root, "examples"),
        encoding: "utf8",
        env: { ...process.env, HOME: folder },
      },
    );
    expect(
      stdout
        .split("\n")
        .map((row) => row.split("\t")[0]!)
        .filter((word) => word !== "")
        .toSorted(),
    ).toEqual(words);
  });
});

test.skipIf(!has("zsh", "--version"))("zsh parses its script", async () => {
  const { status, stderr } = spawnSync("zsh", ["-n", await scriptOf("zsh")], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});

test("the zsh script has every flag of every command", async () => {
  const script = readFileSync(await scriptOf("zsh"), "utf8");
  for (const { flags } of await describedCommands([decide, ...commands])) {
    for (const { name } of flags) expect(script).toMatch(new RegExp(`--${name}\\b`));
  }
});

test.each([
  [["completion"], /name a shell: bash, zsh, fish/],
  [["completion", "bahs"], /did you mean bash\?/],
  [
    ["completion", "powershell"],
    /^robots-stream: powershell: no completion exists for this shell; .* bash, zsh, fish\n/,
  ],
  [["completion", "bash", "zsh"], /name a shell/],
  [["man", "explain"], /man takes no arguments/],
])("%j is wrong usage", async (args, message) => {
  const { code, stdout, stderr } = await runHere(args);
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message) as string]);
});

describe("the manual page", () => {
  const page = join(root, "apps/robots-stream/bin/robots-stream.1");

  test("the package has the manual page, with every flag of every command", async () => {
    const { code, stdout } = await runHere(["man"]);
    expect(code).toBe(0);
    expect(readFileSync(page, "utf8")).toBe(stdout);
    for (const { flags } of await describedCommands([decide, ...commands])) {
      for (const { name } of flags) expect(stdout).toContain(`\\fB\\-\\-${name.replaceAll("-", String.raw`\-`)}\\fR`);
    }
    // No line of the table's text may act as a roff request, and every special character must be escaped.
    expect(stdout).not.toMatch(/^'|[^\\]-(?=[a-z])|[^\n -~]/m);
  });

  test.skipIf(!has("groff", "--version"))("groff reports no problem", () => {
    const { status, stderr } = spawnSync("groff", ["-man", "-Tascii", "-ww", "-z", page], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
  });

  test.skipIf(!has("sh", "-c", "command -v mandoc"))(
    "mandoc warns only about the missing date, which would change with every build",
    () => {
      const { stdout } = spawnSync("mandoc", ["-T", "lint", "-W", "warning", page], { encoding: "utf8" });
      expect(stdout.split("\n").filter((line) => line !== "" && !line.includes("missing date"))).toEqual([]);
    },
  );

  test.skipIf(!has("man", "--version"))("man shows the page", () => {
    const { status, stdout } = spawnSync("man", ["-l", page], {
      encoding: "utf8",
      env: { ...process.env, MANWIDTH: "80", MAN_KEEP_FORMATTING: "" },
    });
    expect(status).toBe(0);
    expect(stdout).toContain("--agent-field NAME");
  });
});
