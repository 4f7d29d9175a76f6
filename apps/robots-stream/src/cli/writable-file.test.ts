// Tests how output files are opened after the comparison of the run's files: paths that have become the same file, links, and pipes.
import { existsSync, linkSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import fs from "node:fs";
import { execFileSync } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { openWritableFile } from "./writable-file.ts";
import { UsedFiles } from "@robots-stream/engine/internal";
import { makeTestFolder } from "../../test/folder.ts";

let folder = "";
beforeEach(() => {
  folder = makeTestFolder();
});
const at = (name: string): string => join(folder, name);
const same = expect.objectContaining({ code: "ERR_SAME_FILE" }) as Error;

function usedFiles(reads: readonly string[], writes: readonly string[]): UsedFiles {
  const used = new UsedFiles([
    ...reads.map((name) => ({ shown: at(name), use: "reads", at: at(name) }) as const),
    ...writes.map((name) => ({ shown: `--${name} ${at(name)}`, use: "writes", at: at(name) }) as const),
  ]);
  used.check();
  return used;
}

const open = (name: string, used: UsedFiles): ReturnType<typeof openWritableFile> =>
  openWritableFile({ flag: name, path: at(name), used });

test("two new outputs that turn out to be the same file when the second is opened", () => {
  const used = usedFiles([], ["one", "other"]);
  const one = open("one", used);
  linkSync(at("one"), at("other"));
  expect(() => open("other", used)).toThrow(same);
  one.undo();
  fs.closeSync(one.fd);
  expect(readdirSync(folder)).toEqual(["other"]);
});

test("an output that turns out to be an input when it is opened", () => {
  writeFileSync(at("in"), "mine");
  const used = usedFiles(["in"], ["out"]);
  linkSync(at("in"), at("out"));
  expect(() => open("out", used)).toThrow(same);
  expect(readFileSync(at("in"), "utf8")).toBe("mine");
});

test.runIf(process.platform !== "win32")(
  "an output named by a dangling link is created at the link's target, and removed when the run does not begin",
  () => {
    symlinkSync("there", at("out"));
    const used = usedFiles([], ["out"]);
    const file = open("out", used);
    expect(existsSync(at("there"))).toBe(true);
    file.undo();
    fs.closeSync(file.fd);
    expect(readdirSync(folder)).toEqual(["out"]);
  },
);

test.runIf(process.platform !== "win32")(
  "an output that becomes a pipe during opening is refused and does not block",
  () => {
    writeFileSync(at("out"), "");
    const used = usedFiles([], ["out"]);
    const { openSync } = fs;
    onTestFinished(() => {
      fs.openSync = openSync;
      syncBuiltinESMExports();
    });
    fs.openSync = (...args) => {
      rmSync(at("out"));
      execFileSync("mkfifo", [at("out")]);
      return openSync(...args);
    };
    syncBuiltinESMExports();
    expect(() => open("out", used)).toThrow(/--out .*ENXIO/);
  },
);

test("opening a file that is not among the files of the run throws an error and creates no file", () => {
  expect(() => open("out", usedFiles([], []))).toThrow(/is not among the files/);
  expect(readdirSync(folder)).toEqual([]);
});
