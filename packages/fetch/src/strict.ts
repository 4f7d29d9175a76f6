// The answer to a GET over a connection that stands, read by undici.
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Client, Dispatcher } from "undici";
import type { HopHandler } from "./hop-handler.ts";
import type { Limits } from "./limits.ts";
import { type RequestOptions, requestOf } from "./request.ts";

/** undici, as far as it is used. */
export interface Undici {
  readonly Client: typeof Client;
}

/**
 * Asks over `stream`, and tells `hop`. One Client for one hop: an Agent keeps sockets for origins that are never asked
 * again. Gives what ends it.
 */
export function dispatchStrict(
  { Client }: Undici,
  url: URL,
  options: { readonly limits: Limits },
  { hop, stream, request }: { readonly hop: HopHandler; readonly stream: Duplex; readonly request: RequestOptions },
): () => Promise<void> {
  const client = new Client(url.origin, {
    allowH2: false,
    pipelining: 0,
    maxHeaderSize: options.limits.maxHeaderBytes,
    // undici's own timers end neither a body that drips nor interim responses without end: the hop's do.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Not at once: undici is not ready for it before it has asked.
    connect: (_target, done) =>
      queueMicrotask(() => {
        // undici would connect again, for ever.
        if (stream.destroyed) done(new Error("the connection is gone"), null);
        else done(null, stream as Socket);
      }),
  });
  const held = holdEnd(stream);
  const handler: Dispatcher.DispatchHandler = {
    // undici wants the method; the connection's phases say more than it could.
    onRequestStart: () => undefined,
    onResponseStart(controller, status, fields) {
      hop.onResponseStart(held.flowOf(controller), status, headersOf(fields));
    },
    onResponseData: (_controller, chunk) => hop.onResponseData(chunk),
    onResponseEnd: () => hop.onResponseEnd(),
    onResponseError: (_controller, error) => hop.fail(error),
  };
  try {
    const { path, headers } = requestOf(url, request);
    client.dispatch({ method: "GET", path, headers: { ...headers } }, handler);
  } catch (error) {
    hop.fail(error);
  }
  return () => client.destroy(over);
}

/** What ends a client. One for all: an error and its trace for each would be a tenth of what a fetch costs. */
const over = new Error("the hop is over");

/**
 * undici pauses after a piece of the body and before what that piece completes. When the connection ends meanwhile, it
 * takes a whole response for a broken one: so the end waits until the body goes on.
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

/** Header fields as undici and Node give them → names in lower case, one value each. */
export function headersOf(
  fields: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  // No prototype: a field may be named like anything.
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const key = name.trimEnd().toLowerCase();
    const text = typeof value === "string" ? withoutBlanks(value) : value.map(withoutBlanks).join(", ");
    headers[key] = headers[key] === undefined ? text : `${headers[key]}, ${text}`;
  }
  return headers;
}

/** undici leaves blanks behind a value, which are none of it (RFC 9112 §5). */
function withoutBlanks(value: string): string {
  let end = value.length;
  while (end > 0 && (value[end - 1] === " " || value[end - 1] === "\t")) end--;
  return value.slice(0, end);
}
