// Settings, an input and a source of robots.txt in, the stages of a run and its counts out. The caller joins the stages in one pipeline:
//
//     pipeline(engine.read, engine.locate, engine.decide, output)
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { FieldCarrier } from "../decide/record-members.ts";
import { Crawlers, type QuestionOptions } from "../questions/questions.ts";
import { Decider } from "../decide/decide.ts";
import type { DeciderOptions } from "../decide/decider-options.ts";
import { type Generation, Generations } from "../decide/generations.ts";
import { GroupStage, createWriteStage, type WriteStageOptions } from "./stages.ts";
import type { Batch, Reject } from "../records/batch.ts";
import type { PackedRecords } from "../records/packed.ts";
import { Locator, type LocatedBatch, type LocatorOptions } from "../locate/locate.ts";
import type { TimeWindow } from "../common/times.ts";
import type { DecidedByParts } from "../origins/matcher-cache.ts";
import { OriginTable, type OriginTableOptions } from "../origins/origins.ts";
import { createSharedSource } from "../origins/load-queue.ts";
import type { RecordWriter } from "../formats/types.ts";
import { WaitingQueue } from "../decide/waiting-queue.ts";
import type { RecordVersions } from "../robots/history/as-of.ts";
import type { RobotsSource, SourcedRobots } from "../robots/in-force.ts";
import { RowMemory } from "../records/row-memory.ts";
import { countsAsRecord } from "../sources/first-urls.ts";
import { Spill } from "../records/spill.ts";
import { type Counts, Tally } from "../origins/tally.ts";

/** The settings of a run: the questions about every record (none with `agentField`), the rows to output, and the limits. */
export interface EngineSettings
  extends
    Pick<DeciderOptions, "questions" | "rows" | "onlyDifferences" | "only" | "targetForm" | "countsAll">,
    Pick<OriginTableOptions, "shard" | "concurrency" | "mostOrigins"> {
  /** The field with the User-Agent header, which names the crawler of each record; undefined: every record has all `questions`. */
  readonly agentField: string | undefined;
  readonly questionOptions: QuestionOptions;
  /** Records whose time is outside this window are left out; undefined: none are. With a window, the input must provide the times. */
  readonly window?: TimeWindow | undefined;
  readonly isOrdered: boolean;
  /** Memory limit for records that wait for their robots.txt, in bytes. */
  readonly parkBytes: number;
  /** Memory limit for matchers and row tails, in bytes. */
  readonly matcherBytes: number;
}

/** The input of records. */
export interface RecordInput {
  /** All batches of the input. `writer` builds the heads of the records. The engine counts records and rejects. */
  batches(writer: RecordWriter): AsyncIterable<Batch>;
  /** Makes `batches` end soon, as if the input ended. */
  stop(): void;
}

/** The parts of a run. The caller opens all of them, and closes the ones that do not close themselves. */
export interface EngineOptions
  extends
    Pick<DeciderOptions, "writer" | "objects" | "members">,
    Pick<OriginTableOptions, "now">,
    Pick<LocatorOptions, "logClock"> {
  readonly settings: EngineSettings;
  readonly input: RecordInput;
  /** The source of robots.txt files. */
  readonly source: RobotsSource;
  /**
   * The versions of robots.txt files by time. With them, records are decided by the version of their time, and nothing is loaded from
   * `source`. The input must provide the times.
   */
  readonly asOf?: RecordVersions | undefined;
  /** The memory of rows, if the caller returns row buffers to it. */
  readonly rowMemory?: RowMemory | undefined;
  /** Receives the rejects of each batch that has some. The engine awaits the promise. */
  onRejects(rejects: readonly Reject[]): Promise<void> | void;
  /**
   * Called for each batch, after its rejects were passed on and counted. In ordered runs, the returned function is called when the rows of
   * this batch and of all earlier ones are built; its argument is the number of bytes of all rows so far.
   */
  onRead?(batch: Batch): ((rowBytes: number) => void) | undefined;
  /** The counts of an earlier part of the run, which this part continues. */
  readonly counts?: Counts | undefined;
  /** Called for each origin with its result, and again with each later result from the network. */
  onOrigin?(origin: string, robots: SourcedRobots): void;
  /** Called with the decisions about an origin before its matchers are freed. */
  onForget?(origin: string, decided: DecidedByParts): void;
}

/** The stages of one run. Its counts may be read at any time. */
export class Engine {
  readonly tally: Tally;
  /**
   * The third stage, a Transform in object mode: located batches in, pieces of rows out. A piece is a Buffer of whole rows. Records wait in
   * this stage until the robots.txt of their origin is loaded.
   */
  readonly decide: GroupStage;
  readonly #options: EngineOptions;
  readonly #abort = new AbortController();
  readonly #carrier: FieldCarrier | undefined;
  readonly #generations: Generations;
  readonly #rowMemory: RowMemory;
  readonly #earlierClockTimes: number;

  /** Connects the parts. Nothing is read or loaded before the stages run. */
  constructor(options: EngineOptions) {
    this.#options = options;
    const {
      settings,
      source,
      asOf,
      writer,
      objects,
      rowMemory = new RowMemory(),
      members,
      onOrigin,
      onForget,
      logClock,
    } = options;
    const { isOrdered, parkBytes, shard, agentField } = settings;
    this.#rowMemory = rowMemory;
    const tally = (this.tally = new Tally(settings.questions));
    const crawlers =
      agentField === undefined ? undefined : new Crawlers(settings.questionOptions, (asked) => tally.ask(asked));
    const questions = crawlers?.questions ?? settings.questions;
    if (options.counts !== undefined) {
      for (const { agent } of options.counts.questions) crawlers?.firstAbout(agent);
      tally.take(options.counts);
    }
    this.#earlierClockTimes = tally.clockTimes;
    const shared = createSharedSource(source);
    const createGeneration = (earlier: OriginTable | undefined): Generation => {
      const origins: OriginTable = new OriginTable({
        ...settings,
        earlier,
        now: options.now,
        // With members per record, each agent has a tail of its own, to which its members are added, also when a record has a single row; so it is with objects.
        rows: members === undefined && objects === undefined ? settings.rows : undefined,
        source: shared,
        asOf,
        questions,
        crawlers,
        tally,
        signal: this.#abort.signal,
        onLoaded: onOrigin?.bind(options),
        onForget: onForget?.bind(options),
        onReady: (state) => this.decide.release(state, queue),
        onError: (error) => this.fail(error instanceof Error ? error : new Error(String(error))),
      });
      const { matchers } = origins;
      const questionsEach = crawlers?.questionsEach;
      const decider = new Decider({
        ...settings,
        questions,
        questionsEach,
        writer,
        tally,
        matchers,
        origins,
        members,
        objects,
      });
      const spill = new Spill(isOrdered ? parkBytes : 0);
      const queue: WaitingQueue = new WaitingQueue({ decider, tally, origins, isOrdered, maxBytes: parkBytes, spill });
      const locator = new Locator({ origins, tally, shard, crawlers, window: settings.window, asOf, logClock });
      return { origins, locator, queue, decider, spill };
    };
    const generations = (this.#generations = new Generations(createGeneration, isOrdered));
    this.#carrier = members === undefined ? undefined : new FieldCarrier(members);
    const isCrowded = (): boolean => generations.origins.isCrowded;
    const group = (this.decide = new GroupStage({ queue: generations, isCrowded, memory: rowMemory }));
    // An error destroys the stages. The pipeline then waits for the end of `read`, which may wait for input that never arrives.
    group.once("close", () => this.#stopReading());
  }

  /** The decisions about all origins whose states are not evicted. */
  *decided(): ReturnType<OriginTable["decided"]> {
    for (const table of this.#generations.tables) yield* table.decided();
  }

  /** Loads in progress, including loads that wait for a server. */
  get underWay(): number {
    return this.#generations.tables.reduce((count, { underWay }) => count + underWay, 0);
  }

  /** Estimated memory of matchers and row tails, in bytes. */
  get matcherBytes(): number {
    return this.#generations.tables.reduce((bytes, { matchers }) => bytes + matchers.bytes, 0);
  }

  /** Bytes of records that wait in memory for their robots.txt. */
  get waitingBytes(): number {
    return this.#generations.waitingBytes;
  }

  /** Number of records that wait in a file. */
  get spilledRecords(): number {
    return this.#generations.spilledRecords;
  }

  /** Creates the last stage of a pipeline: it writes the rows to `stream`, and returns their buffers to the memory of rows. */
  outputTo(stream: Writable, options: Omit<WriteStageOptions, "headerOf" | "memory">): Writable {
    return createWriteStage(stream, { ...options, headerOf: this.#options.writer.header, memory: this.#rowMemory });
  }

  /** The first stage: the batches of the input. Counts records and rejects, and passes rejects to `onRejects`. */
  readonly read = (): AsyncIterable<Batch> => this.#read();

  /** The second stage: finds the origin, target and crawler of each record, and starts loading new origins. */
  readonly locate = (batches: AsyncIterable<Batch>): AsyncIterable<LocatedBatch> => this.#locate(batches);

  /** Destroys the third stage with an error, so that the pipeline fails with this error. */
  fail(error: Error): void {
    this.decide.destroy(error);
  }

  /**
   * Stops reading and loading. The rows of ready records are still written, within the time limit of `GroupStage.stop`; all other records
   * are counted as not decided. The pipeline then ends.
   */
  stop(): void {
    this.#stopReading();
    this.decide.stop();
  }

  /** Frees memory and removes temporary files. Call when the pipeline has ended. */
  close(): void {
    this.#countClockTimes();
    this.#generations.close();
    for (const members of this.#options.members ?? []) members.end?.();
  }

  #countClockTimes(): void {
    this.tally.clockTimes = this.#earlierClockTimes + (this.#options.logClock?.conversions ?? 0);
  }

  #stopReading(): void {
    this.#abort.abort();
    this.#options.input.stop();
  }

  async *#read(): AsyncGenerator<Batch> {
    const { input, writer } = this.#options;
    const { tally } = this;
    for await (const batch of input.batches(writer)) {
      const { records, rejects } = batch;
      if (writer.headOfUrl !== undefined) setHeads(records, writer.headOfUrl);
      tally.records += records.count + rejects.length;
      if (rejects.length > 0) {
        await this.#options.onRejects(rejects);
        tally.rejects += rejects.length;
        for (const reject of rejects) if (countsAsRecord(reject)) tally.noUrl++;
      }
      yield batch;
      this.#countClockTimes();
    }
  }

  async *#locate(batches: AsyncIterable<Batch>): AsyncGenerator<LocatedBatch> {
    for await (const batch of batches) {
      await this.#carrier?.take(batch);
      const located = this.#generations.locate(batch);
      const onDecided = this.#options.onRead?.(batch);
      if (onDecided !== undefined) yield this.#generations.send({ ...located, onDecided });
      else if (located.count > 0) yield this.#generations.send(located);
      else located.recycle?.();
    }
  }
}

/** Replaces the heads of records by heads that `headOf` makes of the URLs. */
function setHeads(records: PackedRecords, headOf: (url: string) => string): void {
  records.replaceHeads(Array.from({ length: records.count }, (_, record) => headOf(records.urlOf(record))));
}

/** Runs an engine whose rows go to `output`, and closes it. Rejects with the error of the input, the source or the output. */
export async function runEngine(engine: Engine, output: Writable): Promise<void> {
  try {
    await pipeline(engine.read, engine.locate, engine.decide, output);
  } finally {
    engine.close();
  }
}
