// Writes encoded requests to the socket of one of the client library's connections, without a copy, and reads their responses. The library's
// own `send` copies each request into fresh memory, which makes V8 collect garbage after every few tens of megabytes.
import {
  type Callback,
  type Connection,
  NetworkError,
  Reader,
  type ResponseParser,
  TimeoutError,
} from "@platformatic/kafka";

/** A request to send. */
export interface DirectRequest<Response> {
  readonly apiKey: number;
  /** A version whose request and response headers have tagged fields. */
  readonly apiVersion: number;
  /** The body's bytes must not change before `callback` is called. After a failure, the socket may still refer to these bytes. */
  readonly body: Buffer;
  readonly parse: ResponseParser<Response>;
  readonly callback: Callback<Response>;
}

interface Pending {
  readonly apiKey: number;
  readonly apiVersion: number;
  readonly parse: ResponseParser<unknown>;
  readonly callback: Callback<unknown>;
  readonly timer: NodeJS.Timeout;
}

/** The range of the ids of direct requests. The library numbers its own requests from 1, so its ids stay far below this range. */
const firstId = 0x4000_0000;
const mostId = 0x7fff_ffff;

/**
 * A response begins with its length (`lengthBytes` bytes, which the length excludes) and the id of its request. `headBytes` is the size of
 * both.
 */
const lengthBytes = 4;
const headBytes = 8;

/** Makes requests over a connection that the library also uses: responses to the library's requests are passed on to the library. */
export class DirectRequests {
  readonly #connection: Connection;
  readonly #clientId: Buffer;
  readonly #timeoutMs: number;
  /** The library's listeners for received bytes. */
  readonly #library: ((bytes: Buffer) => void)[];
  readonly #pending = new Map<number, Pending>();
  #id = firstId;
  /** The first bytes of a response. `#headSize` is the number of these bytes received so far, and 0 between responses. */
  readonly #head = Buffer.alloc(headBytes);
  #headSize = 0;
  /** Whether the current response answers a request of the library; undefined until its id is known. */
  #isLibrarys: boolean | undefined;
  /** Number of bytes of the current response that are not received yet. Valid once the response's head is complete. */
  #left = 0;
  #parts: Buffer[] = [];

  /** Must be called between two responses, that is, as soon as the connection exists. */
  constructor(connection: Connection, clientId: string, timeoutMs: number) {
    this.#connection = connection;
    this.#clientId = Buffer.from(clientId);
    this.#timeoutMs = timeoutMs;
    const { socket } = connection;
    this.#library = socket.listeners("data") as ((bytes: Buffer) => void)[];
    socket.removeAllListeners("data");
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    connection.once("close", () => this.#failAll());
  }

  send<Response>({ apiKey, apiVersion, body, parse, callback }: DirectRequest<Response>): void {
    if (!this.#connection.isConnected()) {
      callback(new NetworkError("Connection closed"));
      return;
    }
    const id = this.#id;
    this.#id = id === mostId ? firstId : id + 1;
    const { socket } = this.#connection;
    const timer = setTimeout(() => {
      this.#pending.delete(id);
      callback(new TimeoutError("Request timed out", { canRetry: true }));
      socket.destroy();
    }, this.#timeoutMs);
    this.#pending.set(id, { apiKey, apiVersion, parse, callback: callback as Callback<unknown>, timer });
    socket.cork();
    socket.write(this.#headOf(apiKey, apiVersion, id, body.length));
    socket.write(body);
    socket.uncork();
  }

  #headOf(apiKey: number, apiVersion: number, id: number, bodyBytes: number): Buffer {
    const head = Buffer.alloc(lengthBytes + 10 + this.#clientId.length + 1);
    let at = head.writeInt32BE(head.length - lengthBytes + bodyBytes, 0);
    at = head.writeInt16BE(apiKey, at);
    at = head.writeInt16BE(apiVersion, at);
    at = head.writeInt32BE(id, at);
    at = head.writeInt16BE(this.#clientId.length, at);
    // The last byte stays 0: no tagged fields.
    this.#clientId.copy(head, at);
    return head;
  }

  #take(chunk: Buffer): void {
    for (let start = 0; start < chunk.length;) start = this.#takeFrom(chunk, start);
  }

  /**
   * Takes the bytes of one response from a chunk, from `start` to the end of the response or of the chunk. Returns the offset of that end.
   */
  #takeFrom(chunk: Buffer, start: number): number {
    // If no direct request is pending, a response that begins here answers a request of the library.
    if (this.#headSize === 0 && this.#pending.size === 0) this.#isLibrarys = true;
    let end = start;
    if (this.#headSize < headBytes) {
      end = Math.min(chunk.length, start + headBytes - this.#headSize);
      chunk.copy(this.#head, this.#headSize, start, end);
      this.#headSize += end - start;
      if (this.#headSize < headBytes) {
        if (this.#isLibrarys === true) this.#passOn(chunk.subarray(start, end));
        return end;
      }
      this.#left = this.#head.readInt32BE(0) + lengthBytes - headBytes;
      if (this.#left < 0) {
        // Not a Kafka response, so the start of the next response cannot be found.
        this.#connection.socket.destroy();
        return chunk.length;
      }
      if (this.#isLibrarys === undefined) {
        this.#isLibrarys = !this.#pending.has(this.#head.readInt32BE(lengthBytes));
        if (this.#isLibrarys) this.#passOn(Buffer.from(this.#head));
        start = end;
      }
    }
    const size = Math.min(this.#left, chunk.length - end);
    end += size;
    this.#left -= size;
    const bytes = chunk.subarray(start, end);
    const isLibrarys = this.#isLibrarys;
    if (this.#left <= 0) {
      this.#headSize = 0;
      this.#isLibrarys = undefined;
    }
    if (isLibrarys === true) this.#passOn(bytes);
    else {
      this.#parts.push(bytes);
      if (this.#headSize === 0) this.#end();
    }
    return end;
  }

  #passOn(bytes: Buffer): void {
    if (bytes.length > 0) for (const listener of this.#library) listener.call(this.#connection.socket, bytes);
  }

  /** Passes a complete response to its request's callback. */
  #end(): void {
    const id = this.#head.readInt32BE(lengthBytes);
    const response = Buffer.concat(this.#parts);
    this.#parts = [];
    const { apiKey, apiVersion, parse, callback, timer } = this.#pending.get(id)!;
    this.#pending.delete(id);
    clearTimeout(timer);
    let parsed: unknown;
    try {
      // Skip the first byte, 0: no tagged fields.
      const reader = Reader.from(response.subarray(1));
      parsed = parse(id, apiKey, apiVersion, reader);
    } catch (error) {
      callback(error as Error);
      return;
    }
    callback(null, parsed);
  }

  #failAll(): void {
    const all = [...this.#pending.values()];
    this.#pending.clear();
    for (const { timer, callback } of all) {
      clearTimeout(timer);
      callback(new NetworkError("Connection closed"));
    }
  }
}
