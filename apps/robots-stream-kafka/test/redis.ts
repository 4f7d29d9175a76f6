// Starts a redis-server on a free loopback port, without persistence.
import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export interface RedisServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts the server. Rejects if redis-server is not installed. */
export async function startRedis(): Promise<RedisServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = spawn("redis-server", args, { stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  while (!(await answers(port))) await delay(50);
  return {
    port,
    async stop() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
