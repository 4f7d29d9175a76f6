// The path of a checkpoint in, a lock for the time of a run out: two runs at once would write into one output.
import { once } from "node:events";
import { existsSync, realpathSync } from "node:fs";
import { type Server, createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { nodeCrypto, shownWordOf, UsageError } from "@robots-stream/engine/internal";

/**
 * Calls the function while no other process of this machine holds the lock of the checkpoint; throws a `UsageError` when one does. The
 * system frees the lock when the process ends, however it ends. Systems without such sockets have no lock.
 */
export async function whileLocked<T>(path: string, run: () => Promise<T>): Promise<T> {
  const name = nameOf(path);
  const lock = name === undefined ? undefined : await lockOf(name, path);
  try {
    return await run();
  } finally {
    lock?.close();
  }
}

/** The name of a socket outside the file system, which disappears with its process. Linux and Windows have them. */
function nameOf(path: string): string | undefined {
  const folder = dirname(path);
  const whole = existsSync(path)
    ? realpathSync(path)
    : existsSync(folder)
      ? join(realpathSync(folder), basename(path))
      : "";
  const name = `robots-stream-${nodeCrypto().createHash("sha256").update(whole).digest("hex").slice(0, 32)}`;
  if (process.platform === "linux") return `\0${name}`;
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : undefined;
}

async function lockOf(name: string, path: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  server.listen({ path: name });
  // No process connects to the socket, and it does not keep this process alive.
  server.unref();
  try {
    await once(server, "listening");
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") return undefined;
    throw new UsageError("unusable-checkpoint", `--checkpoint ${shownWordOf(path)}: another run is writing it`);
  }
}
