// A port of 127.0.0.1 that neither accepts nor refuses connections, because its accept queue stays full (Linux).
import { type Socket, connect } from "node:net";
import { Worker } from "node:worker_threads";

/** A port that drops every connection attempt. */
export interface BlackHole {
  readonly port: number;
  close(): Promise<void>;
}

/** The source of a thread that listens on a port, then blocks and never accepts. */
const listener = `
  const { parentPort, workerData } = require("node:worker_threads");
  const server = require("node:net").createServer(() => undefined);
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    // The port number is sent; from here on the thread is blocked.
    setImmediate(() => {
      Atomics.wait(new Int32Array(workerData), 0, 0);
      process.exit();
    });
  });
`;

/** Opens a black hole and fills its accept queue with its own connections. */
export async function openBlackHole(): Promise<BlackHole> {
  const flag = new SharedArrayBuffer(4);
  const worker = new Worker(listener, { eval: true, workerData: flag });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  const fillers: Socket[] = [];
  // The kernel queues a few more connections than the backlog; the queue is full when a connection times out.
  for (let full = false; !full && fillers.length < 64;) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    fillers.push(socket);
    full = await Promise.race([
      new Promise<boolean>((resolve) => void socket.once("connect", () => resolve(false))),
      new Promise<boolean>((resolve) => void setTimeout(resolve, 300, true)),
    ]);
  }
  return {
    port,
    async close() {
      for (const socket of fillers) socket.destroy();
      Atomics.store(new Int32Array(flag), 0, 1);
      Atomics.notify(new Int32Array(flag), 0);
      await worker.terminate();
    },
  };
}
