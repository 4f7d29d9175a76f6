// The library's producer, with the requests of `ProduceRequests`: it takes values in parts, and copies each once less.
import {
  type API,
  type Callback,
  type Connection,
  kGetApi,
  Producer,
  type ProducerOptions,
  Writer,
} from "@platformatic/kafka";
import { type ProducedMessage, type ProduceOptions, ProduceRequests } from "./produce-request.ts";

/** Versions whose requests `ProduceRequests` makes: from 9 on, lengths have variable sizes; from 13 on, topics have numbers instead of names. */
const firstVersion = 9;
const lastVersion = 12;

type ProduceArguments = [
  acks: number,
  timeoutMs: number,
  messages: readonly ProducedMessage[],
  options: ProduceOptions,
  callback: Callback<unknown>,
];

/** A producer of messages whose values may be in parts. It makes no transactions and compresses nothing; all the rest is the library's. */
export function createEncodingProducer(options: ProducerOptions<Buffer, Buffer, Buffer, Buffer>): BytesProducer {
  return new EncodingProducer(options);
}

/** A producer of messages as bytes. */
export type BytesProducer = Producer<Buffer, Buffer, Buffer, Buffer>;

class EncodingProducer extends Producer<Buffer, Buffer, Buffer, Buffer> {
  readonly #requests = new ProduceRequests();

  /** Called by the library for each request. */
  override [kGetApi]<Arguments extends unknown[], Response>(
    name: string,
    callback: Callback<API<Arguments, Response>>,
  ): void {
    super[kGetApi]<Arguments, Response>(name, (error, api) => {
      callback(error, name === "Produce" && api !== undefined ? this.#encoding(api) : api);
    });
  }

  #encoding<Arguments extends unknown[], Response>(api: API<Arguments, Response>): API<Arguments, Response> {
    const { version, key } = api;
    const send = (connection: Connection, ...given: unknown[]): void => {
      const [acks, timeoutMs, messages, options, callback] = given as ProduceArguments;
      const call = api as unknown as (connection: unknown, ...given: ProduceArguments) => void;
      if (version < firstVersion || version > lastVersion) {
        call(connection, acks, timeoutMs, messages.map(wholeOf), options, callback);
        return;
      }
      // The library copies the payload as soon as it is made.
      const makePayload = (): Writer => Writer.create().append(this.#requests.encode(acks, timeoutMs, messages, options));
      const encoding: Pick<Connection, "send"> = {
        send: (apiKey, apiVersion, _makePayload, ...rest) => connection.send(apiKey, apiVersion, makePayload, ...rest),
      };
      call(encoding, acks, timeoutMs, messages, options, callback);
    };
    return Object.assign(send, { key, version, async: api.async }) as unknown as API<Arguments, Response>;
  }
}

function wholeOf(message: ProducedMessage): ProducedMessage {
  const { value } = message;
  return Array.isArray(value) ? { ...message, value: Buffer.concat(value as readonly Buffer[]) } : message;
}
