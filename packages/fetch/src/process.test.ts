// In a separate process: importing the package does not load undici, and no handle keeps the process alive after `close`.
import { execFile } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RawServer, closedPort, responseOf, startRawServer } from "@robots-stream/raw-servers";

let server: RawServer;
beforeAll(async () => {
  server = await startRawServer((socket, { path }) => {
    const answer = responseOf(200, {}, "User-agent: *\nDisallow: /x\n");
    // The server leaves the connection open.
    if (path === "/odd")
      socket.write(Buffer.concat([Buffer.from("HTTP/1.1 103 Early Hints\r\n\r\n"), Buffer.from(answer)]));
    else if (path !== "/hang") socket.write(answer);
  });
});
afterAll(async () => server.close());

/** Runs a module and returns its output. Fails when the process does not end by itself. */
function run(source: string): Promise<string> {
  const args = ["--conditions=@robots-stream/source", "--disable-warning=ExperimentalWarning", "--input-type=module"];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [...args, "-e", source],
      { timeout: 20_000, cwd: import.meta.dirname },
      (error, stdout) => {
        if (error) reject(error);
        else resolve(stdout.trim());
      },
    );
  });
}

test("importing the package does not load undici; the first exchange does", async () => {
  const printed = await run(`
    import { registerHooks } from "node:module";
    const loaded = new Set();
    registerHooks({ resolve: (name, context, next) => { loaded.add(name); return next(name, context); } });
    await import("@robots-stream/fetch");
    const { createHttpTransport, limitsOf } = await import("@robots-stream/fetch/transports");
    const transport = createHttpTransport({ allowPrivate: true });
    console.log(loaded.has("undici"));
    const { response } = await transport.exchange("${server.origin}/robots.txt", limitsOf());
    console.log(response.status, loaded.has("undici"));
    await transport.close();
  `);
  expect(printed).toBe("false\n200 true");
}, 120_000);

test("after close no handle is left, and the process ends by itself", async () => {
  const port = await closedPort();
  const printed = await run(`
    import { createRobotsClient } from "@robots-stream/fetch";
    const before = process.getActiveResourcesInfo();
    const client = createRobotsClient({ allowPrivate: true, limits: { deadlineMs: 60_000 } });
    const loads = ["${server.origin}", "http://127.0.0.1:${port}", "http://127.0.0.2:${server.port}", "http://no.invalid"];
    const done = await Promise.all(loads.map((origin) => client.load(origin)));
    const { createHttpTransport, limitsOf } = await import("@robots-stream/fetch/transports");
    const transport = createHttpTransport({ allowPrivate: true });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const { failure } = await transport.exchange("${server.origin}/hang", limitsOf({ deadlineMs: 60_000 }), controller.signal);
    await client.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const after = process.getActiveResourcesInfo().filter((kind) => !before.includes(kind) && kind !== "PipeWrap");
    console.log(done[0].stored.code, done[1].stored.code, failure.code, JSON.stringify(after));
  `);
  expect(printed).toBe("ok connect-refused aborted []");
}, 120_000);
