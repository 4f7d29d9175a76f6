// Tests the engine in users' programs: the README's example, a process that ends by itself, and modules that are not loaded.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./run.ts";
import { portOf } from "./servers.ts";

const app = join(root, "apps/robots-stream");

/** Runs a program: a file, or the text of a module that may import the package by name. */
async function runProgram(program: string | { readonly text: string }, args: readonly string[] = []): Promise<string> {
  const flags = typeof program === "string" ? [] : ["--input-type=module", "-e"];
  const what = typeof program === "string" ? program : program.text;
  const child = spawn(process.execPath, [...flags, what, ...args], { cwd: app, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return code === 0 ? said : `${said}exit code ${code}`;
}

test("the README's example audits a log", async () => {
  const path = join(app, "examples/audit-log.mjs");
  const example = readFileSync(path, "utf8").replace(/^\/\/.*\n/, "");
  expect(readFileSync(join(app, "README.md"), "utf8")).toContain(`\`\`\`js\n${example}\`\`\``);
  const said = await runProgram(path, [join(root, "examples/crawlers.log"), join(root, "examples/robots")]);
  expect(said).toBe(
    "2026-11-21T08:01:13Z bingbot https://shop.example/cart/checkout (line 3, disallow: /cart)\n" +
      "2026-11-21T08:02:40Z GPTBot https://shop.example/shoes (line 9, disallow: /)\n" +
      "5 requests, 1 rejects\n",
  );
});

test("after leaving the loop, even with running loads, nothing keeps the process alive", async () => {
  const server = createServer((request, response) => {
    // Requests to "localhost" never get a response; requests to 127.0.0.1 do.
    if (request.headers.host?.startsWith("127.0.0.1") === true) response.end("user-agent: *\ndisallow: /x\n");
  });
  const port = await portOf(server);
  const said = await runProgram({
    text: `
      import { createRobotsClient } from "@robots-stream/fetch";
      import { decideStream } from "robots-stream";
      const client = createRobotsClient({ allowPrivate: true });
      async function* input() {
        yield "http://127.0.0.1:${port}/x";
        yield "http://localhost:${port}/x";
        await new Promise(() => setInterval(() => {}, 1e6).unref());
      }
      const decisions = decideStream({ agents: "bingbot", robots: client, input: input() });
      for await (const [{ url, allowed, rule }] of decisions) {
        console.log(allowed, rule);
        break;
      }
      console.log(decisions.summary.records, decisions.summary.decided);
      await client.close();
    `,
  });
  server.close();
  server.closeAllConnections();
  expect(said).toBe("false disallow: /x\n2 1\n");
});

test("programs do not load the command line", async () => {
  const said = await runProgram({
    text: `
      import { registerHooks } from "node:module";
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url.replace(/.*\\/(?:src|dist)\\//, "").replace(/\\.[jt]s$/, "")), next(url, context)) });
      await import("robots-stream");
      console.log(loaded.includes("library/decide-stream"), loaded.filter((name) => /^(?:cli|main|flags|help|command-line|report|settings|robots\\/(?:flags|network)|cache\\/.*)$/.test(name)));
    `,
  });
  expect(said).toBe("true []\n");
});
