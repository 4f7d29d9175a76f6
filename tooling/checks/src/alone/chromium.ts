// Runs a script with an input in headless Chromium and returns its result. All requests stay on loopback.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** The path of the installed Chromium, if any. */
export function findChromium(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return ["chromium", "chromium-browser", "google-chrome"]
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** The content of the page. */
export interface Page {
  /** A script that defines the names used in the expression. */
  readonly script: string;
  /** The expression whose value, or resolved promise, is returned as JSON. `input` is a variable in it. */
  readonly expression: string;
  readonly input: unknown;
}

/** Chromium sends requests to its vendor at start: the host resolver knows only loopback. */
export const chromiumArguments: readonly string[] = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/** Rejects when the expression throws, when Chromium ends too early, and after `timeoutMs`. Always ends Chromium. */
export async function evaluateInChromium(chromium: string, page: Page, timeoutMs: number): Promise<unknown> {
  let resolve: (answer: unknown) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const answer = new Promise<unknown>((...both) => {
    [resolve, reject] = both;
  });
  const server = createServer((request, response) => {
    if (request.method === "POST") {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.once("end", () => {
        response.end();
        const text = Buffer.concat(chunks).toString("utf8");
        if (request.url === "/answer") resolve(JSON.parse(text));
        else reject(new Error(`in Chromium: ${text}`));
      });
      return;
    }
    const found = filesOf(page)[request.url ?? ""];
    if (found === undefined) response.writeHead(404).end();
    else response.setHeader("content-type", found.type).end(found.text);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const profile = mkdtempSync(join(tmpdir(), "chromium-"));
  // Chromium gets its own process group, so that its helper processes end with it.
  const child = spawn(chromium, [...chromiumArguments, `--user-data-dir=${profile}`, `http://127.0.0.1:${port}/`], {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-4000)));
  const ended = new Promise<void>((end) => {
    child.once("error", (error) => (reject(error), end()));
    child.once("close", (code) => (reject(new Error(`Chromium ended with ${code}: ${said}`)), end()));
  });
  const timer = setTimeout(() => reject(new Error(`Chromium gave no answer in ${timeoutMs} ms: ${said}`)), timeoutMs);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    await ended;
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

function filesOf({ script, expression, input }: Page): Readonly<Record<string, { type: string; text: string }>> {
  const type = "text/javascript; charset=utf-8";
  const main = `
    const post = (path, text) => fetch(path, { method: "POST", body: text });
    onerror = (message) => post("/error", String(message));
    (async () => {
      const input = await (await fetch("/input.json")).json();
      return JSON.stringify(await (${expression}));
    })().then((text) => post("/answer", text), (error) => post("/error", String(error?.stack ?? error)));
  `;
  return {
    "/": {
      type: "text/html; charset=utf-8",
      text: '<!doctype html><script src="/script.js"></script><script src="/main.js"></script>',
    },
    "/script.js": { type, text: script },
    "/main.js": { type, text: main },
    "/input.json": { type: "application/json", text: JSON.stringify(input) },
  };
}
