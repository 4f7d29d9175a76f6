// A queue that returns messages in groups, in the order of their arrival: adjacent messages of one line that can be joined share a group,
// and every other message is a group of its own.
import { Fifo } from "../common/fifo.ts";
import { countLineEnds, type HeldMessage } from "./message-rows.ts";

/** Messages whose bytes are read together. */
export interface MessageGroup<M> {
  readonly messages: readonly HeldMessage<M>[];
  /** The lines of all messages, each with a line end; valid until the next group is taken. */
  readonly bytes: Buffer;
  /** Number of lines in `bytes`. */
  readonly lines: number;
}

/** Limits of a group of several messages. */
const mostMessages = 512;
const mostBytes = 64 * 1_024;

const newline = 0x0a;

/** A queue of messages; the caller limits their number. A message that was taken or removed has no `value` any more. */
export class MessageQueue<M> {
  /** Memory of the messages in the queue, in bytes. */
  bytes = 0;
  readonly #canJoin: (value: Uint8Array) => boolean;
  /** The messages in the queue, and messages that were removed from it. */
  readonly #messages = new Fifo<HeldMessage<M>>();
  #isEnded = false;
  #scratch = Buffer.alloc(0);
  #onMore: (() => void) | undefined;

  /** `canJoin` returns true for a message of one line that is one record or one reject: only such messages share a group. */
  constructor(canJoin: (value: Uint8Array) => boolean) {
    this.#canJoin = canJoin;
  }

  push(message: HeldMessage<M>): void {
    this.#messages.push(message);
    this.bytes += message.bytes;
    this.#onMore?.();
  }

  /** Removes a message from the queue. Returns false when the message is not in the queue. */
  remove(message: HeldMessage<M>): boolean {
    if (message.value === undefined) return false;
    message.value = undefined;
    this.bytes -= message.bytes;
    return true;
  }

  /** Marks the end of the messages. */
  end(): void {
    this.#isEnded = true;
    this.#onMore?.();
  }

  /** Ends the queue and drops the messages in it. */
  stop(): void {
    for (let message = this.#messages.shift(); message !== undefined; message = this.#messages.shift())
      this.remove(message);
    this.end();
  }

  /** Takes the next group, and waits for it while the queue is empty. Resolves to undefined after the end. */
  async take(): Promise<MessageGroup<M> | undefined> {
    for (;;) {
      const value = this.#next();
      if (value !== undefined) return this.#groupFrom(value);
      if (this.#isEnded) return undefined;
      await new Promise<void>((resolve) => (this.#onMore = resolve));
    }
  }

  /** Takes the first message of the queue, whose value is `first`, and the messages that can be joined to it. */
  #groupFrom(first: Uint8Array): MessageGroup<M> {
    const messages: HeldMessage<M>[] = [];
    const isJoined = this.#isOneLine(first);
    let size = 0;
    for (let value: Uint8Array | undefined = first; value !== undefined; value = this.#next()) {
      if (messages.length > 0 && !(isJoined && this.#isOneLine(value))) break;
      size = this.#append(value, size);
      const message = this.#messages.shift()!;
      this.remove(message);
      messages.push(message);
      if (messages.length === mostMessages || size >= mostBytes) break;
    }
    const bytes = this.#scratch.subarray(0, size);
    return { messages, bytes, lines: isJoined ? messages.length : countLineEnds(bytes) };
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

  /** The value of the first message of the queue, which stays there; undefined if the queue is empty. Drops removed messages before it. */
  #next(): Uint8Array | undefined {
    while (this.#messages.length > 0) {
      const { value } = this.#messages.first!;
      if (value !== undefined) return value;
      this.#messages.shift();
    }
    return undefined;
  }
}
