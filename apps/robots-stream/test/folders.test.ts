// Tests runs whose input is a folder of rotated logs, or a pattern: the order of the files, output files in the folder, and resuming.
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { runHere } from "./here.ts";
import { appArguments, recordsOf, root } from "./run.ts";
import { makeTestFolder } from "./folder.ts";

const asked = ["--agent", "bingbot", "--robots", "examples/robots"];

const lineOf = (number: number): string =>
  `192.0.2.1 - - [02/Jan/2025:10:00:00 +0000] "GET /cart/${number} HTTP/1.1" 200 5 "-" "bingbot/2.0"\n`;

/**
 * A folder with the rotated logs of a server: /cart/1 is the oldest request, /cart/5 the newest. A hidden file has a request of /cart/9.
 */
function rotatedLogs(): string {
  const top = makeTestFolder();
  const folder = join(top, "logs");
  mkdirSync(folder);
  const at = (name: string): string => join(folder, name);
  writeFileSync(at("access.log"), lineOf(5));
  writeFileSync(at("access.log.1"), lineOf(3) + lineOf(4));
  writeFileSync(at("access.log.2.gz"), gzipSync(lineOf(2)));
  writeFileSync(at("access.log.10.gz"), gzipSync(lineOf(1)));
  writeFileSync(at(".access.log.swp"), lineOf(9));
  return folder;
}

const base = ["--base", "https://shop.example"];

const numbersOf = (rows: string): number[] => recordsOf(rows).map(({ url }) => Number(/\d+$/.exec(String(url))?.[0]));

test.each([
  ["a folder", "", [1, 2, 3, 4, 5]],
  ["a pattern", "access.log.*", [1, 2, 3, 4]],
])("%s: oldest first, and --verbose names the order", async (_what, name, numbers) => {
  const folder = rotatedLogs();
  const path = join(folder, name);
  const { code, stdout, stderr } = await runHere([...asked, ...base, "--ordered", "-v", path]);
  expect({ code, numbers: numbersOf(stdout) }).toEqual({ code: 0, numbers });
  expect(stderr).toMatch(
    /: [345] files, oldest first\n.*access\.log\.10\.gz\n.*access\.log\.2\.gz\n.*access\.log\.1\n/,
  );
  expect((await runHere([...asked, ...base, path])).stderr).toBe("");
});

test("rows, rejects and checkpoint in the folder are not inputs of the next run, and resuming compares the files", async () => {
  const folder = rotatedLogs();
  const at = (name: string): string => join(folder, name);
  const output = ["--output-file", at("rows.ndjson"), "--rejects", at("rejects.ndjson"), "--checkpoint", at("point")];
  const run = [...asked, ...base, "--ordered", ...output, folder];
  for (const more of [[], [], ["--resume"]]) {
    expect(await runHere([...run, "-q", ...more])).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(numbersOf(readFileSync(at("rows.ndjson"), "utf8"))).toEqual([1, 2, 3, 4, 5]);
  }
  writeFileSync(at("access.log.11"), lineOf(0));
  const { code, stderr } = await runHere([...run, "--resume"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/was written by a run with input .*access\.log\.10\.gz .*, and this run has input .*\.11 /);
});

test.skipIf(process.platform === "win32")("the file of the folder that stdout goes to is not an input", () => {
  const folder = rotatedLogs();
  const rows = join(folder, "rows.ndjson");
  writeFileSync(rows, "");
  const fd = openSync(rows, "w");
  const { status, stderr } = spawnSync(process.execPath, [...appArguments, ...asked, ...base, "--ordered", folder], {
    cwd: root,
    stdio: ["ignore", fd, "pipe"],
    encoding: "utf8",
  });
  closeSync(fd);
  expect([status, stderr]).toEqual([0, ""]);
  expect(numbersOf(readFileSync(rows, "utf8"))).toEqual([1, 2, 3, 4, 5]);
});

test("an empty folder is wrong usage", async () => {
  const folder = makeTestFolder();
  for (const args of [[...asked], ["detect"]]) {
    const { code, stdout, stderr } = await runHere([...args, folder]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/: is a folder without a file to read\n$/);
  }
});

test("detect reads every file of a folder", async () => {
  const { code, stdout } = await runHere(["detect", ...base, rotatedLogs()]);
  expect(code).toBe(0);
  expect(stdout.match(/^\S.*access\.log\S*/gm)).toHaveLength(4);
});

test.each([
  ["a folder", ""],
  ["a pattern", "*.log*"],
])("an audit of %s is the merge of the audits of its files, and does not read its own output", async (_what, name) => {
  const folder = rotatedLogs();
  const robots = ["--robots", "examples/robots/shop.example.txt", ...base];
  const parts = ["access.log", "access.log.1", "access.log.2.gz", "access.log.10.gz"].map((file) => join(folder, file));
  const documents = [];
  for (const [at, part] of parts.entries()) {
    const path = join(folder, "..", `part${at}.json`);
    documents.push(path);
    const { code } = await runHere(["audit", part, ...robots, "-o", "json", "--output-file", path]);
    expect(code).toBe(0);
  }
  const merged = await runHere(["merge", ...documents, "-o", "json"]);
  expect(merged.code).toBe(0);
  const output = join(folder, "audit.log.json");
  for (let run = 0; run < 2; run++) {
    const audit = ["audit", join(folder, name), ...robots, "-o", "json", "--output-file", output];
    expect(await runHere(audit)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(readFileSync(output, "utf8")).toBe(merged.stdout);
  }
});

test("a file without requests among the logs of an audit is reported before any log is read", async () => {
  const folder = rotatedLogs();
  writeFileSync(join(folder, "zebra.log"), "no log\n");
  const { code, stdout, stderr } = await runHere([
    "audit",
    folder,
    "--robots",
    "examples/robots/shop.example.txt",
    ...base,
  ]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("zebra.log: ");
  const none = await runHere(["audit", join(folder, "*.zst"), ...base]);
  expect(none.code).toBe(2);
  expect(none.stderr).toContain("no file has this name or matches this pattern");
});
