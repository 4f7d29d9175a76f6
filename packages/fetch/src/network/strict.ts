// Sends a GET over an established connection and parses the response with undici.
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Client, Dispatcher } from "undici";
import { type Sending, requestOf } from "./request.ts";
import { fieldsOf } from "./http-head.ts";

/** The part of undici that is used. */
export interface Undici {
  readonly Client: typeof Client;
}

/**
 * Sends the request over `stream` and reports the response to `hop`. Returns a function that destroys the Client. Each hop has a Client
 * of its own: an Agent would keep sockets open for origins that get no further request.
 */
export function dispatchStrict({ Client }: Undici, sending: Sending): () => Promise<void> {
  const { url, stream, hop } = sending;
  const client = new Client(url.origin, {
    allowH2: false,
    pipelining: 0,
    maxHeaderSize: sending.maxHeaderBytes,
    // undici's timers do not end a slowly dripping body or endless interim responses. The hop's timers do.
    headersTimeout: 0,
    bodyTimeout: 0,
    // In a microtask: undici does not accept a synchronous call of `done`.
    connect: (_target, done) =>
      queueMicrotask(() => {
        // Given a destroyed socket, undici would reconnect for ever. It would not notice that a connection has ended before it was loaded.
        if (stream.destroyed || stream.readableEnded) done(new Error("the connection is gone"), null);
        else done(null, stream as Socket);
      }),
  });
  const held = holdEnd(stream);
  const handler: Dispatcher.DispatchHandler = {
    // undici requires this method. The hop has already entered the phase "head".
    onRequestStart: () => undefined,
    onResponseStart(controller, status, fields) {
      hop.onResponseStart(held.flowOf(controller), status, headersOf(fields));
    },
    onResponseData: (_controller, chunk) => hop.onResponseData(chunk),
    onResponseEnd: () => hop.onResponseEnd(),
    onResponseError: (_controller, error) => hop.fail(error),
  };
  try {
    const { path, headers } = requestOf(sending);
    client.dispatch({ method: "GET", path, headers: { ...headers } }, handler);
  } catch (error) {
    hop.fail(error);
  }
  return () => client.destroy(over);
}

/** The error passed to `destroy` of each Client. All hops share it: a new Error with its stack trace takes a tenth of a fetch's time. */
const over = new Error("the hop is over");

/**
 * Delays the stream's "end" event while the body is paused. undici pauses after a piece of the body, before it reports that the piece
 * completed the response. If the connection ends meanwhile, undici would treat the complete response as incomplete.
 */
function holdEnd(stream: Duplex) {
  const emit = stream.emit.bind(stream) as (event: string | symbol, ...values: unknown[]) => boolean;
  let isPaused = false;
  let heldEnd: (() => void) | undefined;
  stream.emit = (event: string | symbol, ...values: unknown[]): boolean => {
    if (event !== "end" || !isPaused) return emit(event, ...values);
    heldEnd = () => void emit(event, ...values);
    return true;
  };
  return {
    flowOf: (controller: Dispatcher.DispatchController) => ({
      pause() {
        isPaused = true;
        controller.pause();
      },
      resume() {
        isPaused = false;
        controller.resume();
        if (isPaused || heldEnd === undefined) return;
        const end = heldEnd;
        heldEnd = undefined;
        end();
      },
    }),
  };
}

/** Converts the header fields of undici and Node: names in lower case, one value each. */
export function headersOf(
  fields: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  return fieldsOf(
    Object.entries(fields).flatMap(([name, value = []]) =>
      [value].flat().map((each) => [name, withoutBlanks(each)] as const),
    ),
  );
}

/** Removes trailing spaces and tabs, which undici keeps although they do not belong to the value (RFC 9112 §5). */
function withoutBlanks(value: string): string {
  let end = value.length;
  while (end > 0 && (value[end - 1] === " " || value[end - 1] === "\t")) end--;
  return value.slice(0, end);
}
