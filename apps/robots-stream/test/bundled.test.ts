// Compares the bundled command, as users have it, with its source modules in this process: both give the same output, and a start loads few
// chunks.
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, type Server, type Socket, createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { appArguments, root, runApp } from "./run.ts";

const saved = ["--agent", "bingbot", "--robots", join(root, "examples/robots")];

/** A response with a rare chunk extension, so that undici reads it. */
const response =
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1a;few=say\r\nUser-agent: *\nDisallow: /x\r\n0\r\n\r\n";
const web = createServer((socket) => {
  socket.on("error", () => undefined).once("data", () => socket.end(response));
});
const ftp = createServer((socket: Socket) => {
  socket.on("error", () => undefined).end("421 Not now.\r\n");
});
const folder = makeFolder();
let file: (name: string) => string;

/** "127.0.0.1" and a server's port. */
const hostOf = (server: Server): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  file = (name) => join(folder, name);
  writeFileSync(file("packed.gz"), gzipSync("https://shop.example/cart/1\n"));
  writeFileSync(file("packed.zst"), zstdCompressSync("https://shop.example/cart/2\n"));
  for (const server of [web, ftp])
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()));
});
afterAll(() => {
  for (const server of [web, ftp]) server.close();
});

interface Case {
  readonly args: () => readonly string[];
  readonly stdin?: string;
  /** A text that stdout or stderr must contain; the run must succeed. */
  readonly says: string;
}

/** Cases that load a part on demand or read a file: a command, a thread, a package, a parser, the version. */
const cases: Record<string, Case> = {
  "the version": { args: () => ["--version"], says: "robots-stream " },
  help: { args: () => ["--help"], says: "--agent" },
  "the agents": { args: () => ["agents", "bingbot"], says: "Microsoft" },
  explain: { args: () => ["explain", "https://shop.example/cart/1", ...saved], says: "Disallowed by line 3" },
  lint: {
    args: () => ["lint", "--output", "sarif", join(root, "examples/robots/shop.example.txt")],
    says: "sarif-2.1.0",
  },
  detect: { args: () => ["detect", join(root, "examples/urls.csv")], says: "Address" },
  "an empty cache": { args: () => ["cache", "ls", "--cache", file("none.sqlite")], says: "" },
  "a cache on a server that does not exist": {
    args: () => ["--agent", "bingbot", "--cache", "redis://127.0.0.1:1", "--offline"],
    stdin: "https://shop.example/\n",
    says: "redis://127.0.0.1:1",
  },
  "a table with doubled quotes": {
    args: () => saved,
    stdin: 'url,name\nhttps://shop.example/cart/1,"a ""b"""\n',
    says: '"line":3',
  },
  gzip: { args: () => [...saved, file("packed.gz")], says: "cart/1" },
  zstd: { args: () => [...saved, file("packed.zst")], says: "cart/2" },
  "a host with characters outside ASCII": {
    args: () => saved,
    stdin: "https://BÜCHER.example/\n",
    says: "xn--bcher-kva.example",
  },
  "an invalid URL": { args: () => saved, stdin: "https://exa mple/\nmailto:x\n", says: "invalid-url" },
  "no URL at all": { args: () => saved, stdin: "https://exa mple/\n", says: "its only record has no URL" },
  "http, read by undici, kept in a file": {
    args: () => ["--agent", "bingbot", "--allow-private", "--cache", file(`${Math.random()}.sqlite`)],
    stdin: "http://WEB/x/1\n",
    says: '"rule":"disallow: /x"',
  },
  ftp: {
    args: () => ["--agent", "bingbot", "--allow-private", "--cache", "none"],
    stdin: "ftp://FTP/x\n",
    says: '"because":"unreachable"',
  },
  "an unknown flag": { args: () => ["--agnet", "bingbot"], says: "--agent" },
};

describe("the bundle gives the output of its modules", () => {
  test.each(Object.entries(cases))("%s", async (_name, { args, stdin = "", says }) => {
    const input = stdin.replace("WEB", hostOf(web)).replace("FTP", hostOf(ftp));
    const variables = { ...process.env, ROBOTS_STREAM_CACHE: "" };
    const given = args();
    const [ended, expected] = await Promise.all([runApp(given, input, variables), runHere(given, input, variables)]);
    expect(ended.stdout + ended.stderr).toContain(says);
    expect(ended, '"npm run build" makes the bundle anew').toEqual(expected);
  });
});

/** Runs the bundled command; the names of the files that it loaded, and of some modules of Node, are then on stderr as JSON. */
function runAndList(args: readonly string[], stdin: string): ReturnType<typeof runApp> {
  const hook = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({
      load(url, context, next) {
        if (!url.startsWith("node:") && !url.startsWith("data:")) loaded.push(url.slice(url.lastIndexOf("/") + 1));
        return next(url, context);
      },
    });
    process.on("exit", () => {
      for (const part of ["crypto", "zlib", "http"]) {
        if (process.moduleLoadList.includes("NativeModule " + part)) loaded.push("node:" + part);
      }
      process.stderr.write(JSON.stringify(loaded));
    });
  `;
  return runApp(args, stdin, {}, ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, ...appArguments]);
}

test("a run over saved files loads only six files of the bundle", async () => {
  const { stdout, stderr } = await runAndList(saved, '{"url":"https://shop.example/cart/1"}\n');
  expect(stdout).toContain('"line":3');
  const loaded = JSON.parse(stderr) as string[];
  expect(loaded.toSorted()).toEqual(["app.js", "cli.js", "main.js", "process.js", "rolldown-runtime.js", "start.js"]);
});

test("an audit by a saved file does not load the HTTP client", async () => {
  const agent = "Mozilla/5.0 (compatible; bingbot/2.0)";
  const line = `192.0.2.1 - - [17/May/2025:10:05:03 +0000] "GET /cart/1 HTTP/1.1" 200 1 "-" "${agent}"\n`;
  const given = [
    "audit",
    "-",
    "--base",
    "https://shop.example",
    "--robots",
    join(root, "examples/robots/shop.example.txt"),
  ];
  const { stdout, stderr } = await runAndList(given, line);
  expect(stdout).toContain("bingbot");
  const loaded = JSON.parse(stderr) as string[];
  expect(loaded).toContain("app.js");
  expect(loaded.filter((name) => name === "fetch.js" || name === "node:http")).toEqual([]);
});

test("signal handlers are set before most of the command is loaded", () => {
  const bin = dirname(appArguments[0]!);
  const loaded = new Set([basename(appArguments[0]!), "process.js"]);
  for (const name of loaded) {
    const text = readFileSync(join(bin, name), "utf8");
    for (const [, other] of text.matchAll(/^import (?:[^"]+ from )?"\.\/([^"]+)";$/gm)) loaded.add(other!);
  }
  const bytes = [...loaded].reduce((sum, name) => sum + readFileSync(join(bin, name)).length, 0);
  expect(loaded).toContain("start.js");
  expect(bytes).toBeLessThan(20_000);
});
