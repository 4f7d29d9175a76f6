// Batches of records in, output rows out and counts kept: composes the stages, locate → group by origin → decide, for whoever runs them.
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AgentLocator } from "./locate/agent-locate.ts";
import { AgentQuestions } from "./locate/record-questions.ts";
import { Decider } from "./decide/decide.ts";
import { GroupStage } from "./decide/group.ts";
import type { Batch, Reject } from "./records/batch.ts";
import { type LocatedBatch, Locator } from "./locate/locate.ts";
import { OrderedRoom } from "./decide/order.ts";
import { type DecidedByParts, OriginTable } from "./origins/origins.ts";
import type { RecordWriter } from "./formats/types.ts";
import { ParkingRoom } from "./decide/park.ts";
import type { Question, QuestionOptions, TargetForm } from "./questions.ts";
import type { RobotsSource, SourcedRobots } from "./robots/types.ts";
import type { Shard } from "./shard.ts";
import { Spill } from "./records/spill.ts";
import { type Counts, Tally, takeCounts } from "./tally.ts";

/** What is asked of every record, and how much is held meanwhile. */
export interface EngineSettings {
  /** None with `agentField`. */
  readonly questions: readonly Question[];
  /** Where each record names the crawler that it is about, as a User-Agent header. */
  readonly agentField: string | undefined;
  readonly questionOptions: QuestionOptions;
  /** Only records on which the dialects disagree go out. */
  readonly onlyDifferences: boolean;
  readonly targetForm: TargetForm;
  readonly isOrdered: boolean;
  /** Memory for records that wait for their robots.txt, in bytes. */
  readonly parkBytes: number;
  /** Memory for matchers and what was made of them, in bytes. */
  readonly matcherBytes: number;
  /** The part of the origins that this run is about. */
  readonly shard: Shard | undefined;
  /** Loads of origins under way at once. */
  readonly concurrency: number;
  /** Whether that is counted too which costs time. */
  readonly countsAll: boolean;
}

/** Where records come from. */
export interface RecordInput {
  /** All batches; the engine counts their records and rejects. The heads are made by `writer`. */
  batches(writer: RecordWriter): AsyncIterable<Batch>;
  /** Ends `batches` soon, as if the input did. */
  stop(): void;
}

/** What an engine is put between. All of it is open, and what is not closed by itself whoever opened it closes. */
interface EngineOptions {
  readonly settings: EngineSettings;
  readonly input: RecordInput;
  /** Where robots.txt files come from. Not closed here. */
  readonly source: RobotsSource;
  /** Makes the rows. Its header is not written here. */
  readonly writer: RecordWriter;
  /** Takes pieces of rows, in object mode: a piece is a Buffer of whole rows. Ended here, or destroyed when the run fails. */
  readonly output: Writable;
  /** Takes the rejects; they are counted already. */
  onRejects(rejects: readonly Reject[]): Promise<void> | void;
  /**
   * Is told of each batch that was read, with its rejects taken and counted. What it gives is called when the rows of the
   * batch and of all before it have been made, with their bytes; only where the order is kept.
   */
  onRead?(batch: Batch): ((rowBytes: number) => void) | undefined;
  /** What was counted in an earlier part of the run. */
  readonly counts?: Counts | undefined;
  /** Is told of each origin once, when what holds for it is known. */
  onOrigin?(origin: string, robots: SourcedRobots): void;
  /** Is told what was decided about an origin before it is forgotten. */
  onForget?(origin: string, decided: DecidedByParts): void;
}

/** One run. Its counts may be read at any time. */
export class Engine {
  readonly tally: Tally;
  /** What was seen of origins, and which of them are under way. */
  readonly origins: OriginTable;
  readonly #options: EngineOptions;
  readonly #locator: Pick<Locator, "locate">;
  readonly #cut = new AbortController();
  readonly #spill: Spill;
  readonly #room: OrderedRoom | ParkingRoom;
  readonly #group: GroupStage;

  /** Composes; nothing is read before `run`. */
  constructor(options: EngineOptions) {
    this.#options = options;
    const { settings, source, writer, onOrigin, onForget } = options;
    const { onlyDifferences, targetForm, countsAll, concurrency, parkBytes, matcherBytes, shard } = settings;
    const tally = (this.tally = new Tally(settings.questions));
    const asksByRecord = settings.agentField !== undefined;
    const byRecord = asksByRecord ? new AgentQuestions(settings.questionOptions, tally) : undefined;
    const questions = byRecord?.all ?? settings.questions;
    if (options.counts !== undefined) {
      for (const { agent } of options.counts.questions) byRecord?.about(agent);
      takeCounts(tally, options.counts);
    }
    const { signal } = this.#cut;
    const origins = (this.origins = new OriginTable({
      source,
      questions,
      tally,
      concurrency,
      signal,
      shard,
      matcherBytes,
      asksByRecord,
      ...(onOrigin === undefined ? {} : { onLoaded: onOrigin }),
      ...(onForget === undefined ? {} : { onForget }),
    }));
    const decider = new Decider({
      questions,
      onlyDifferences,
      targetForm,
      countsAll,
      asksByRecord,
      writer,
      tally,
      origins,
    });
    const spill = (this.#spill = new Spill(settings.isOrdered ? parkBytes : 0));
    const room = { decider, tally, origins, maxBytes: parkBytes, spill };
    this.#room = settings.isOrdered ? new OrderedRoom(room) : new ParkingRoom(room);
    const group = (this.#group = new GroupStage(this.#room, origins));
    // Whatever fails destroys the stages, and then waits for an input that perhaps waits for more.
    group.once("close", () => {
      this.#cut.abort();
      options.input.stop();
    });
    this.origins.onReady = (state) => group.release(state);
    this.origins.onError = (error) => group.destroy(error instanceof Error ? error : new Error(String(error)));
    this.#locator =
      byRecord === undefined
        ? new Locator(this.origins, tally, shard)
        : new AgentLocator({ origins: this.origins, questions: byRecord, tally, shard });
  }

  /** Bytes of records that wait in memory for their robots.txt. */
  get waitingBytes(): number {
    return this.#room.waitingBytes;
  }

  /** Records that wait in a file. */
  get spilledRecords(): number {
    return this.#spill.count;
  }

  /** What the rows could not keep of the records, in sentences. */
  losses(): readonly string[] {
    return this.#options.writer.losses();
  }

  /** Runs to the end of the input. Rejects with what the input, the source or the output failed with. */
  async run(): Promise<void> {
    try {
      await pipeline(Readable.from(this.#locateAll(), { highWaterMark: 1 }), this.#group, this.#options.output);
    } finally {
      this.#spill.close();
      this.origins.close();
    }
  }

  /** Takes back a piece of rows that `output` is done with, for its memory to be used again. */
  giveBack(piece: Buffer): void {
    this.#group.giveBack(piece);
  }

  /** Ends the run with an error. */
  fail(error: Error): void {
    this.#group.destroy(error);
  }

  /** Stops reading and loading. What is decided still comes out, the rest is dropped and counted; `run` resolves then. */
  stop(): void {
    this.#cut.abort();
    this.#options.input.stop();
    this.#group.stop();
  }

  /** Reading and locating, with rejects told on the way. */
  async *#locateAll(): AsyncGenerator<LocatedBatch> {
    const { input, writer } = this.#options;
    const { tally } = this;
    for await (const batch of input.batches(writer)) {
      const records = batch.packed?.count ?? batch.heads.length;
      tally.records += records + batch.rejects.length;
      if (batch.rejects.length > 0) {
        await this.#options.onRejects(batch.rejects);
        tally.rejects += batch.rejects.length;
      }
      const located = this.#locator.locate(batch);
      const onDecided = this.#options.onRead?.(batch);
      if (onDecided !== undefined) yield { ...located, onDecided };
      else if (located.count > 0) yield located;
    }
  }
}
