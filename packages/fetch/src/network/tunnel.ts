// Opens a tunnel to a host and port through a proxy (RFC 9110 §9.3.6, CONNECT).
import type { Socket } from "node:net";
import { RefusedError } from "../common/failures.ts";
import { headEndOf, httpHeadOf } from "./http-head.ts";

/** The header fields that a proxy gets with the host and port. */
export interface TunnelOptions {
  readonly userAgent: string;
  readonly authorization: string | undefined;
}

const maxHeadBytes = 65_536;

/**
 * Resolves when the proxy has opened the tunnel to `place` ("host:port"). Rejects with a `RefusedError` otherwise: `proxy` when the proxy
 * itself fails, `proxy-refused` when it answers that the host cannot or must not be reached.
 */
export function openTunnel(socket: Socket, place: string, options: TunnelOptions): Promise<void> {
  const lines = [`CONNECT ${place} HTTP/1.1`, `Host: ${place}`, `User-Agent: ${options.userAgent}`];
  if (options.authorization !== undefined) lines.push(`Proxy-Authorization: ${options.authorization}`);
  return new Promise((resolve, reject) => {
    /** The bytes received so far, one character per byte. */
    let answer = "";
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
      answer += chunk.toString("latin1");
      const found = headEndOf(answer);
      if (found === undefined) {
        if (answer.length > maxHeadBytes) settle(refused("proxy", "the proxy's response head is too long"));
        return;
      }
      // If the lines do not end in CRLF, the proxy may have ended the head at another offset than `headEndOf` found.
      const isCrlf = answer.slice(found.end, found.restStart) === "\r\n\r\n";
      const refusal = isCrlf ? refusalIn(answer.slice(0, found.end)) : notHttp();
      if (refusal !== undefined) return settle(refusal);
      socket.pause();
      // Bytes after the head come from the server: the next reader of the socket gets them.
      if (answer.length > found.restStart) socket.unshift(Buffer.from(answer.slice(found.restStart), "latin1"));
      settle();
    };
    socket.on("data", onData);
    socket.once("end", onClose);
    socket.once("close", onClose);
    socket.once("error", onClose);
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  });
}

/** The refusal in the head of the proxy's response; undefined when the proxy opened the tunnel. */
function refusalIn(head: string): RefusedError | undefined {
  const { version = "", status = Number.NaN } = httpHeadOf(head) ?? {};
  if (!version.startsWith("1.")) return notHttp();
  if (status >= 200 && status <= 299) return undefined;
  if (status === 407) return refused("proxy", "the proxy requires credentials, or rejects the given ones (407)");
  return refused("proxy-refused", `the proxy answered CONNECT with ${status}`);
}

function notHttp(): RefusedError {
  return refused("proxy", "the proxy does not support HTTP/1.1");
}

function refused(code: "proxy" | "proxy-refused", message: string): RefusedError {
  return new RefusedError({ code, message });
}
