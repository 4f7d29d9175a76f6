// Decides the records in messages of a queue, and returns the rows of each message. A message has the bytes of one record or of several
// lines.
import { Writable } from "node:stream";
import { Engine } from "../stream/engine.ts";
import { ndjson } from "../formats/ndjson/write.ts";
import type { RecordWriter } from "../formats/types.ts";
import { memberNamesOf } from "../decide/record-members.ts";
import type { InputFormat, ReadOptions } from "../formats/input-format.ts";
import type { Batch } from "../records/batch.ts";
import { RowMemory } from "../records/row-memory.ts";
import { readWithBase } from "../sources/input.ts";
import { type MessageLines, linesOf, type HeldMessage, MessageRows, withdrawRecords } from "./message-rows.ts";
import { MessageQueue } from "./message-queue.ts";
import {
  joinsOf,
  lineFormatNamed,
  markingWriter,
  pointAfterFirst,
  type RowsByAnswer,
  sortedRows,
} from "./message-format.ts";
import { wrong } from "./options.ts";
import { runExactly, summaryOf } from "./run.ts";
import { sourceOf } from "./loader.ts";
import { readMessageOptions, streamSettingsOf } from "./settings.ts";
import type { DecideOptions, DecideSummary } from "./types.ts";

/** The options of `decideMessages`. Each record has one row: several agents imply `rows: "record"`, and several dialects are refused. */
export interface DecideMessagesOptions<M> extends Omit<
  DecideOptions,
  "only" | "ordered" | "onReject" | "rows" | "signal"
> {
  /** The format of all messages; its records must be lines. "ndjson" by default. */
  readonly inputFormat?: string;
  /** The field that contains the URL; "url" by default for NDJSON. */
  readonly urlField?: string;
  /** Memory for messages in progress, in bytes; 64 MiB by default. Above it, `hasRoom` is false and `room` waits. */
  readonly parkBytes?: number;
  /** The name of the member that is added to each record; "robots" by default. */
  readonly resultKey?: string;
  /** Whether each part has its rows grouped by their answers, as `MessagePart.answers`; for one agent or `agentField` only. */
  readonly byAnswer?: boolean;
  /**
   * Called with rows or rejects of a message, and when the message is complete. Rows of a message come in any order; rows of the same
   * origin come in the order of their records.
   */
  onPart(part: MessagePart<M>): void;
}

/** Some rows of a message. */
export interface MessagePart<M> {
  readonly message: M;
  /**
   * Whole rows, each with its line end; empty with `byAnswer`. The buffer may share memory with the rows of other messages. Copy rows that
   * you keep for long, and call `giveBack` with `rows` after reading them, so that their memory is reused.
   */
  readonly rows: Buffer;
  /** Number of rows of this part, in `rows` or `answers`. */
  readonly records: number;
  /** The rows by their answers; undefined without `byAnswer`. The lists are empty in a part without rows. */
  readonly answers?: RowsByAnswer | undefined;
  /** Lines of the message that are not records; each is reported once. */
  readonly rejects: readonly MessageReject[];
  /** Whether the message is complete: each of its records has its row, or was withdrawn. */
  readonly isLast: boolean;
}

/** A line that is not a record. */
export interface MessageReject {
  /** The line's number in the message, from 1. */
  readonly line: number;
  /** A stable code, as in `RecordReject`. */
  readonly code: string;
  readonly reason: string;
}

/** Messages that are read together. */
interface Group<M> {
  readonly messages: readonly HeldMessage<M>[];
  /** Number of lines in all earlier groups. */
  readonly linesBefore: number;
  /** Only for messages of one line each: the number of lines already assigned to a record or a reject. */
  lines: number;
  /** Only for messages of one line each: the numbers of the rejected lines in this group, from 1. */
  readonly rejected: Set<number>;
}

/** Approximate memory of a message in progress besides its bytes and the copies of records that wait. */
const messageOverhead = 512;
/** Memory of the messages that are not read yet, above which there is no room. More of them would not make the engine faster. */
const mostQueuedBytes = 2 * 1_048_576;
/** Maximum number of row buffers of `pieceBytes` (512 KiB) that are kept for reuse: 16 MiB in total. */
const mostSpareRows = 32;

/** Decides messages; see `decideMessages`. */
export class MessageDecider<M> {
  /** Resolves when the run has ended after `end` or `stop`; rejects with the error that ended it, such as one thrown by `onPart`. */
  readonly done: Promise<void>;
  readonly #options: DecideMessagesOptions<M>;
  readonly #engine: Engine;
  readonly #queue: MessageQueue<M>;
  readonly #held = new Map<M, HeldMessage<M>>();
  /** Sum of the `bytes` of all messages in progress. */
  #heldBytes = 0;
  readonly #mostBytes: number;
  /** Ends the waiting of the calls of `room`. */
  #onRoom: (() => void)[] = [];
  #isOver = false;
  readonly #rows: MessageRows<M>;
  readonly #rowMemory = new RowMemory(mostSpareRows);
  readonly #format: InputFormat;
  get #isSilent(): ((line: string) => boolean) | undefined {
    return this.#format.samples?.isSilent;
  }
  readonly #read: Omit<ReadOptions, "writer">;
  /** The group that is being read. */
  #group: Group<M> = { messages: [], linesBefore: 0, lines: 0, rejected: new Set() };

  constructor(given: DecideMessagesOptions<M>) {
    const options = (this.#options = readMessageOptions(given));
    const {
      resultKey = "robots",
      inputFormat = "ndjson",
      urlField = inputFormat === "ndjson" ? "url" : undefined,
    } = options;
    if (resultKey === "") throw wrong("resultKey", "must not be empty");
    const { onPart: _onPart, byAnswer: _byAnswer, resultKey: _resultKey, ...decideOptions } = options;
    const field = urlField === undefined ? {} : { urlField };
    const settings = streamSettingsOf({ ...decideOptions, inputFormat, ...field });
    const { engine, hasDialect, hasKind } = settings;
    if (engine.questionOptions.dialects.length > 1)
      throw wrong("dialects", "must be a single dialect, because a record has one row");
    if (options.byAnswer === true && engine.questions.length > 1)
      throw wrong("byAnswer", "needs a single agent, or agentField");
    this.#mostBytes = engine.parkBytes;
    this.#format = lineFormatNamed(inputFormat);
    const { format: _format, ...read } = settings.read;
    this.#read = { source: "message", lineEnd: "\n", ...read };
    this.#queue = new MessageQueue(joinsOf(this.#format));
    this.#rows = new MessageRows((held, rows, count) => this.#take(held, rows, count));
    const memberNames = memberNamesOf(options.members);
    const plain = ndjson.createWriter({ resultKey, hasDialect, hasKind, csvSafe: false, memberNames });
    const writer = options.byAnswer === true ? markingWriter(plain) : plain;
    this.#engine = new Engine({
      settings: { ...engine, rows: engine.questions.length > 1 ? "record" : "agent" },
      input: { stop: () => this.#queue.stop(), batches: (asked) => this.#batches(asked) },
      source: sourceOf(options.robots),
      writer,
      // With `byAnswer`, the program receives a buffer for each row, and does not return them for reuse.
      rowMemory: options.byAnswer === true ? undefined : this.#rowMemory,
      members: options.members,
      now: options.now,
      onRejects: () => undefined,
    });
    this.done = runExactly(this.#engine, this.#createOutput());
    // The caller may await `done` later. Without this handler, an earlier rejection would be unhandled and end the process.
    this.done.catch(() => undefined).finally(() => this.#giveUpRoom());
  }

  /** The counts of records so far. */
  get summary(): DecideSummary {
    return summaryOf(this.#engine);
  }

  /** Number of messages that are not complete. */
  get messages(): number {
    return this.#held.size;
  }

  /** Memory of the messages in progress, in bytes: their bytes, 512 bytes each, and copies of the records that wait for their robots.txt. */
  get heldBytes(): number {
    return this.#heldBytes + this.#engine.waitingBytes;
  }

  /**
   * Whether another message may be added: the messages in progress take less than the option `parkBytes`, and those that the engine has not
   * begun to read, because it is busy or because too many origins wait to be loaded, take less than 2 MiB.
   */
  get hasRoom(): boolean {
    return this.heldBytes < this.#mostBytes && this.#queue.bytes < mostQueuedBytes;
  }

  /** Resolves when there is room, or when the run has ended. Await it before each call of `add`: this bounds the memory. */
  async room(): Promise<void> {
    while (!this.hasRoom && !this.#isOver) await new Promise<void>((resolve) => this.#onRoom.push(resolve));
  }

  /**
   * Adds a message to the queue; it must not be in progress already. `value` has the message's bytes, which must not change before the
   * message is complete. No message is refused: the caller awaits `room`, or asks `hasRoom`, before each message.
   */
  add(message: M, value: Uint8Array): void {
    const held: HeldMessage<M> = {
      message,
      value,
      bytes: value.length + messageOverhead,
      isRead: false,
      open: 0,
      parked: undefined,
      isWithdrawn: false,
      records: 0,
      rejected: undefined,
    };
    this.#held.set(message, held);
    this.#heldBytes += held.bytes;
    this.#queue.push(held);
  }

  /**
   * Gives up the records of a message that are still in the queue or wait for their robots.txt, and returns the lines of these records.
   * `value` is the message's bytes. `onPart` receives the last part of the message before this method returns, unless some of its lines are
   * not yet read or some of its rows are still being built. Returns undefined for a message that is complete or was never added.
   */
  withdraw(message: M, value: Uint8Array): MessageLines | undefined {
    const held = this.#held.get(message);
    if (held === undefined) return undefined;
    if (this.#queue.remove(held)) {
      held.isRead = true;
      const all = linesOf(value, [], undefined, this.#isSilent);
      this.#give(held, none, 0, []);
      return all;
    }
    const places = withdrawRecords(held);
    const lines = linesOf(value, held.rejected ?? [], places, this.#isSilent);
    if (places.length > 0) this.#give(held, none, 0, []);
    return lines;
  }

  /**
   * Gives the memory of a part's `rows` back for reuse. Call this at most once for each part; do not read `rows` after it. Rows that are
   * never given back are garbage collected, which costs more. With `byAnswer`, this has no effect.
   */
  giveBack(rows: Buffer): void {
    this.#rowMemory.giveBack(rows);
  }

  /** Ends the input: `done` resolves when all messages are complete. */
  end(): void {
    this.#queue.end();
  }

  /** Stops the run; resolves when it has ended. Messages that wait stay incomplete. */
  async stop(): Promise<void> {
    this.#queue.end();
    this.#engine.stop();
    await this.done.catch(() => undefined);
  }

  /**
   * One reader reads all messages, so that its buffers are reused. Each chunk of its input is one group. The reader requests the next chunk
   * when it has read the previous one.
   */
  async *#batches(writer: RecordWriter): AsyncGenerator<Batch> {
    const from = await pointAfterFirst(this.#format, { ...this.#read, writer });
    for await (const batch of readWithBase(this.#format, this.#chunks(), { ...this.#read, writer, from })) {
      const { messages } = this.#group;
      yield messages.length === 1 ? this.#batchOf(messages[0]!, batch) : this.#batchOfMany(messages, batch);
    }
  }

  async *#chunks(): AsyncGenerator<Uint8Array> {
    for (let linesBefore = 0; ;) {
      const group = await this.#queue.take();
      if (group === undefined) return;
      this.#group = { messages: group.messages, linesBefore, lines: 0, rejected: new Set() };
      yield group.bytes;
      this.#tellRoom();
      for (const held of group.messages) {
        held.isRead = true;
        if (held.open === 0 && this.#held.has(held.message)) this.#give(held, none, 0, []);
      }
      linesBefore += group.lines;
    }
  }

  #batchOf(held: HeldMessage<M>, batch: Batch): Batch {
    const { linesBefore } = this.#group;
    this.#reject(
      held,
      batch.rejects.map(({ line, code, message }) => ({ line: line - linesBefore, code, reason: message })),
    );
    const tracker = this.#rows.trackerOf(held, held.records);
    const { count } = batch.records;
    held.records += count;
    held.open += count;
    return { ...batch, tracker };
  }

  /** Assigns the records and rejects of a batch to their messages, which have one line each. */
  #batchOfMany(messages: Group<M>["messages"], batch: Batch): Batch {
    const group = this.#group;
    for (const { line, code, message } of batch.rejects) {
      const at = line - group.linesBefore;
      group.rejected.add(at);
      this.#reject(messages[at - 1]!, [{ line: 1, code, reason: message }]);
    }
    const { count } = batch.records;
    const all: HeldMessage<M>[] = [];
    while (all.length < count) {
      group.lines++;
      if (group.rejected.has(group.lines)) continue;
      const held = messages[group.lines - 1]!;
      held.records = held.open = 1;
      all.push(held);
    }
    return { ...batch, tracker: this.#rows.trackerOf(all, 0) };
  }

  #reject(held: HeldMessage<M>, rejects: readonly MessageReject[]): void {
    if (rejects.length === 0) return;
    for (const { line } of rejects) (held.rejected ??= []).push(line);
    this.#tell({ message: held.message, rows: none, records: 0, rejects, isLast: false });
  }

  #take(held: HeldMessage<M>, rows: Buffer, count: number): void {
    if (held.isWithdrawn) return;
    this.#rowMemory.keep(rows);
    held.open -= count;
    this.#give(held, rows, count, []);
  }

  #give(held: HeldMessage<M>, rows: Buffer, records: number, rejects: readonly MessageReject[]): void {
    const isLast = held.isRead && held.open === 0;
    if (isLast) {
      this.#held.delete(held.message);
      this.#heldBytes -= held.bytes;
    }
    this.#tellRoom();
    this.#tell({ message: held.message, rows, records, rejects, isLast });
  }

  #tellRoom(): void {
    if (this.#onRoom.length > 0 && this.hasRoom) for (const resolve of this.#onRoom.splice(0)) resolve();
  }

  #giveUpRoom(): void {
    this.#isOver = true;
    for (const resolve of this.#onRoom.splice(0)) resolve();
  }

  #tell(part: MessagePart<M>): void {
    const { byAnswer, onPart } = this.#options;
    onPart(byAnswer === true ? { ...part, rows: none, answers: sortedRows(part.rows) } : part);
  }

  #createOutput(): Writable {
    return new Writable({
      objectMode: true,
      highWaterMark: 2,
      write: (piece: Buffer, _encoding, callback) => {
        try {
          this.#rows.take(piece);
          this.#rowMemory.giveBack(piece);
          callback();
        } catch (error) {
          callback(error as Error);
        }
      },
    });
  }
}

/**
 * Decides the records of messages, for programs that read from a queue. Messages share one engine: each origin is loaded once, and a
 * record that waits for its origin delays no other record.
 *
 *     const decider = decideMessages({ agents: "bingbot", robots, onPart: ({ message, rows, isLast }) => … });
 *     decider.add(message, message.value);
 *
 * Throws a `UsageError` at once for invalid options, as `decideStream` does.
 */
export function decideMessages<M>(options: DecideMessagesOptions<M>): MessageDecider<M> {
  return new MessageDecider(options);
}

const none = Buffer.alloc(0);
