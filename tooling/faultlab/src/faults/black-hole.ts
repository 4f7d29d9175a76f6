// Nothing in, a port of 127.0.0.1 that takes no connection and refuses none out: its queue is full and stays so (Linux).
import { type Socket, connect } from "node:net";
import { Worker } from "node:worker_threads";

/** A port that swallows what is sent to it. */
export interface BlackHole {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens on a thread that then stands still and never accepts. */
const listener = `
  const { parentPort, workerData } = require("node:worker_threads");
  const server = require("node:net").createServer(() => undefined);
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    // The message is on its way; from here on nobody accepts.
    setImmediate(() => {
      Atomics.wait(new Int32Array(workerData), 0, 0);
      process.exit();
    });
  });
`;

/** Opens a black hole. Its queue is filled with connections of its own. */
export async function openBlackHole(): Promise<BlackHole> {
  const flag = new SharedArrayBuffer(4);
  const worker = new Worker(listener, { eval: true, workerData: flag });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  const fillers: Socket[] = [];
  // The kernel takes a few more than the backlog says; full is when one does not get through.
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
