// Makes a number of robots.txt requests with one client, each for its own host name, and prints their cost as JSON.
import { createRobotsClient } from "@robots-stream/fetch";
import { get as getHttp } from "node:http";
import { get as getHttps } from "node:https";
import type { Asked } from "../suites/fetch.ts";

const [way, scheme, port, howMany, atOnce] = process.argv.slice(2);
const count = Number(howMany);
const slots = Number(atOnce);

/** Makes one request and returns the number of bytes of the body. */
type Ask = (host: string) => Promise<number>;

/** The simplest client: it never reuses a connection and concatenates the body. */
const askNode: Ask = (host) =>
  new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port,
      path: "/robots.txt",
      agent: false,
      headers: { host: `${host}:${port}` },
    };
    const request = (scheme === "https" ? getHttps : getHttp)(
      { ...options, servername: host, rejectUnauthorized: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve(Buffer.concat(chunks).length));
        response.on("error", reject);
      },
    );
    request.on("error", reject);
  });

const client = createRobotsClient({
  allowPrivate: true,
  insecureTls: true,
  concurrency: slots,
  perAddress: slots,
  store: { get: () => undefined, set: () => undefined },
});
const askClient: Ask = async (host) => {
  const { stored } = await client.load(`${scheme}://${host}:${port}`);
  return stored.body?.length ?? 0;
};

const ask = way === "node" ? askNode : askClient;

/** Makes all requests, `slots` of them at once. */
async function askAll(prefix: string, total: number): Promise<number> {
  let next = 0;
  let whole = 0;
  const work = async (): Promise<void> => {
    while (next < total) if ((await ask(`${prefix}${next++}.localhost`)) > 1_000) whole++;
  };
  await Promise.all(Array.from({ length: Math.min(slots, total) }, work));
  return whole;
}

// A first small batch keeps compilation and module loading out of the measurement.
await askAll("warm", Math.min(500, count));
const before = process.cpuUsage();
const whole = await askAll("n", count);
const { user, system } = process.cpuUsage(before);
await client.close();
const asked: Asked = { cpuMs: (user + system) / 1_000, whole };
process.stdout.write(JSON.stringify(asked));
