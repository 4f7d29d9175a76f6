// Which files of folders and patterns are read, and which are not: links out of the folder, hidden files, files that the run writes.
import { linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { execFileSync } from "node:child_process";
import { beforeEach, describe, expect, test } from "vitest";
import { UsedFiles } from "@robots-stream/engine/internal";
import { findFiles } from "./found-files.ts";
import { makeFolder } from "../../test/folder.ts";

const top = makeFolder();
let folder = "";
let count = 0;
beforeEach(() => {
  mkdirSync((folder = join(top, `${count++}`)));
});

function make(...names: readonly string[]): void {
  for (const [index, name] of names.entries()) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "https://a.example/\n");
    utimesSync(path, 1_700_000_000 + index, 1_700_000_000 + index);
  }
}

interface Found {
  readonly files: readonly string[];
  readonly notes: readonly string[];
  readonly details: readonly string[];
}

/** The files, notes and details for paths in the test's folder, with names relative to this folder. `writes`: files that the run writes. */
function found(paths: readonly string[], writes: readonly string[] = []): Found {
  const used = new UsedFiles(writes.map((name) => ({ shown: name, use: "writes", at: join(folder, name) })));
  const all = findFiles(
    paths.map((path) => (path === "-" ? path : `${folder}/${path}`)),
    (path) => used.isWritten(path),
  );
  const short = (texts: readonly string[]): string[] => texts.map((text) => text.replaceAll(`${folder}/`, ""));
  return { files: short(all.files), notes: short(all.notes), details: short(all.details) };
}

const rotated = ["access.log", "access.log.1", "access.log.10.gz", "access.log.2.gz"] as const;
const oldest = ["access.log.10.gz", "access.log.2.gz", "access.log.1", "access.log"];

describe.skipIf(process.platform === "win32")("what is read", () => {
  test.each<[what: string, names: readonly string[], path: string, files: readonly string[]]>([
    ["a folder, oldest first", rotated, "", oldest],
    ["a pattern, oldest first", rotated, "access.log*", oldest],
    ["a pattern of some", rotated, "*.gz", ["access.log.10.gz", "access.log.2.gz"]],
    ["a pattern with choices", ["a.gz", "b.zst", "c.xz"], "?.{gz,zst}", ["a.gz", "b.zst"]],
    ["a pattern of folders", ["x/a.log", "y/z/a.log", "a.log"], "**/a.log", ["x/a.log", "y/z/a.log", "a.log"]],
    ["neither hidden files nor folders", [".a.log", "b.log", "x/c.log"], "", ["b.log"]],
    ["a pattern that matches a folder, too", ["b.log", "x/c.log"], "*", ["b.log"]],
    ["a file named like a pattern", ["a[1].log", "a1.log"], "a[1].log", ["a[1].log"]],
    ["a path without a file", ["a"], "none.log", ["none.log"]],
  ])("%s", (_what, names, path, files) => {
    make(...names);
    expect(found([path]).files).toEqual(files);
  });

  test("other paths keep their positions", () => {
    make("b.log", "logs/a.log.1", "logs/a.log", "z.log");
    expect(found(["z.log", "-", "logs", "b.log", "-"]).files).toEqual([
      "z.log",
      "-",
      "logs/a.log.1",
      "logs/a.log",
      "b.log",
      "-",
    ]);
  });

  test("a note mentions folders in a folder, with the pattern for them", () => {
    make("logs/a.log", "logs/x/b.log");
    expect(found(["logs"]).notes).toEqual(["logs: 1 folder is not read; for the files in folders, too: 'logs/**'"]);
    expect(found(["logs/**"])).toMatchObject({ files: ["logs/a.log", "logs/x/b.log"], notes: [] });
  });

  test("the details say which files are read, and in which order", () => {
    make("logs/access.log", "logs/access.log.1", "logs/.hidden");
    expect(found(["logs"]).details).toEqual([
      "logs: 2 files, oldest first",
      "  logs/access.log.1",
      "  logs/access.log",
      "logs: 1 hidden entry is not read",
    ]);
  });
});

describe.skipIf(process.platform === "win32")("links", () => {
  test("out of the folder are not followed, neither as a file nor as a folder on the way", () => {
    make("logs/a.log", "secret/b.log");
    symlinkSync(join(folder, "secret/b.log"), join(folder, "logs/link.log"));
    symlinkSync(join(folder, "secret"), join(folder, "logs/more"));
    for (const path of ["logs", "logs/*", "logs/**/*.log", "logs/*/*.log", "logs/{more,.}/*.log"]) {
      const all = path === "logs/*/*.log" ? undefined : found([path]);
      expect(all?.files.join() ?? "", path).not.toContain("b.log");
    }
    expect(() => found(["logs/*/*.log"])).toThrow("matches this pattern");
    expect(found(["logs"]).notes).toEqual([
      "logs: 2 entries are not read, because symbolic links lead out of the folder",
    ]);
  });

  test("within the folder: every file once, under its own name", () => {
    make("logs/data/x", "logs/access.log-20250102");
    symlinkSync("access.log-20250102", join(folder, "logs/access.log"));
    symlinkSync("data/x", join(folder, "logs/y"));
    symlinkSync("none", join(folder, "logs/z"));
    expect(found(["logs"]).files).toEqual(["logs/access.log-20250102", "logs/y"]);
  });

  test("to the folder itself: the files are named after the link", () => {
    make("logs/a.log");
    symlinkSync("logs", join(folder, "link"));
    expect(found(["link"]).files).toEqual(["link/a.log"]);
    expect(found(["link/*"]).files).toEqual(["link/a.log"]);
  });
});

describe.skipIf(process.platform === "win32")("files that the run writes", () => {
  test("are never read, under any name", () => {
    make("logs/a.log", "logs/rows.ndjson");
    linkSync(join(folder, "logs/rows.ndjson"), join(folder, "logs/other.ndjson"));
    symlinkSync("rows.ndjson", join(folder, "logs/link.ndjson"));
    for (const path of ["logs", "logs/*", "logs/*.{log,ndjson}"]) {
      expect(found([path], ["logs/rows.ndjson"]).files).toEqual(["logs/a.log"]);
    }
    expect(found(["logs"], ["logs/rows.ndjson"]).details).toContain(
      "logs/rows.ndjson: is written by this run, and not read",
    );
  });

  test("need not exist yet", () => {
    make("logs/a.log");
    expect(found(["logs"], ["logs/rows.ndjson"]).files).toEqual(["logs/a.log"]);
  });
});

describe.skipIf(process.platform === "win32")("nothing to read is wrong usage", () => {
  test.each<[what: string, path: string, message: RegExp, hint: RegExp | undefined]>([
    ["an empty folder", "empty", /empty: is a folder without a file to read$/, undefined],
    ["a folder of hidden files", "hidden", /hidden: is a folder without/, /1 hidden entry is not read/],
    ["a folder of folders", "outer", /outer: is a folder without/, /1 folder is not read.*outer\/\*\*'/],
    ["a folder of pipes", "pipes", /pipes: is a folder without/, undefined],
    ["a pattern without a match", "*.gz", /\*\.gz: no file has this name or matches this pattern/, /\*\*/],
    ["a pattern of folders only", "out*", /no file has this name or matches/, /not folders/],
  ])("%s", (_what, path, message, hint) => {
    make("hidden/.a", "outer/inner/a.log");
    mkdirSync(join(folder, "empty"));
    mkdirSync(join(folder, "pipes"));
    execFileSync("mkfifo", [join(folder, "pipes/p")]);
    let error: unknown;
    try {
      found([path]);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: "ERR_UNREADABLE_INPUT", message: expect.stringMatching(message) });
    const shown = (error as { hint?: string }).hint;
    if (hint === undefined) expect(shown).toBeUndefined();
    else expect(shown).toMatch(hint);
  });
});
