// A pipe with scripted chunks and pauses, and the clock that tests advance by hand.
import type { Clock } from "../src/sources/peek.ts";
import type { InputStream } from "../src/records/batch.ts";

/** A clock that advances only by `pass`. */
export class WoundClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly act: () => void }>();

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.#now + ms, act };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** The number of timers that are set. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Advances the clock and calls the timers that are due. Resolves when the process has handled their effects. */
  async pass(ms: number): Promise<void> {
    this.#now += ms;
    const due = [...this.#timers].filter(({ at }) => at <= this.#now);
    for (const timer of due) {
      this.#timers.delete(timer);
      timer.act();
    }
    for (let turn = 0; turn < 4 && due.length > 0; turn++) await nextTurn();
  }
}

/** A turn of the event loop. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** An action of a writer: bytes to write, or milliseconds to wait. */
export type Deed = Uint8Array | number;

/** A pipe. Its chunks share one buffer, which is overwritten when the next chunk is requested. */
export class LivePipe implements InputStream {
  readonly #deeds: readonly Deed[];
  readonly #clock: WoundClock;
  readonly #staysOpen: boolean;
  #end: (() => void) | undefined;
  #isEnded = false;

  /** `staysOpen`: after its last action the writer stays silent, but does not close the pipe. */
  constructor(deeds: readonly Deed[], clock: WoundClock, staysOpen = false) {
    this.#deeds = deeds;
    this.#clock = clock;
    this.#staysOpen = staysOpen;
  }

  destroy(): void {
    this.#isEnded = true;
    this.#end?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const memory = Buffer.alloc(
      Math.max(0, ...this.#deeds.map((deed) => (typeof deed === "number" ? 0 : deed.length))),
    );
    for (const deed of this.#deeds) {
      await Promise.resolve();
      if (this.#isEnded) return;
      if (typeof deed === "number") {
        await this.#clock.pass(deed);
        continue;
      }
      memory.set(deed);
      yield memory.subarray(0, deed.length);
      memory.fill(0xff);
    }
    if (this.#staysOpen && !this.#isEnded) await new Promise<void>((resolve) => (this.#end = resolve));
  }
}
