// Tests runs that last for days: answers expire, the old answer decides while a load refreshes it, and saved files do not expire.
import { type Server, type ServerResponse, createServer } from "node:http";
import { PassThrough } from "node:stream";
import { createRobotsClient } from "@robots-stream/fetch";
import { createSavedRobots, decideStream } from "@robots-stream/engine";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { main } from "../src/main.ts";
import { makeFolder } from "./folder.ts";
import { portOf } from "./servers.ts";

const day = 86_400_000;
const old = "User-agent: *\nDisallow: /old\n";
const later = "User-agent: *\nDisallow: /new\n";

let server: Server;
let origin: string;
const folder = makeFolder();
/** The body of the server's responses; undefined: the responses wait in `waiting`. */
let body: string | undefined;
let requests = 0;
let waiting: ServerResponse[] = [];
/** Time by which the clock is moved forward. */
let movedMs = 0;

beforeAll(async () => {
  server = createServer((_request, response) => {
    requests++;
    if (body === undefined) waiting.push(response);
    else response.end(body);
  });
  origin = `http://127.0.0.1:${await portOf(server)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  body = old;
  requests = movedMs = 0;
  waiting = [];
});

/** A live stream. `ask` writes a record and resolves to its decision. */
interface Live {
  ask(path: string): Promise<boolean | null>;
  end(): Promise<void>;
}

/** A run of the command on a pipe that stays open, like `tail -f log | robots-stream`. */
function startCommand(...flags: string[]): Live {
  const real = Date.now;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => real.call(Date) + movedMs);
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stderr = new PassThrough().resume();
  const argv = ["--agent", "bot", "--allow-private", "--input", "ndjson", ...flags];
  const run = main({ argv, env: { ROBOTS_STREAM_CACHE: "none" }, stdin, stdout, stderr });
  const rows = linesOf(stdout);
  return {
    async ask(path) {
      stdin.write(`{"url":"${origin}${path}"}\n`);
      const { value } = await rows.next();
      return (JSON.parse(String(value)) as { robots: { allowed: boolean | null } }).robots.allowed;
    },
    async end() {
      stdin.end();
      expect(await run).toBe(0);
      clock.mockRestore();
    },
  };
}

async function* linesOf(stream: PassThrough): AsyncGenerator<string> {
  let text = "";
  for await (const chunk of stream) {
    const lines = (text + String(chunk)).split("\n");
    text = lines.pop()!;
    yield* lines;
  }
}

/** A stream of `decideStream`, whose clock is an option. */
function startStream(): Live {
  const now = (): number => Date.now() + movedMs;
  const client = createRobotsClient({ allowPrivate: true, now });
  const stream = decideStream({ agents: "bot", robots: client, accepts: "records", now });
  return {
    async ask(path) {
      const decided = new Promise<{ allowed: boolean | null }[]>((resolve) => stream.once("data", resolve));
      stream.write(`${origin}${path}`);
      return (await decided)[0]!.allowed;
    },
    async end() {
      stream.end();
      await new Promise((resolve) => stream.once("close", resolve));
      await client.close();
    },
  };
}

test.each<[what: string, start: () => Live]>([
  ["decideStream", startStream],
  ["the command, without a cache", () => startCommand()],
  ["the command, with a cache", () => startCommand("--cache", join(folder, "cache"))],
  ["the command, in order", () => startCommand("--ordered")],
  ["the command with --refresh", () => startCommand("--cache", join(folder, "refreshed"), "--refresh")],
  ["the command with --max-age", () => startCommand("--cache", join(folder, "aged"), "--max-age", "20h")],
])(
  "a changed file changes decisions a day later, and no record waits for the new file: %s",
  { timeout: 60_000 },
  async (_what, start) => {
    const live = start();
    expect([await live.ask("/old"), await live.ask("/new"), requests]).toEqual([false, true, 1]);
    movedMs = day - 3_600_000 * 5;
    expect([await live.ask("/old"), requests]).toEqual([false, 1]);
    movedMs = day + 1_000;
    body = undefined;
    // The server delays its response; meanwhile the records are decided by the old file.
    for (let record = 0; record < 5; record++)
      expect([await live.ask("/old"), await live.ask("/new")]).toEqual([false, true]);
    await vi.waitUntil(() => waiting.length > 0, { timeout: 30_000 });
    expect(requests).toBe(2);
    waiting[0]!.end(later);
    await vi.waitUntil(async () => (await live.ask("/old")) === true, { timeout: 30_000 });
    expect([await live.ask("/old"), await live.ask("/new"), requests]).toEqual([true, false, 2]);
    await live.end();
  },
);

test("saved files do not expire within a hundred days", async () => {
  writeFileSync(join(folder, "robots.txt"), old);
  const robots = createSavedRobots(join(folder, "robots.txt"));
  const stream = decideStream({ agents: "bot", robots, accepts: "records", now: () => Date.now() + movedMs });
  for (const moved of [0, day, 100 * day]) {
    movedMs = moved;
    const decided = new Promise<{ allowed: boolean | null }[]>((resolve) => stream.once("data", resolve));
    stream.write(`${origin}/old`);
    expect((await decided)[0]!.allowed).toBe(false);
  }
  stream.end();
  await robots.close();
});
