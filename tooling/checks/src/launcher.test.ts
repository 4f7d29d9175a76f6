// Runs the shell script ./robots-stream beside a fake scripts/dev.mjs that only reports how it was started.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkout } from "./workspace.ts";

const teller = `
  console.log(JSON.stringify({ arguments: process.argv.slice(2), cwd: process.cwd(), through: process.env.THROUGH ?? "PATH" }));
  process.exitCode = 3;
`;

let folder: string;

describe.skipIf(process.platform === "win32")("./robots-stream", () => {
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "launcher-")));
    for (const name of ["clone/scripts", "clone/.cache", "links", "else where"]) {
      mkdirSync(join(folder, name), { recursive: true });
    }
    copyFileSync(join(checkout, "robots-stream"), join(folder, "clone/robots-stream"));
    writeFileSync(join(folder, "clone/scripts/dev.mjs"), teller);
    symlinkSync("../clone/robots-stream", join(folder, "links/relative"));
    symlinkSync(join(folder, "links/relative"), join(folder, "links/twice"));
    symlinkSync(join(folder, "clone"), join(folder, "clone of spaces"));
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  function start(cwd: string, program: string, args: readonly string[] = []): unknown {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: join(folder, cwd), encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 3, stderr: "" });
    return JSON.parse(stdout);
  }

  test.each([
    ["in its own folder", "clone", "./robots-stream"],
    ["from elsewhere", "else where", "../clone/robots-stream"],
    ["through a link", "else where", "../links/relative"],
    ["through a link to a link", "clone", "../links/twice"],
    ["in a folder with spaces", "else where", "../clone of spaces/robots-stream"],
  ])("%s", (_what, cwd, program) => {
    const args = ["--agent", "a b", "", "*", "file.ndjson"];
    expect(start(cwd, program, args)).toEqual({
      arguments: ["cli", ...args],
      cwd: join(folder, cwd),
      through: "PATH",
    });
  });

  test("by its name alone, as the argument of sh in its folder", () => {
    expect(start("clone", "sh", ["robots-stream", "x"])).toMatchObject({ arguments: ["cli", "x"] });
  });

  test("on the downloaded Node, if it exists", () => {
    const brought = join(folder, "brought node");
    writeFileSync(brought, `#!/bin/sh\nTHROUGH=brought exec "${process.execPath}" "$@"\n`);
    chmodSync(brought, 0o755);
    writeFileSync(join(folder, "clone/.cache/node"), `${brought}\n`);
    expect(start("clone", "./robots-stream")).toMatchObject({ through: "brought" });
    rmSync(brought);
    expect(start("clone", "./robots-stream")).toMatchObject({ through: "PATH" });
  });
});
