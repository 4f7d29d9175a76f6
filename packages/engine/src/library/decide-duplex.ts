// A stage of a program's pipeline: bytes or records are written into it, rows of bytes or batches of decisions are read from it.
import { Duplex, Writable, addAbortSignal } from "node:stream";
import { Engine } from "../stream/engine.ts";
import { memberNamesOf } from "../decide/record-members.ts";
import type { OutputFormat } from "../formats/types.ts";
import { createWriteStage } from "../stream/stages.ts";
import type { HeadAnswer } from "../records/rows.ts";
import { HeldRecords } from "./held-records.ts";
import { type AnyIterable, createLibraryInput } from "./input.ts";
import { sourceOf } from "./loader.ts";
import { runExactly, summaryOf } from "./run.ts";
import { streamSettingsOf } from "./settings.ts";
import type { DecideOptions, DecideSummary } from "./types.ts";

/** The checked settings of the stream. */
export interface DuplexForm {
  readonly accepts: "bytes" | "records";
  /** The format of rows; undefined: the output is decisions. */
  readonly format: OutputFormat | undefined;
  readonly resultKey: string;
  readonly csvSafe: boolean;
}

/** The stream that `decideStream` returns without an input. It is destroyed with the errors that a loop over `Decisions` would throw. */
export class DecideDuplex extends Duplex {
  readonly #engine: Engine;
  readonly #feed = new Feed();
  readonly #output: Writable;
  #done: Promise<void> | undefined;
  #onTaken: (() => void) | undefined;

  /**
   * With `items`, the stream reads these instead of what is written into it, from the call of `begin` on. Throws a `UsageError` for wrong
   * options.
   */
  constructor(
    options: DecideOptions,
    { accepts, format, resultKey, csvSafe }: DuplexForm,
    items?: AnyIterable<unknown>,
  ) {
    const settings = streamSettingsOf(options);
    const { hasDialect, hasKind } = settings;
    const memberNames = memberNamesOf(options.members);
    const isFed = items === undefined;
    super({
      writableObjectMode: accepts === "records",
      readableObjectMode: format === undefined,
      ...(isFed ? {} : { readableHighWaterMark: 1 }),
    });
    const held =
      format === undefined
        ? new HeldRecords({ maxBytes: settings.engine.parkBytes, answersEach: settings.decisionsEach })
        : undefined;
    const writer = held?.writer ?? format!.createWriter({ resultKey, hasDialect, hasKind, csvSafe, memberNames });
    this.#output =
      held === undefined
        ? createWriteStage(
            this.#createTaker((rows: Buffer) => rows),
            { headerOf: writer.header },
          )
        : this.#createTaker((answers: readonly HeadAnswer[]) => held.decisionsOf(answers));
    this.#engine = new Engine({
      settings: settings.engine,
      objects: held === undefined ? undefined : { hasDialect },
      input: createLibraryInput({ options, settings, items: items ?? this.#feed, held }),
      source: sourceOf(options.robots),
      writer,
      members: options.members,
      now: options.now,
      // The input has already passed the rejects to the option `onReject`.
      onRejects: () => undefined,
    });
    if (!isFed) {
      this.end();
      return;
    }
    void this.begin();
    // Does not use the option `signal` of Duplex: for a signal that is already aborted, Node 22 destroys the stream before it is
    // constructed.
    if (options.signal !== undefined) addAbortSignal(options.signal, this);
  }

  /**
   * Begins to read. The promise resolves when the run has closed everything that it opened.
   *
   * @internal
   */
  begin(): Promise<void> {
    return (this.#done ??= runExactly(this.#engine, this.#output).then(
      () => {
        this.#feed.leave(null);
        this.push(null);
      },
      (error: unknown) => void this.destroy(error as Error),
    ));
  }

  /** The stream that receives what the engine makes: rows, or answers. What is made of it is for the reader, unless it is empty. */
  #createTaker<Made>(readFrom: (made: Made) => { readonly length: number }): Writable {
    return new Writable({
      objectMode: true,
      highWaterMark: 1,
      write: (made: Made, _encoding, callback) => {
        const read = readFrom(made);
        if (read.length === 0 || this.push(read)) callback();
        else this.#onTaken = callback;
      },
    });
  }

  /** The counts so far; final once the stream has ended. */
  get summary(): DecideSummary {
    return summaryOf(this.#engine);
  }

  /** @internal */
  override _write(item: unknown, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#feed.give(item, callback);
  }

  /** @internal */
  override _final(callback: () => void): void {
    this.#feed.end();
    callback();
  }

  /** @internal */
  override _read(): void {
    const onTaken = this.#onTaken;
    this.#onTaken = undefined;
    onTaken?.();
  }

  /** @internal */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#output.destroy();
    // The stream closes only after the run has closed everything that it opened.
    const close = async (): Promise<void> => {
      await this.#done;
      this.#feed.leave(error);
      callback(error);
    };
    void close();
  }
}

/** Called when the writer may change the item and give the next one; receives the error that ended the loop, if any. */
type OnDone = (error?: Error | null) => void;

/** A queue with room for one item. */
class Feed implements AsyncIterable<unknown> {
  #item: { readonly value: unknown; readonly onDone: OnDone } | undefined;
  #onDone: OnDone | undefined;
  #isEnded = false;
  #isLeft = false;
  #onItem: (() => void) | undefined;

  /** Gives an item. `onDone` is called when the loop requests another item, or by `leave`, or at once after `leave`. */
  give(value: unknown, onDone: OnDone): void {
    if (this.#isLeft) {
      onDone();
      return;
    }
    this.#item = { value, onDone };
    this.#onItem?.();
  }

  /** Marks the end of the items. */
  end(): void {
    this.#isEnded = true;
    this.#onItem?.();
  }

  /** Ends the queue with the error that ended the loop, if any: calls `onDone` of all items, and drops the waiting item. */
  leave(error: Error | null): void {
    this.#isLeft = true;
    this.#finish(error);
    const item = this.#item;
    this.#item = undefined;
    item?.onDone(error);
  }

  /** The iterator is not a generator, because a generator would await items that have a member `then`. */
  [Symbol.asyncIterator](): AsyncIterator<unknown, undefined> {
    return { next: () => this.#next() };
  }

  async #next(): Promise<IteratorResult<unknown, undefined>> {
    this.#finish(null);
    while (this.#item === undefined) {
      if (this.#isEnded) return { done: true, value: undefined };
      await new Promise<void>((resolve) => (this.#onItem = resolve));
    }
    const { value, onDone } = this.#item;
    this.#item = undefined;
    this.#onDone = onDone;
    return { done: false, value };
  }

  #finish(error: Error | null): void {
    const onDone = this.#onDone;
    this.#onDone = undefined;
    onDone?.(error);
  }
}
