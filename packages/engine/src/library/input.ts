// Reads any input of a program into batches of records. The first item shows whether the input is bytes or records.
import type { RecordInput } from "../stream/engine.ts";
import { UsageError } from "../common/errors.ts";
import { byteBatchesOf } from "./byte-records.ts";
import type { HeldRecords } from "./held-records.ts";
import { objectBatchesOf } from "./object-records.ts";
import { type AnyIterable, type Boxed, Reading, stopped } from "./reading.ts";
import { tried, wrong } from "./options.ts";
import type { StreamSettings } from "./settings.ts";
import type { DecideOptions, RecordReject } from "./types.ts";

export interface LibraryInputOptions {
  readonly options: Pick<DecideOptions, "inputName" | "onReject">;
  readonly settings: StreamSettings;
  readonly items: AnyIterable<unknown>;
  /** Holds the records until they are decided; undefined when the output is rows of bytes, which are made only from an input of bytes. */
  readonly held: HeldRecords | undefined;
}

/** Creates the engine's input from the items of a program. Errors of `items` are passed on. */
export function createLibraryInput({ options, settings, items, held }: LibraryInputOptions): RecordInput {
  const { inputName: name = "input", onReject = (): void => undefined } = options;
  const { read } = settings;
  const reading = new Reading(items);
  return {
    stop() {
      reading.stop();
      held?.giveUp();
    },
    async *batches(writer) {
      const iterator = reading[Symbol.asyncIterator]();
      try {
        const first = await iterator.next();
        if (first.done === true) return;
        const isBytes = held === undefined || isUint8Array(first.value.value);
        const all = fromFirst(first.value, iterator);
        if (held !== undefined && !isBytes) {
          yield* objectBatchesOf(all, { read, held, onReject });
          return;
        }
        for await (const batch of byteBatchesOf(bytesOnly(all), { name, read, held, writer })) {
          for (const { code, message, line, text } of batch.rejects) {
            onReject({ code, message, line, record: Buffer.from(text, "latin1").toString() } satisfies RecordReject);
          }
          yield batch;
        }
      } catch (error) {
        if (error === stopped) return;
        // A stream treats a falsy error as no error.
        if (!error) throw new Error(`the input failed with ${JSON.stringify(error)}`, { cause: error });
        throw error;
      }
    },
  };
}

/** The option `input` as an iterable. Throws a `UsageError` for a type that is not supported. */
export function checkedInput(input: unknown): AnyIterable<unknown> {
  return tried("input", () => iterableOf(input));
}

function iterableOf(input: unknown): AnyIterable<unknown> {
  if (input instanceof Uint8Array) return [input];
  if (typeof input === "string") throw wrong("input", "is one string: give bytes, or a list of URLs");
  if (typeof input !== "object" || input === null || !(Symbol.asyncIterator in input || Symbol.iterator in input)) {
    throw wrong("input", "must be iterable: a stream, a list, or bytes");
  }
  if ("readableEncoding" in input && typeof input.readableEncoding === "string") {
    throw wrong("input", "is a stream of strings; leave out setEncoding to get bytes");
  }
  return input as AnyIterable<unknown>;
}

async function* fromFirst<T>(first: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** `isView` comes first: it returns false for a proxy, whose getPrototypeOf trap could throw in `instanceof`. */
function isUint8Array(item: unknown): item is Uint8Array {
  return ArrayBuffer.isView(item) && item instanceof Uint8Array;
}

async function* bytesOnly(items: AsyncIterable<Boxed<unknown>>): AsyncGenerator<Uint8Array> {
  for await (const { value: item } of items) {
    if (!isUint8Array(item))
      throw new UsageError("unusable-input", "input: began with bytes and continued with another type");
    yield item;
  }
}
