// One GET through Node's own forgiving parser: bare LF, folded fields, odd characters and an unasked 100, which undici
// refuses and curl reads. Only for a second try, on a connection of its own: nothing can be smuggled into a next request.
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { Duplex } from "node:stream";
import type { HopHandler } from "./hop-handler.ts";
import type { Limits } from "./limits.ts";
import { type RequestOptions, requestOf } from "./request.ts";
import { headersOf } from "./strict.ts";

/** Reads the answer to a request that is sent already from `stream`; `hop` hears what comes. */
export function dispatchLenient(
  url: URL,
  options: { readonly limits: Limits },
  {
    hop,
    stream,
    request: parts,
  }: { readonly hop: HopHandler; readonly stream: Duplex; readonly request: RequestOptions },
): ClientRequest {
  const { path, headers } = requestOf(url, parts);
  const sent = request({
    method: "GET",
    path,
    headers: { host: url.host, ...headers, connection: "close" },
    setHost: false,
    insecureHTTPParser: true,
    maxHeaderSize: options.limits.maxHeaderBytes,
    // Given this and no agent, Node uses no agent at all.
    createConnection: () => stream,
  });
  sent.on("response", (message) => receive(message, hop));
  // Node closes a connection that was upgraded unasked; there is no answer in it.
  sent.on("upgrade", () => hop.fail(new Error("an upgrade that was not asked for")));
  sent.on("error", (error) => hop.fail(error));
  sent.end();
  return sent;
}

function receive(message: IncomingMessage, hop: HopHandler): void {
  const { rawHeaders, statusCode = 0 } = message;
  // The parser obeys a name with blanks before its colon, and gives it with them (RFC 9112 §5.1 takes them away).
  const headers = headersOf(message.headers);
  // Two lengths that disagree, or a NUL: no reader agrees with another on what these mean.
  const ambiguous = headers["transfer-encoding"] !== undefined && headers["content-length"] !== undefined;
  if (ambiguous || rawHeaders.some((part) => part.includes("\0"))) {
    hop.fail(new Error("the response head can be read in two ways"));
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
 * Watches the octets of a head as they come. The forgiving parser takes a CR alone for the end of a line, and two of them
 * for the end of the head, so that fields become content; others take it for a part of the line (RFC 9112 §2.2).
 */
export class HeadWatch {
  #isOver = false;
  #isInterim = false;
  #at = 0;
  #hasEndedLine = false;
  #hasCR = false;

  /** Whether there is a CR alone in what has come of the head. */
  hasBareCR(bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length && !this.#isOver; at++) {
      const octet = bytes[at];
      if (this.#hasCR && octet !== LF) return true;
      this.#hasCR = octet === CR;
      // "HTTP/1.1 1": another head follows.
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
