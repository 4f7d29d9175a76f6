// The lab's program serves a row until a signal, checks rows, lists rows, and leaves no handle open.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function start(args: readonly string[]): { child: ChildProcess; printed: () => string; ended: Promise<number | null> } {
  const node = ["--conditions=@robots-stream/source", "--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...node, main, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(child, "close").then(([code]) => code as number | null);
  return { child, printed: () => printed, ended };
}

test("--list prints rows with their titles and numbers of cases", async () => {
  const { printed, ended } = start(["--list"]);
  expect(await ended).toBe(0);
  expect(printed()).toMatch(/^ {3}1 {2}200 with a file \(\d+ cases\)\n/);
  expect(printed()).toContain("\n  49  The connection breaks at any octet (8 cases)\n");
});

test("--row serves until a signal, and prints the expected outcome", async () => {
  const { child, printed, ended } = start(["--row", "23", "--case", "one octet"]);
  await expect.poll(printed, { timeout: 30_000 }).toContain("Ctrl-C");
  expect(printed()).toContain("→ disallow, unreachable (incomplete)");
  const url = /http:\S+/.exec(printed())?.[0] ?? "";
  const error = await new Promise((resolve) => {
    get(url, (response) => response.resume().on("error", resolve).on("end", resolve));
  });
  expect(error).toMatchObject({ code: "ECONNRESET" });
  child.kill("SIGINT");
  expect(await ended).toBe(0);
});

/** All rows in a thorough run, otherwise one: rows.test.ts runs each row anyway, within its own process. */
const checked = process.env["ROBOTS_STREAM_THOROUGH"] === undefined ? ["--row", "26"] : [];

test("--check: all as expected, and the process ends by itself", { timeout: 240_000 }, async () => {
  const { printed, ended } = start(["--check", ...checked]);
  const code = await ended;
  expect(
    printed()
      .split("\n")
      .filter((line) => line.includes("✗")),
  ).toEqual([]);
  expect([code, printed().trimEnd().split("\n").at(-1)]).toEqual([0, "all as expected"]);
});

test.each([[[]], [["--row", "0"]], [["--row", "1", "--case", "nothing like it"]], [["--no-such-flag"]]])(
  "%j is wrong usage",
  async (args) => {
    expect(await start(args).ended).toBe(2);
  },
);
