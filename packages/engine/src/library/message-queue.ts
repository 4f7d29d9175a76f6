// Messages in the order of their arrival in, groups of them out: a message of several lines alone, adjacent messages of one line together.
import type { HeldMessage } from "./message-rows.ts";

/** A message that waits to be read. */
export interface QueuedMessage<M> {
  readonly held: HeldMessage<M>;
  readonly value: Uint8Array;
}

/** Messages whose bytes are read together. */
export interface MessageGroup<M> {
  readonly messages: readonly QueuedMessage<M>[];
  /** Their lines, each with its line end. */
  readonly bytes: Buffer;
}

/** Limits of a group of several messages. */
const mostMessages = 512;
const mostBytes = 64 * 1_024;

const newline = 0x0a;
const lineEnd = Buffer.from("\n");

/** A queue without a limit of its own. */
export class MessageQueue<M> {
  /** Bytes of the messages in the queue. */
  bytes = 0;
  readonly #canJoin: (value: Uint8Array) => boolean;
  #messages: (QueuedMessage<M> | undefined)[] = [];
  #first = 0;
  readonly #places = new Map<HeldMessage<M>, QueuedMessage<M>>();
  #isEnded = false;
  #onMore: (() => void) | undefined;

  /** `canJoin` tells whether a message of one line is surely one record or one reject. */
  constructor(canJoin: (value: Uint8Array) => boolean) {
    this.#canJoin = canJoin;
  }

  push(message: QueuedMessage<M>): void {
    this.#messages.push(message);
    this.#places.set(message.held, message);
    this.bytes += message.value.length;
    this.#onMore?.();
  }

  /** Removes a message that was not taken; returns whether there was one. */
  remove(held: HeldMessage<M>): boolean {
    const message = this.#places.get(held);
    if (message === undefined) return false;
    this.#places.delete(held);
    this.bytes -= message.value.length;
    return true;
  }

  /** No message follows. */
  end(): void {
    this.#isEnded = true;
    this.#onMore?.();
  }

  /** Ends the queue at once: messages in it are not taken any more. */
  stop(): void {
    this.#messages = [];
    this.#first = 0;
    this.#places.clear();
    this.end();
  }

  /** The next group; undefined after the end. */
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
    const parts = [first.value, ...endOf(first.value)];
    if (this.#isOneLine(first.value)) {
      let bytes = first.value.length;
      while (messages.length < mostMessages && bytes < mostBytes) {
        const next = this.#peek();
        if (next === undefined || !this.#isOneLine(next.value)) break;
        this.#next();
        messages.push(next);
        parts.push(next.value, ...endOf(next.value));
        bytes += next.value.length;
      }
    }
    return { messages, bytes: parts.length === 1 ? bufferOf(first.value) : Buffer.concat(parts) };
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

  /** Takes the first message. */
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

function endOf(value: Uint8Array): readonly Uint8Array[] {
  return value.at(-1) === newline ? [] : [lineEnd];
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
