// Decides the records of an input, and returns batches of decisions to one loop of the program.
import { Readable } from "node:stream";
import type { Engine } from "../stream/engine.ts";
import { UsageError } from "../common/errors.ts";
import { createDecidedOutlet } from "../formats/decided.ts";
import type { HeadAnswer } from "../records/rows.ts";
import type { HeldRecords } from "./held-records.ts";
import { checkedInput } from "./input.ts";
import { createHeldRecords, createRun, runExactly, summaryOf } from "./run.ts";
import { streamSettingsOf } from "./settings.ts";
import type { DecideOptions, DecideSummary, RecordDecision } from "./types.ts";

/** The decisions about one input, in batches. Can be iterated over once; leaving the loop ends reading and loading. */
export class Decisions<R, D = RecordDecision<R>> implements AsyncIterable<readonly D[]> {
  readonly #engine: Engine;
  readonly #held: HeldRecords;
  readonly #batches = new Readable({ objectMode: true, highWaterMark: 1, read: () => this.#onTaken?.() });
  readonly #signal: AbortSignal | undefined;
  #onTaken: (() => void) | undefined;
  #isBegun = false;

  /** Reads nothing before the first iteration. Throws a `UsageError` for invalid options. */
  constructor(options: DecideOptions, input: unknown) {
    const settings = streamSettingsOf(options);
    const items = checkedInput(input);
    const held = (this.#held = createHeldRecords(settings));
    this.#signal = options.signal;
    this.#engine = createRun({ options, settings, items, held, writer: held.writer });
  }

  /** The counts so far; final once the loop has ended. */
  get summary(): DecideSummary {
    return summaryOf(this.#engine);
  }

  /**
   * Reads the input and decides its records, no faster than the loop takes batches. Rejects with a `UsageError` when this object was
   * iterated over before, or when none of the first records of an input of bytes has a URL. Rejects with the error of the input or of
   * the loader, and with the signal's reason.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<readonly D[], void> {
    if (this.#isBegun) throw new UsageError("read-twice", "decisions can be read only once, in one loop");
    this.#isBegun = true;
    const signal = this.#signal;
    signal?.throwIfAborted();
    const batches = this.#batches;
    const held = this.#held;
    const outlet = createDecidedOutlet((answers: readonly HeadAnswer[]) => held.decisionsOf(answers), {
      take: (batch) => this.#give(batch),
      end: () => void batches.push(null),
    });
    const leave = (error?: Error): void => {
      batches.destroy(error);
      outlet.destroy(error);
    };
    const abort = (): void => leave(reasonOf(signal));
    signal?.addEventListener("abort", abort, { once: true });
    const run = runExactly(this.#engine, outlet).then(
      () => undefined,
      (error: unknown) => {
        batches.destroy(error as Error);
        return { error };
      },
    );
    try {
      for await (const batch of batches) yield batch as D[];
      const failed = await run;
      if (failed !== undefined) throw failed.error;
    } catch (error) {
      // Streams can only be destroyed with an Error; a signal's reason may be any value.
      throw signal?.aborted === true ? signal.reason : error;
    } finally {
      signal?.removeEventListener("abort", abort);
      leave();
      await run;
    }
  }

  /** Passes a batch to the loop. When the loop is behind, returns a promise that resolves when the loop requests more. */
  #give(batch: readonly unknown[]): void | Promise<void> {
    if (!this.#batches.push(batch)) return new Promise((resolve) => (this.#onTaken = resolve));
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}
