// What comes over a connection whose request is sent → a stream that a parser of its own can be given instead of the socket.
import { Duplex } from "node:stream";

/** Carries on where somebody else stopped reading; what is written goes nowhere, because it has gone out already. */
export class Replay extends Duplex {
  readonly #onDemand: () => void;
  /** What came before the reader asked: undici takes an answer that comes too early for another request's. */
  #early: (Buffer | null)[] | undefined = [];

  /** `onDemand`: the reader wants more. */
  constructor(onDemand: () => void) {
    super();
    this.#onDemand = onDemand;
    // What happened to the connection is known, also while nobody reads yet.
    this.on("error", () => undefined);
  }

  /** Octets that came and that the reader has not taken yet. */
  get waiting(): number {
    let length = this.readableLength;
    for (const bytes of this.#early ?? []) length += bytes?.length ?? 0;
    return length;
  }

  /** Hands on what came; null: the other side has ended. False: no more for now. */
  pass(bytes: Buffer | null): boolean {
    if (this.#early === undefined) return this.push(bytes);
    this.#early.push(bytes);
    return false;
  }

  override _read(): void {
    if (this.#early === undefined) this.#onDemand();
  }

  override _write(_chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    done();
    // Not at once: undici counts a request as asked when writing it has returned, and an end may be heard before that.
    if (this.#early !== undefined) process.nextTick(() => this.#begin());
  }

  #begin(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    if (this.destroyed) return;
    for (const bytes of early) this.push(bytes);
    this.#onDemand();
  }
}
