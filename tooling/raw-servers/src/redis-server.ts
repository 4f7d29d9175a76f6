// Starts this machine's redis-server, empty, on a free loopback port; without redis-server, tells tests why they are skipped.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether `redis-server` is installed. In CI, tests fail without it. */
export const hasRedis: boolean =
  process.env["CI"] !== undefined || spawnSync("redis-server", ["--version"]).error === undefined;

/** A suffix for the names of skipped tests. */
export const whyNoRedis = hasRedis ? "" : " (skipped: no redis-server here; Debian's package of that name has it)";

export interface RedisServer {
  readonly port: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a server. `more` are further arguments of redis-server. */
export async function startRedis(...more: readonly string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-redis-"));
  const port = await freePort();
  const usual = ["--bind", "127.0.0.1", "--port", String(port), "--save", "", "--appendonly", "no", "--dir", folder];
  const child = spawn("redis-server", [...usual, ...more], { stdio: "ignore" });
  const failed = new Promise<never>((_resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`redis-server ended with ${code}`)));
  });
  failed.catch(() => undefined);
  await Promise.race([failed, untilOpen(port)]);
  return {
    port,
    process: child,
    async stop() {
      child.kill("SIGCONT");
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((resolve) => {
          child.once("exit", resolve);
        });
        child.kill("SIGKILL");
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

async function untilOpen(port: number): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (isOpen) return;
    await sleep(25);
  }
  throw new Error("redis-server did not open its port");
}
