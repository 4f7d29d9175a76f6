// Tests secrets in URLs: credentials and tokens stay in the records and appear nowhere else.
import { type Server, createServer } from "node:http";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runApp } from "./run.ts";
import { portOf } from "./servers.ts";

const folder = mkdtempSync(join(tmpdir(), "robots-stream-secrets-"));
let server: Server;
let port: number;
/** The URL and the headers of each request that the server received. */
const told: string[] = [];

beforeAll(async () => {
  server = createServer(({ headers, url, rawHeaders }, response) => {
    told.push(`${url} ${rawHeaders.join(" ")}`);
    if (headers.host?.startsWith("moved.") === true && url === "/robots.txt") {
      response.writeHead(302, { location: `http://other:s3cret@moved.localhost:${port}/there.txt` }).end();
    } else if (headers.host?.startsWith("down.") === true) response.writeHead(503).end();
    else response.end("User-agent: *\nDisallow: /private\n");
  });
  port = await portOf(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

test("credentials and tokens of URLs stay in the records and are not printed in messages, sent or stored", async () => {
  const records = ["up", "moved", "down", "gone.invalid/#"].map(
    (host) => `{"url":"http://user:s3cret@${host}.localhost:${port}/private?token=t0ken"}`,
  );
  const broken = '{"url":"http://user:s3cret@up.localhost/?token=t0ken"';
  const flags = ["--agent", "bingbot", "--allow-private", "--cache", folder];
  const ended = await runApp(flags, `${records.join("\n")}\n${broken}\n`);
  expect(ended.code).toBe(0);
  // The URLs must be unchanged.
  for (const record of records) expect(ended.stdout).toContain(record.slice(0, -1));
  expect(told.length).toBeGreaterThanOrEqual(4);
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  expect(files).not.toEqual([]);
  for (const text of [ended.stderr, ...told, ...files]) expect(text).not.toMatch(/s3cret|t0ken|authorization/i);
});
