// The output of `lint` in each format, and its exit code, for files, stdin and a loopback server.
import { mkdirSync, writeFileSync } from "node:fs";
import { type RequestListener, type Server, createServer } from "node:http";
import { join, relative } from "node:path";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { lintFormats } from "./formats.ts";
import { makeFolder } from "../../../test/folder.ts";
import { runHere } from "../../../test/here.ts";
import { portOf } from "../../../test/servers.ts";
import { recordsOf } from "../../../test/run.ts";

type Given = Parameters<typeof runHere>;

const linted = (argv: readonly string[], stdin: Given[1] = "", unusual: Given[3] = {}): ReturnType<typeof runHere> =>
  runHere(["lint", ...argv], stdin, {}, unusual);

const folder = makeFolder();

const saved = (text: string | Uint8Array, name = "robots.txt"): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const fine = "User-agent: *\nDisallow: /private\n";
const odd = "User-agent: *\nDisalow: /private\nDisallow: tmp\nAllow: /x/*\n";

describe("for people", () => {
  test("one line per finding, and a count on stderr", async () => {
    const path = saved(odd);
    expect(await linted([path])).toEqual({
      code: 1,
      stdout: [
        `${path}:2:1: warning: "Disalow" is read as disallow by Google; other crawlers ignore the line. [forgiven-typo]`,
        `${path}:3:11: error: "tmp" matches nothing, because every path begins with /; did you mean "/tmp"? [pattern-never-matches]`,
        `${path}:4:8: info: "allow: /x/*" changes nothing: no disallow rule that it outranks matches any of its paths. [needless-allow]`,
        `${path}:4:11: info: The * at the end has no effect on what "/x/*" matches: "/x/" matches the same. [useless-star]`,
        "",
      ].join("\n"),
      stderr: "robots-stream: 1 error, 1 warning, 2 infos in 1 file\n",
    });
  });

  test("nothing found", async () => {
    expect(await linted([saved(fine)])).toEqual({
      code: 0,
      stdout: "",
      stderr: "robots-stream: nothing found in 1 file\n",
    });
  });

  test("several files, in their order", async () => {
    const [first, second] = [saved("Disallow: /\n", "b.txt"), saved("x\n", "a.txt")];
    const { stdout, stderr } = await linted([first, second, saved(fine)]);
    expect(stdout.split("\n").map((line) => line.replace(/: .*/, ""))).toEqual([
      `${first}:1:1`,
      `${first}:1:1`,
      `${second}:1:1`,
      `${second}:1:1`,
      "",
    ]);
    expect(stderr).toContain("in 3 files");
  });

  test.each([[["-"]], [[]]])("stdin: %j", async (argv) => {
    const { stdout, code } = await linted(argv, [Buffer.from("Dis"), Buffer.from("alow: /")]);
    expect({ code, lines: stdout.split("\n") }).toEqual({
      code: 1,
      lines: [
        expect.stringMatching(/^<stdin>:1:1: warning: .* \[forgiven-typo\]$/),
        expect.stringMatching(/^<stdin>:1:1: info: .* \[no-group\]$/),
        expect.stringMatching(/^<stdin>:1:1: error: .* \[rule-outside-group\]$/),
        "",
      ],
    });
  });

  test.each(["text", "ndjson", "sarif", "github"])("the output has no control sequences: %s", async (format) => {
    const evil = "\x1b[2J\x07\u009b\u202e\u2028";
    const path = saved(
      `${evil}: x\nUser-agent: a${evil}\nDisallow: b${evil}\nSitemap: ${evil}\n${evil}\nDisallow: /\u00e9${evil} ${evil}\n`,
    );
    const { stdout, stderr } = await linted([path, "--output", format]);
    expect(stdout.length).toBeGreaterThan(500);
    for (const text of [stdout, stderr]) {
      // oxlint-disable-next-line no-control-regex
      expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]/);
    }
  });

  test("--level omits lower severities and does not change the exit code", async () => {
    const path = saved(odd);
    const levels = await Promise.all(["info", "warning", "error"].map((level) => linted([path, "--level", level])));
    expect(levels.map(({ stdout }) => stdout.split("\n").length - 1)).toEqual([4, 2, 1]);
    const { code } = await linted([saved("User-agent: Googlebot\nAllow: /x"), "--level=error", "--fail-on=warning"]);
    expect(code).toBe(1);
  });
});

describe("--fail-on", () => {
  test.each([
    [fine, "warning", 0],
    ["User-agent: *\nDisallow: /*\n", "warning", 0],
    ["User-agent: *\nDisalow: /\n", "warning", 1],
    ["User-agent: *\nDisalow: /\n", "error", 0],
    ["User-agent: *\nDisallow: x\n", "warning", 1],
    ["User-agent: *\nDisallow: x\n", "error", 1],
    ["User-agent: *\nDisallow: x\n", "none", 0],
    ["User-agent: *\nDisallow: x\n", undefined, 1],
    ["User-agent: *\nDisalow: /\n", undefined, 0],
  ])("%j %s: %i", async (text, severity, expected) => {
    const { code } = await linted([saved(text), ...(severity === undefined ? [] : ["--fail-on", severity])]);
    expect(code).toBe(expected);
  });
});

describe("formats", () => {
  test("json: one line for each finding", async () => {
    const path = saved("User-agent: *\nDisallow: tmp\n");
    const { stdout, stderr } = await linted([path, "-o", "ndjson"]);
    expect(stderr).toBe("");
    expect(recordsOf<unknown>(stdout)).toEqual([
      {
        file: path,
        line: 2,
        column: 11,
        severity: "error",
        code: "pattern-never-matches",
        message: '"tmp" matches nothing, because every path begins with /; did you mean "/tmp"?',
        args: { pattern: "tmp", meant: "/tmp" },
      },
    ]);
  });

  test("github: annotations, with special characters escaped", async () => {
    const path = saved("User-agent: *\nDisallow: 100%,a:b\nDisallow: /*\nDisalow: /y\n", "a,b:c%.txt");
    const { stdout } = await linted([path, "--output", "github"]);
    const file = path.replaceAll("%", "%25").replaceAll(":", "%3A").replaceAll(",", "%2C");
    expect(stdout.split("\n")).toEqual([
      `::error file=${file},line=2,col=11,title=pattern-never-matches::"100%25,a:b" matches nothing, because every path begins with /; did you mean "/100%25,a:b"?`,
      expect.stringMatching(/^::notice file=.*,line=3,col=12,title=useless-star::The \* /),
      expect.stringMatching(/^::warning file=.*,line=4,col=1,title=forgiven-typo::/),
      "",
    ]);
    const { stdout: unnamed } = await linted(["-", "--output=github"], "x");
    expect(unnamed.split("\n")[0]).toBe(
      "::notice title=no-group::<stdin>:1:1: There is no user-agent line, so every crawler may fetch everything.",
    );
  });

  test("sarif: one log of all files", async () => {
    const first = saved("User-agent: *\nDisallow: tmp\nDisallow: tmp\nDisallow: /x*\n", "a b.txt");
    const second = saved(fine, "fine.txt");
    const { stdout, code } = await linted([
      first,
      relative(process.cwd(), second),
      "--output",
      "sarif",
      "--fail-on=error",
    ]);
    expect(code).toBe(1);
    const log = JSON.parse(stdout) as { version: string; runs: Record<string, unknown>[] };
    expect([log.version, log.runs.length]).toEqual(["2.1.0", 1]);
    const uri = pathToFileURL(first).href;
    const location = (startLine: number, startColumn: number): object => ({
      physicalLocation: { artifactLocation: { uri, index: 0 }, region: { startLine, startColumn } },
    });
    const never = {
      ruleId: "pattern-never-matches",
      ruleIndex: 0,
      level: "error",
      message: { text: '"tmp" matches nothing, because every path begins with /; did you mean "/tmp"?' },
    };
    expect(log.runs[0]).toMatchObject({
      columnKind: "utf16CodeUnits",
      tool: {
        driver: {
          name: "robots-stream",
          rules: [
            { id: "pattern-never-matches", defaultConfiguration: { level: "error" } },
            { id: "useless-star", defaultConfiguration: { level: "note" } },
          ],
        },
      },
      artifacts: [{ location: { uri } }, { location: { uri: relative(process.cwd(), second).replaceAll("\\", "/") } }],
      results: [
        { ...never, locations: [location(2, 11)] },
        { ...never, locations: [location(3, 11)] },
        { ruleId: "useless-star", ruleIndex: 1, level: "note", locations: [location(4, 13)] },
      ],
    });
  });

  test("sarif: a log without results is valid", async () => {
    const { stdout } = await linted([saved(fine), "--output", "sarif"]);
    expect(JSON.parse(stdout)).toMatchObject({ version: "2.1.0", runs: [{ results: [] }] });
  });
});

describe("the network", () => {
  let server: Server | undefined;
  afterEach(() => new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve()))));
  const serve = async (listener: RequestListener): Promise<string> => {
    server = createServer(listener);
    return `http://127.0.0.1:${await portOf(server)}`;
  };

  test("for a URL, the robots.txt of its origin is fetched", async () => {
    const asked: unknown[] = [];
    const origin = await serve((request, response) => {
      asked.push([request.url, request.headers["user-agent"]]);
      response.setHeader("connection", "close").end("User-agent: *\nDisallow: tmp\n");
    });
    const { stdout, code } = await linted([`${origin}/some/page?x`, "--allow-private", "--user-agent", "Tester/1"]);
    expect(asked).toEqual([["/robots.txt", "Tester/1"]]);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: `${origin}/robots.txt:2:11: error: "tmp" matches nothing, because every path begins with /; did you mean "/tmp"? [pattern-never-matches]\n`,
    });
  });

  test("a missing robots.txt is not a failure", async () => {
    const origin = await serve((_, response) => void response.writeHead(404, { connection: "close" }).end());
    expect(await linted([origin, "--allow-private", "--fail-on=warning"])).toEqual({
      code: 0,
      stdout: "",
      stderr: `robots-stream: ${origin}/robots.txt: there is no robots.txt (http-404): everything is allowed\n`,
    });
  });

  test("an unreachable origin is a failure; the other sources are still linted", async () => {
    const origin = await serve((_, response) => void response.writeHead(503, { connection: "close" }).end());
    const path = saved("User-agent: *\nDisallow: x");
    const { code, stdout, stderr } = await linted([origin, path, "--allow-private", "--fail-on=error"]);
    expect(code).toBe(3);
    expect(stdout).toContain(`${path}:2:11: error`);
    expect(stderr).toContain(`${origin}/robots.txt: unreachable (http-503)\n`);
  });

  test("private addresses are requested only with --allow-private", async () => {
    let requests = 0;
    const origin = await serve((_, response) => {
      requests++;
      response.setHeader("connection", "close").end(fine);
    });
    const { code, stderr } = await linted([origin]);
    expect({ code, requests }).toEqual({ code: 3, requests: 0 });
    expect(stderr).toBe(
      `robots-stream: ${origin}/robots.txt: unreachable (blocked-address): a private address, which is requested only with --allow-private\n`,
    );
  });

  test("a signal stops a run", async () => {
    const stop = new AbortController();
    const origin = await serve((_, response) => {
      response.write("User-agent: ");
      stop.abort("SIGINT");
    });
    const { code, stderr } = await linted([origin, "--allow-private"], "", { signal: stop.signal });
    server!.closeAllConnections();
    expect({ code, stderr }).toEqual({ code: 130, stderr: "robots-stream: stopped by SIGINT\n" });
  });
});

describe("wrong usage", () => {
  test.each([
    [["--outptu", "ndjson"], "lint has no flag --outptu", "did you mean --output?"],
    [["--agent", "x"], "lint has no flag --agent", "lists the flags"],
    [["--output", "ndjsno"], "--output ndjsno: must be one of text, ndjson, sarif, github", "did you mean ndjson?"],
    [["--fail-on", "info"], "--fail-on info: must be one of error, warning, none", ""],
    [["--fail-on", "errors"], "must be one of", "did you mean error?"],
    [["--level"], "--level needs a value: --level SEVERITY", ""],
    [["--level", "info", "--level", "error"], "--level is given twice", ""],
    [
      ["--allow-private=yes"],
      "is neither an address nor a block of addresses",
      "for example: --allow-private 10.0.0.0/8,::1",
    ],
    [["--timeout", "soon"], "--timeout soon: must be a number", ""],
    [["-", "-"], '"-" is given twice', ""],
    [["no-such-file.txt"], "no-such-file.txt: no such file or directory (ENOENT)", ""],
    [["www.example.com"], "www.example.com: no such file", "did you mean https://www.example.com?"],
    [["ws://example.com"], "http, https and ftp URLs only", ""],
    [["http://"], "this is not a URL", ""],
    [["\x1b[2J"], "\\x1b[2J: no such file", ""],
  ])("%j", async (argv, message, hint) => {
    const { code, stdout, stderr } = await linted(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  test("a directory, and no file name on a terminal", async () => {
    mkdirSync(join(folder, "d"), { recursive: true });
    expect(await linted([join(folder, "d")])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is a directory"),
    });
    const stdin = Object.assign(Readable.from([]), { isTTY: true });
    expect(await linted([], stdin)).toMatchObject({ code: 2, stderr: expect.stringContaining("lint robots.txt") });
  });

  test("no source is read before all names are checked", async () => {
    const { stdout, code } = await linted([saved(odd), "no-such-file.txt"]);
    expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
  });
});

describe("output or input that fails", () => {
  const failing = (code: string): Writable =>
    new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error(`${code}: it broke, write`), { code }));
      },
    });

  test.each([
    ["EPIPE", 0],
    ["ENOSPC", 3],
  ])("the write error %s ends with exit code %i", async (error, expected) => {
    const { code } = await linted([saved(odd)], "", { stdout: failing(error) });
    expect(code).toBe(expected);
  });

  test("input that fails midway", async () => {
    const stdin = new Readable({
      read() {
        this.destroy(Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" }));
      },
    });
    expect(await linted(["-"], stdin)).toEqual({
      code: 3,
      stdout: "",
      stderr: "robots-stream: <stdin>: i/o error (EIO)\n",
    });
  });
});

test("the help lists every format", async () => {
  const { stdout, code } = await linted(["--help", "--fail-on=error"]);
  expect(code).toBe(0);
  for (const { name, about } of lintFormats) expect(stdout).toContain(`${name.padEnd(8)}${about}`);
});
