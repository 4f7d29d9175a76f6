// The path of a checkpoint in, the right to write it for as long as a run takes out: two runs at once would write one output.
import { once } from "node:events";
import { existsSync, realpathSync } from "node:fs";
import { type Server, createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { nodeCrypto, shownWordOf, UsageError } from "@robots-stream/engine/internal";

/**
 * Runs while no other process of this machine does so for the same checkpoint. Throws a `UsageError` when one does. The system
 * takes the right back when a process ends, however it ends; where it has nothing of that kind, there is no such right.
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

/** The name of a socket that is in no folder, and is gone with its process: Linux and Windows have such. */
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
  // Nobody connects, and nobody waits for it.
  server.unref();
  try {
    await once(server, "listening");
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") return undefined;
    throw new UsageError("unusable-checkpoint", `--checkpoint ${shownWordOf(path)}: another run writes it just now`);
  }
}
