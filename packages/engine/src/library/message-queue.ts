// A queue that returns messages in groups, in the order of their arrival: adjacent messages of one line that can be joined share a group,
// and every other message is a group of its own.
import { countLineEnds } from "./message-lines.ts";
import type { HeldMessage } from "./message-rows.ts";

/** A message that waits to be read. */
export interface QueuedMessage<M> {
  readonly held: HeldMessage<M>;
  readonly value: Uint8Array;
}

/** Messages whose bytes are read together. */
export interface MessageGroup<M> {
  readonly messages: readonly QueuedMessage<M>[];
  /** The lines of all messages, each with a line end; valid until the next group is taken. */
  readonly bytes: Buffer;
  /** Number of lines in `bytes`. */
  readonly lines: number;
}

/** Limits of a group of several messages. */
const mostMessages = 512;
const mostBytes = 64 * 1_024;

const newline = 0x0a;
/** A queue of messages; the caller limits their number. */
export class MessageQueue<M> {
  /** Bytes of the messages in the queue. */
  bytes = 0;
  readonly #canJoin: (value: Uint8Array) => boolean;
  #messages: (QueuedMessage<M> | undefined)[] = [];
  #first = 0;
  readonly #places = new Map<HeldMessage<M>, QueuedMessage<M>>();
  #isEnded = false;
  #scratch = Buffer.alloc(0);
  #onMore: (() => void) | undefined;

  /** `canJoin` returns true for a message of one line that is one record or one reject: only such messages share a group. */
  constructor(canJoin: (value: Uint8Array) => boolean) {
    this.#canJoin = canJoin;
  }

  push(message: QueuedMessage<M>): void {
    this.#messages.push(message);
    this.#places.set(message.held, message);
    this.bytes += message.value.length;
    this.#onMore?.();
  }

  /** Removes a message from the queue. Returns false when the message is not in the queue. */
  remove(held: HeldMessage<M>): boolean {
    const message = this.#places.get(held);
    if (message === undefined) return false;
    this.#places.delete(held);
    this.bytes -= message.value.length;
    return true;
  }

  /** Marks the end of the messages. */
  end(): void {
    this.#isEnded = true;
    this.#onMore?.();
  }

  /** Ends the queue and drops the messages in it. */
  stop(): void {
    this.#messages = [];
    this.#first = 0;
    this.#places.clear();
    this.bytes = 0;
    this.end();
  }

  /** Takes the next group, and waits for it while the queue is empty. Resolves to undefined after the end. */
  async take(): Promise<MessageGroup<M> | undefined> {
    for (;;) {
      const first = this.#next();
      if (first !== undefined) return this.#groupFrom(first);
      if (this.#isEnded) return undefined;
      await new Promise<void>((resolve) => (this.#onMore = resolve));
    }
  }

  #groupFrom(first: QueuedMessage<M>): MessageGroup<M> {
    const messages = [first];
    let size = this.#append(first.value, 0);
    if (!this.#isOneLine(first.value)) {
      const bytes = this.#scratch.subarray(0, size);
      return { messages, bytes, lines: countLineEnds(bytes) };
    }
    while (messages.length < mostMessages && size < mostBytes) {
      const next = this.#peek();
      if (next === undefined || !this.#isOneLine(next.value)) break;
      this.#next();
      messages.push(next);
      size = this.#append(next.value, size);
    }
    return { messages, bytes: this.#scratch.subarray(0, size), lines: messages.length };
  }

  /**
   * Copies a message to offset `at` of the buffer that all groups share: without a byte order mark, and with a line end. Returns the offset
   * after the copy.
   */
  #append(value: Uint8Array, at: number): number {
    const start = value[0] === 0xef && value[1] === 0xbb && value[2] === 0xbf ? 3 : 0;
    const size = at + value.length - start + 1;
    if (size > this.#scratch.length) {
      const larger = Buffer.allocUnsafeSlow(size * 2);
      this.#scratch.copy(larger, 0, 0, at);
      this.#scratch = larger;
    }
    this.#scratch.set(start === 0 ? value : value.subarray(start), at);
    if (size > at + 1 && this.#scratch[size - 2] === newline) return size - 1;
    this.#scratch[size - 1] = newline;
    return size;
  }

  #isOneLine(value: Uint8Array): boolean {
    const at = value.indexOf(newline);
    return (at < 0 || at === value.length - 1) && this.#canJoin(value);
  }

  #peek(): QueuedMessage<M> | undefined {
    while (this.#first < this.#messages.length) {
      const message = this.#messages[this.#first]!;
      if (this.#places.has(message.held)) return message;
      this.#forgetFirst();
    }
    return undefined;
  }

  /** Takes the first message that was not removed; undefined if there is none. */
  #next(): QueuedMessage<M> | undefined {
    const message = this.#peek();
    if (message === undefined) return undefined;
    this.#places.delete(message.held);
    this.bytes -= message.value.length;
    this.#forgetFirst();
    return message;
  }

  #forgetFirst(): void {
    this.#messages[this.#first++] = undefined;
    if (this.#first < 1_024 || this.#first * 2 < this.#messages.length) return;
    this.#messages = this.#messages.slice(this.#first);
    this.#first = 0;
  }
}
