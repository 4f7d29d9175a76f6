// Every command in: its help tells each of its flags, and the main help lists the command.
import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import { main } from "../main.ts";
import { decide } from "./decide/command.ts";
import { commands } from "./list.ts";

async function helpOf(argv: readonly string[]): Promise<string> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  expect(await main({ argv, env: {}, stdin: Readable.from([]), stdout, stderr })).toBe(0);
  return String(stdout.read());
}

test.each([decide, ...commands])("$name: the help tells every flag", async ({ name, flags }) => {
  const help = await helpOf(name === "" ? ["--help"] : [name, "--help"]);
  for (const flag of await flags()) expect(help).toMatch(new RegExp(`--${flag.name}\\b`));
});

test("the main help lists every command, with its arguments and what it tells", async () => {
  const help = await helpOf(["--help"]);
  for (const { name, args, about } of commands) {
    expect(help).toContain(`  robots-stream ${name} ${args}`);
    expect(help).toContain(`${about}; ${name} --help`);
  }
});

test("names are told apart from files", () => {
  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
});
