// Locks a checkpoint for the duration of a run. Without the lock, two processes could write to the same output at the same time.
import { once } from "node:events";
import { existsSync, realpathSync } from "node:fs";
import { type Server, createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { UsageError } from "@robots-stream/engine";
import { shownWordOf } from "@robots-stream/engine/internal";

/**
 * Takes the lock of the checkpoint at `path`, calls `run`, frees the lock, and resolves to the result of `run`. Rejects with a `UsageError`
 * when another process on this machine holds the lock. The lock is a listening socket, so the system also frees the lock of a killed
 * process. Calls `run` without a lock on systems other than Linux and Windows, and when the socket cannot listen for another reason.
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

/**
 * Returns the name of the lock's socket; undefined on systems other than Linux and Windows. The socket has no file, so nothing is left
 * after its process ends.
 */
function nameOf(path: string): string | undefined {
  const folder = dirname(path);
  const whole = existsSync(path)
    ? realpathSync(path)
    : existsSync(folder)
      ? join(realpathSync(folder), basename(path))
      : "";
  const name = `robots-stream-${process.getBuiltinModule("node:crypto").createHash("sha256").update(whole).digest("hex").slice(0, 32)}`;
  if (process.platform === "linux") return `\0${name}`;
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : undefined;
}

async function lockOf(name: string, path: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  server.listen({ path: name });
  // The open socket must not keep this process alive.
  server.unref();
  try {
    await once(server, "listening");
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") return undefined;
    throw new UsageError("unusable-checkpoint", `--checkpoint ${shownWordOf(path)}: another run is writing it`);
  }
}
