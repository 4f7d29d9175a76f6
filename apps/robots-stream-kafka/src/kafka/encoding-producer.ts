// Creates the library's producer with our own request encoder, which accepts values in parts and copies each value once instead of three
// times.
import { type API, type Callback, type Connection, kGetApi, Producer, type ProducerOptions } from "@platformatic/kafka";
import { DirectRequests } from "./direct-requests.ts";
import { type ProducedMessage, type ProduceOptions, ProduceRequests } from "./produce-request.ts";

/** Request versions that `ProduceRequests` encodes: lengths are variable-sized from 9, and topics have ids instead of names from 13. */
const firstVersion = 9;
const lastVersion = 12;

type ProduceArguments = [
  acks: number,
  timeoutMs: number,
  messages: readonly ProducedMessage[],
  options: ProduceOptions,
  callback: Callback<unknown>,
];

/** A producer of messages as bytes. */
export type BytesProducer = Producer;

export type BytesProducerOptions = ProducerOptions<Buffer, Buffer, Buffer, Buffer>;

/**
 * A producer for values that may be in parts, without transactions and compression. In all other respects, it is the library's producer.
 */
export function createEncodingProducer(options: BytesProducerOptions): BytesProducer {
  return new EncodingProducer(options);
}

class EncodingProducer extends Producer {
  readonly #requests = new ProduceRequests();
  readonly #direct = new WeakMap<Connection, DirectRequests>();

  constructor(options: BytesProducerOptions) {
    super(options);
    const { clientId, requestTimeout = 30_000 } = options;
    this.on("client:broker:connect", ({ connection }) => {
      this.#direct.set(connection, new DirectRequests(connection, clientId, requestTimeout));
    });
  }

  /** Overrides the library's hook that returns the function for each kind of request. */
  override [kGetApi]<Arguments extends unknown[], Response>(
    name: string,
    callback: Callback<API<Arguments, Response>>,
  ): void {
    super[kGetApi]<Arguments, Response>(name, (error, api) => {
      callback(error, name === "Produce" && api !== undefined ? this.#encoding(api) : api);
    });
  }

  /** The library's function for produce requests, with our encoder. */
  #encoding<Arguments extends unknown[], Response>(api: API<Arguments, Response>): API<Arguments, Response> {
    const { version, key } = api;
    const call = api as unknown as (connection: Pick<Connection, "send">, ...given: ProduceArguments) => void;
    const send = (connection: Connection, ...given: unknown[]): void => {
      const [acks, timeoutMs, messages, options, callback] = given as ProduceArguments;
      const direct = this.#direct.get(connection);
      if (direct === undefined || version < firstVersion || version > lastVersion) {
        call(connection, acks, timeoutMs, messages.map(wholeOf), options, callback);
        return;
      }
      const encoding: Pick<Connection, "send"> = {
        send: (apiKey, apiVersion, _makePayload, parse, _hasTags, _hasResponseTags, onResponse) => {
          let body: Buffer;
          try {
            body = this.#requests.encode(acks, timeoutMs, messages, options);
          } catch (error) {
            onResponse(error as Error);
            return;
          }
          direct.send({
            apiKey,
            apiVersion,
            body,
            parse,
            callback: (error, response) => {
              // After a failure, the socket may still refer to the body's memory, so this memory is not reused.
              if (error === null) this.#requests.giveBack(body);
              onResponse(error, response);
            },
          });
        },
      };
      call(encoding, acks, timeoutMs, messages, options, callback);
    };
    return Object.assign(send, { key, version, async: api.async });
  }
}

function wholeOf(message: ProducedMessage): ProducedMessage {
  const { value } = message;
  return Array.isArray(value) ? { ...message, value: Buffer.concat(value as readonly Buffer[]) } : message;
}
