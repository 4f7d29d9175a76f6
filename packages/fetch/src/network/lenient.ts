// Sends one GET and parses the response with Node's lenient parser, which accepts what curl accepts and undici refuses: bare LF,
// folded fields, odd characters, an unexpected 100. Used only for a retry, on a connection of its own, so that no bytes of the
// response can be taken for the response to another request.
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { type HopHandler, type Sending, requestOf } from "./request.ts";
import { headersOf } from "./strict.ts";

/** Sends the request over `stream` and reports the response to `hop`. Destroying the returned request also destroys `stream`. */
export function dispatchLenient(sending: Sending): ClientRequest {
  const { url, stream, hop, maxHeaderBytes } = sending;
  const { path, headers } = requestOf(sending);
  const sent = request({
    method: "GET",
    path,
    headers: { host: url.host, ...headers, connection: "close" },
    setHost: false,
    insecureHTTPParser: true,
    maxHeaderSize: maxHeaderBytes,
    // With `createConnection` and without `agent`, Node uses no agent.
    createConnection: () => stream,
  });
  sent.on("response", (message) => receive(message, hop));
  // After an unexpected upgrade, Node closes the connection and reports no response.
  sent.on("upgrade", () => hop.fail(new Error("an unrequested upgrade")));
  sent.on("error", (error) => hop.fail(error));
  sent.end();
  return sent;
}

function receive(message: IncomingMessage, hop: HopHandler): void {
  const { rawHeaders, statusCode = 0 } = message;
  // The parser accepts spaces between a name and its colon, and keeps them in the name; `headersOf` removes them (RFC 9112 §5.1).
  const headers = headersOf(message.headers);
  // Parsers disagree on responses with both length fields, and on a NUL.
  const ambiguous = headers["transfer-encoding"] !== undefined && headers["content-length"] !== undefined;
  if (ambiguous || rawHeaders.some((part) => part.includes("\0"))) {
    hop.fail(new Error("the response head is ambiguous"));
    return;
  }
  message.on("data", (chunk: Uint8Array) => hop.onResponseData(chunk));
  message.on("end", () => {
    if (message.complete) hop.onResponseEnd();
    else hop.fail(new Error("the body ends early"));
  });
  message.on("error", (error) => hop.fail(error));
  const flow = { pause: () => void message.pause(), resume: () => void message.resume() };
  hop.onResponseStart(flow, statusCode, headers);
}

/**
 * Finds a bare CR in a response head as its octets arrive. The lenient parser reads one bare CR as the end of a line, and two bare CRs as
 * the end of the head, so that fields become content; other parsers read a bare CR as part of the line (RFC 9112 §2.2).
 */
export class HeadWatch {
  #isOver = false;
  #isInterim = false;
  #at = 0;
  #hasEndedLine = false;
  #hasCR = false;

  /** Reads the next octets of the response. Returns whether they contain a bare CR that is part of the head. */
  hasBareCR(bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length && !this.#isOver; at++) {
      const octet = bytes[at];
      if (this.#hasCR && octet !== LF) return true;
      this.#hasCR = octet === CR;
      // A status line that begins with "HTTP/1.1 1" starts an interim response: another head follows it.
      if (this.#at++ === 9) this.#isInterim = octet === ONE;
      if (octet === LF && this.#hasEndedLine) {
        this.#isOver = !this.#isInterim;
        this.#at = 0;
        this.#hasEndedLine = false;
      } else if (octet === LF) this.#hasEndedLine = true;
      else if (octet !== CR) this.#hasEndedLine = false;
    }
    return false;
  }
}

const CR = 0x0d;
const LF = 0x0a;
const ONE = 0x31;
