// Tests the commands of docs/PROCESSORS.md: the parts of several processes together equal one run, each origin is requested once, and a
// part that fails makes the whole fail.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runHere } from "./here.ts";
import { appArguments, recordsOf, root } from "./run.ts";
import { portOf } from "./servers.ts";

const page = readFileSync(join(root, "docs/PROCESSORS.md"), "utf8");
const [title = ""] = page.split("\n");
const marked = /<!-- run by apps\/robots-stream\/test\/processors\.test\.ts -->\n\n```sh\n([\s\S]*?)```/g;
const [sharded = "", files = "", divided = "", audits = "", halves = ""] = [...page.matchAll(marked)].map(
  ([, commands = ""]) => commands,
);

test.each([[["--workers", "2", "urls.ndjson"]], [["audit", "--workers=2", "access.log"]]])(
  "%j: one sentence names the page and its address",
  async (args) => {
    const { code, stdout, stderr } = await runHere(args);
    expect([code, stdout]).toEqual([2, ""]);
    const address = "https://github.com/robots-stream/robots-stream/blob/main/docs/PROCESSORS.md";
    expect(stderr).toMatch(/^robots-stream: (?:there is|audit has) no flag --workers: .*\n$/);
    expect(stderr).toContain(`"${title.replace("# ", "")}"`);
    expect(stderr).toContain(` ${address}\n`);
  },
);

/** `split` of GNU coreutils, `xargs` and bash: other programs of these names lack `-n l/K/N`. */
const hasPrograms =
  /GNU coreutils/.test(spawnSync("split", ["--version"], { encoding: "utf8" }).stdout ?? "") &&
  ["xargs", "bash", "seq"].every((name) => spawnSync(name, ["--version"]).status === 0);

describe.skipIf(!hasPrograms && process.env["CI"] === undefined)("the commands", { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-processors-"));
  const inFolder = (...names: readonly string[]): string => join(folder, ...names);
  const textOf = (...names: readonly string[]): string => readFileSync(inFolder(...names), "utf8");
  let requests: string[] = [];
  const servers = [0, 1, 2].map((at) =>
    createServer((request, response) => {
      requests.push(String(request.headers.host));
      if (at === 2) response.writeHead(404).end();
      else response.end(`User-agent: *\nDisallow: /${at}\nUser-agent: GPTBot\nDisallow: /\n`);
    }),
  );
  let origins: readonly string[] = [];

  interface Finished {
    readonly code: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }

  /** Runs commands of the page, with an origin of this test in place of the example's, and with the permission to request it. */
  function run(commands: string): Promise<Finished> {
    const script = commands
      .replaceAll("https://shop.example", origins[0]!)
      .replace("--shard", "--allow-private 127.0.0.0/8 --shard");
    const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}`, ROBOTS_STREAM_CACHE: "none" };
    const child = spawn("sh", ["-c", script], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const texts = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (texts[0] += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (texts[1] += chunk.toString()));
    return new Promise((resolve) =>
      child.on("close", (code) => resolve({ code, stdout: texts[0]!, stderr: texts[1]! })),
    );
  }

  const count = 2_000;
  const agents = ["GPTBot/1.2", "bingbot/2.0", "Mozilla/5.0 Firefox/130.0", "SomeNewBot/0.1"];
  const logLine = (at: number): string =>
    `192.0.2.${at % 200} - - [21/Nov/2026:06:${String(at % 60).padStart(2, "0")}:09 +0000] "GET /${at % 3}/${at} HTTP/1.1" 200 12 "-" "${agents[at % agents.length]}"\n`;
  const many = (lineOf: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => lineOf(at)).join("");

  beforeAll(async () => {
    origins = (await Promise.all(servers.map(portOf))).map((port) => `http://127.0.0.1:${port}`);
    const words = [process.execPath, ...appArguments].map((word) => `'${word}'`).join(" ");
    writeFileSync(inFolder("robots-stream"), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
    const urlAt = (at: number): string => `${origins[(at * 7) % 3]}/${at % 3}/${at}`;
    writeFileSync(
      inFolder("urls.ndjson"),
      many((at) => (at % 500 === 7 ? "no record\n" : `{"url":"${urlAt(at)}","n":${at}}\n`)),
    );
    writeFileSync(inFolder("urls.csv"), `n,url\n${many((at) => `${at},${urlAt(at)}\n`)}`);
    writeFileSync(inFolder("access.log"), many(logLine));
    mkdirSync(inFolder("logs"));
    for (const name of ["a.log", "b.log", "c.log.gz"]) {
      const text = many((at) => logLine(at + name.charCodeAt(0)));
      writeFileSync(inFolder("logs", name), name.endsWith(".gz") ? gzipSync(text) : text);
    }
    const saved = await run(
      "robots-stream origins urls.csv --output-file origins.ndjson && robots-stream fetch origins.ndjson --allow-private 127.0.0.0/8 --snapshot robots",
    );
    if (saved.code !== 0) throw new Error(saved.stderr);
    requests = [];
  });
  afterAll(() => {
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const sorted = (rows: string): readonly string[] => rows.split("\n").toSorted();

  test("--shard: all rows of one run, and each origin is requested once", async () => {
    const { code, stderr } = await run(sharded);
    expect(code, stderr).toBe(0);
    expect(requests.toSorted()).toEqual(origins.map((origin) => new URL(origin).host).toSorted());
    const whole = await run("robots-stream --agent bingbot --robots robots urls.ndjson");
    const parts = ["part-1.ndjson", "part-2.ndjson"].map((name) => textOf(name));
    // The ports are free ones, so that all origins may be in one part.
    expect(sorted(parts.join(""))).toEqual(sorted(whole.stdout));
  });

  test("many files: the rows of each file", async () => {
    const { code, stderr } = await run(files);
    expect(code, stderr).toBe(0);
    expect(readdirSync(inFolder("decided")).toSorted()).toEqual(["a.log.ndjson", "b.log.ndjson", "c.log.gz.ndjson"]);
    for (const name of ["a.log", "b.log", "c.log.gz"]) {
      const whole = await run(
        `robots-stream --agent-field user_agent --base https://shop.example --robots robots logs/${name}`,
      );
      expect(textOf("decided", `${name}.ndjson`) === whole.stdout).toBe(true);
      expect(recordsOf(whole.stdout)).toHaveLength(count);
    }
  });

  test("one file: the bytes of one run", async () => {
    const { code, stderr } = await run(divided);
    expect(code, stderr).toBe(0);
    const whole = await run("robots-stream --agent bingbot --robots robots urls.ndjson");
    expect(textOf("decisions.ndjson") === whole.stdout).toBe(true);
    expect(recordsOf(whole.stdout)).toHaveLength(count - 4);
    expect(stderr.match(/is not JSON/g)).toHaveLength(4);
  });

  test("a part that cannot be read, and a condition of --fail-on: 123, and the parts are not put together", async () => {
    for (const wrong of [
      divided.replace("urls.ndjson |", "missing.ndjson |"),
      divided.replace("--agent bingbot", "--agent bingbot --fail-on disallowed"),
    ]) {
      expect(wrong).not.toBe(divided);
      rmSync(inFolder("decisions.ndjson"), { force: true });
      expect((await run(wrong)).code).toBe(123);
      expect(existsSync(inFolder("decisions.ndjson"))).toBe(false);
    }
  });

  test("a table cannot be cut: the rows of the second part have no names of columns", async () => {
    const { code } = await run(divided.replaceAll("urls.ndjson", "urls.csv").replace("--input ndjson", "--input csv"));
    expect(code).toBe(0);
    expect(Object.keys(recordsOf(textOf("part-2.ndjson"))[0]!)).toEqual(["column_1", "column_2", "robots"]);
  });

  test("audits of many files, and of one: the report of one run", async () => {
    const flags = "--base https://shop.example --robots robots --output json";
    for (const [commands, inputs, parts] of [
      [audits, "logs/*", "parts"],
      [halves, "access.log", "halves"],
    ] as const) {
      const { code, stderr } = await run(commands);
      expect(code, stderr).toBe(0);
      expect(textOf("report.html")).toMatch(/<\/html>\n?$/);
      const [whole, merged] = await Promise.all(
        [`robots-stream audit ${flags} ${inputs}`, `robots-stream merge ${parts}/*.json --output json`].map(run),
      );
      const { inputs: wholes, ...one } = JSON.parse(whole!.stdout) as Record<string, readonly { lines: number }[]>;
      const { inputs: partials, ...other } = JSON.parse(merged!.stdout) as typeof one;
      expect(other).toEqual(one);
      expect(whole!.stdout).toContain('"violation"');
      const linesOf = (list: typeof wholes): number => list!.reduce((sum, { lines }) => sum + lines, 0);
      expect(linesOf(partials)).toBe(linesOf(wholes));
    }
  });
});
