// A connection to a proxy → a tunnel through it to a host and port (RFC 9110 §9.3.6, CONNECT).
import type { Socket } from "node:net";
import { RefusedError } from "./failures.ts";

/** What a proxy is told besides the place. */
export interface TunnelOptions {
  readonly userAgent: string;
  readonly authorization: string | undefined;
}

const maxHeadBytes = 65_536;

/**
 * Resolves when the proxy has let the connection through. Rejects with a `RefusedError` for every other answer: `proxy`
 * where it is the proxy that fails, `proxy-refused` where it says that the place cannot be reached or must not be.
 */
export function openTunnel(socket: Socket, place: string, options: TunnelOptions): Promise<void> {
  const lines = [`CONNECT ${place} HTTP/1.1`, `Host: ${place}`, `User-Agent: ${options.userAgent}`];
  if (options.authorization !== undefined) lines.push(`Proxy-Authorization: ${options.authorization}`);
  return new Promise((resolve, reject) => {
    let head = "";
    const settle = (error?: RefusedError): void => {
      socket.off("data", onData);
      socket.off("end", onClose);
      socket.off("close", onClose);
      socket.off("error", onClose);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onClose = (): void => settle(refused("proxy", "the proxy closed the connection"));
    const onData = (chunk: Buffer): void => {
      head += chunk.toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end === -1) {
        if (head.length > maxHeadBytes) settle(refused("proxy", "the proxy's answer has no end"));
        return;
      }
      const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |\r)/.exec(head)?.[1] ?? Number.NaN);
      if (status >= 200 && status <= 299) {
        socket.pause();
        // What the server said at once belongs to whoever gets the socket next.
        if (head.length > end + 4) socket.unshift(Buffer.from(head.slice(end + 4), "latin1"));
        settle();
      } else if (status === 407) settle(refused("proxy", "the proxy wants credentials, or others (407)"));
      else if (Number.isNaN(status)) settle(refused("proxy", "the proxy does not speak HTTP/1.1"));
      else settle(refused("proxy-refused", `the proxy answered CONNECT with ${status}`));
    };
    socket.on("data", onData);
    socket.once("end", onClose);
    socket.once("close", onClose);
    socket.once("error", onClose);
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  });
}

function refused(code: "proxy" | "proxy-refused", message: string): RefusedError {
  return new RefusedError({ code, message });
}
