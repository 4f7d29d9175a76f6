// Reads any input of a program into batches of records. The first item shows whether the input is bytes or records.
import type { RecordInput } from "../stream/engine.ts";
import { DamagedError, IoError, UsageError } from "../common/errors.ts";
import type { HeldRecords } from "./held-records.ts";
import { type Boxed, objectBatchesOf } from "./object-records.ts";
import { tried, wrong } from "./options.ts";
import type { StreamSettings } from "./settings.ts";
import type { DecideOptions, RecordReject } from "./types.ts";
import { type InputOptions, readWithBase } from "../sources/input.ts";
import { withFirstUrl } from "../sources/first-urls.ts";
import { prepare } from "../sources/prepare.ts";
import type { Batch } from "../records/batch.ts";
import type { AskedField } from "../records/packed.ts";
import { RowHeads } from "../records/row-heads.ts";
import type { RecordWriter } from "../formats/types.ts";
import { printableOf, utf8TextOf } from "../common/text.ts";

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

interface ByteRecordsOptions {
  /** The source's name, for messages; its ending helps to detect the format. */
  readonly name: string;
  readonly read: InputOptions;
  /** Holds the records as objects while their heads pass through the engine; undefined for output as rows. */
  readonly held: HeldRecords | undefined;
  readonly writer: RecordWriter;
}

/** Reads one source. Throws a `UsageError` when none of its first records has a URL, an `IoError` when its compressed data is damaged. */
async function* byteBatchesOf(
  bytes: AsyncIterable<Uint8Array>,
  { name, read, held, writer }: ByteRecordsOptions,
): AsyncGenerator<Batch> {
  const source = printableOf(name);
  const { maxLineBytes, urlField, agentField, texts, base, logRows, logClock } = read;
  const heads = new RowHeads();
  try {
    const { format, lineEnd, isUnexamined, chunks } = await prepare(name, bytes, { ...read, isLive: true });
    const options = {
      source,
      lineEnd,
      isUnexamined,
      maxLineBytes,
      urlField,
      agentField,
      texts,
      base,
      logRows,
      logClock,
      writer,
    };
    const batches = withFirstUrl(readWithBase(format, chunks, options), { ...options, format }, read.clock);
    for await (const batch of batches) {
      if (held === undefined) yield batch;
      else {
        yield heldBatchOf(batch, held, heads);
        await held.room();
      }
    }
  } catch (error) {
    throw error instanceof DamagedError ? new IoError("input", source, error) : error;
  }
}

/**
 * Holds the records of a batch as objects, and returns the batch with their heads from `held`, which `heads` stores, in place of the
 * records' bytes.
 */
function heldBatchOf({ records, rejects }: Batch, held: HeldRecords, heads: RowHeads): Batch {
  const names = Object.keys(records.fields) as AskedField[];
  heads.begin();
  for (let record = 0; record < records.count; record++) {
    const head = records.headOf(record);
    // Copies the URL, because a slice of a longer string would keep all of that string in memory.
    const url = Buffer.from(records.urlOf(record), "utf16le").toString("utf16le");
    const fields = Object.fromEntries(names.map((name) => [name, records.fieldOf(name, record)]));
    heads.add(held.hold(JSON.parse(`${utf8TextOf(head)}}`), url, head.length + url.length), url, fields);
  }
  records.recycle?.();
  return { records: heads.finish(), rejects };
}

/** Thrown into the loop when reading was stopped, so that the loop does not treat the stop as the end of the input. */
const stopped: Error = new Error("reading was stopped");

/** A sync or async iterable. */
export type AnyIterable<T> = Iterable<T> | AsyncIterable<T>;

/** One iteration over an iterable. */
class Reading<T> implements AsyncIterable<Boxed<T>> {
  readonly #items: AnyIterable<T>;
  #iterator: Iterator<T> | AsyncIterator<T> | undefined;
  #isDone = false;
  #interrupt: (() => void) | undefined;

  constructor(items: AnyIterable<T>) {
    this.#items = items;
  }

  /** Makes the loop throw `stopped`. Closes the iterable as leaving a `for await` loop does: calls `return`, and destroys a stream. */
  stop(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#interrupt?.();
    const items = this.#items;
    // `return` of a stream's iterator would wait for the pending item.
    if ("destroy" in items && typeof items.destroy === "function") items.destroy();
    // Not awaited: the pending item may never arrive.
    void (async () => this.#iterator?.return?.())().catch(() => undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Boxed<T>> {
    const items = this.#items;
    const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
    this.#iterator = iterator;
    try {
      for (;;) {
        const next = await this.#nextOf(iterator);
        if (next.done === true) break;
        // As in `for await`, items of a sync iterable may be promises.
        yield { value: isPromise(next.value) ? await next.value : next.value };
      }
      this.#isDone = true;
    } finally {
      this.stop();
    }
  }

  async #nextOf(iterator: Iterator<T> | AsyncIterator<T>): Promise<IteratorResult<T>> {
    if (this.#isDone) throw stopped;
    try {
      return await new Promise((resolve, reject) => {
        this.#interrupt = () => reject(stopped);
        Promise.resolve(iterator.next()).then(resolve, reject);
      });
    } catch (error) {
      // An iterator that throws has ended by itself.
      this.#isDone = true;
      throw error;
    }
  }
}

/** Whether a value is a promise; false for a proxy whose getPrototypeOf trap throws. */
function isPromise<T>(value: T): boolean {
  try {
    return value instanceof Promise;
  } catch {
    return false;
  }
}
