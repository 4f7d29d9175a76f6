// Watches every connection that this process opens: lists those outside loopback, and counts the received bytes per port.
import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

const foreign: string[] = [];
const attempts = new Map<string, number>();
const bytes = new Map<number, number>();

subscribe("net.client.socket", (message) => {
  const { socket } = message as { readonly socket: Socket };
  let port = 0;
  socket.on("connectionAttempt", (address: string, to: number) => {
    port = to;
    const place = `${address} ${to}`;
    attempts.set(place, (attempts.get(place) ?? 0) + 1);
    if (!/^127\.|^::1$/.test(address)) foreign.push(`${address} port ${to}`);
  });
  socket.on("close", () => bytes.set(port, (bytes.get(port) ?? 0) + socket.bytesRead));
});

/** Destinations of connections outside loopback; the lab must have none. */
export function foreignAttempts(): readonly string[] {
  return foreign;
}

/**
 * Returns a function that counts the connections to an address and port begun since this call, accepted or not. Earlier connections do
 * not count, because the system may give the closed port of one row to a later row.
 */
export function watchAttempts(port: number, address = "127.0.0.1"): () => number {
  const countNow = (): number => attempts.get(`${address} ${port}`) ?? 0;
  const before = countNow();
  return () => countNow() - before;
}

/** Bytes received over closed connections to a port. */
export function bytesFrom(port: number): number {
  return bytes.get(port) ?? 0;
}
