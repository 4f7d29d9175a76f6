// Locks a checkpoint for the duration of a run. Without the lock, two concurrent runs would write to the same output.
import { once } from "node:events";
import { existsSync, realpathSync } from "node:fs";
import { type Server, createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { nodeCrypto, shownWordOf, UsageError } from "@robots-stream/engine/internal";

/**
 * Calls the function while this process holds the lock of the checkpoint. Throws a `UsageError` when another process of this machine holds
 * the lock. The system frees the lock however the process ends. On systems without sockets outside the file system, nothing is locked.
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

/** The name of a socket outside the file system, which disappears with its process. Only Linux and Windows have such sockets. */
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
  // No process connects to the socket, so it must not keep this process alive.
  server.unref();
  try {
    await once(server, "listening");
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") return undefined;
    throw new UsageError("unusable-checkpoint", `--checkpoint ${shownWordOf(path)}: another run is writing it`);
  }
}
