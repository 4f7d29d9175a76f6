// Runs the engine in worker threads. The main thread cuts the text of the sources into units, and merges the rows and counts of the
// workers. It also loads each robots.txt from the network, once for all workers.
import "@robots-stream/fetch/internal";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Input } from "../sources/open.ts";
import type { Batch, InputFormat, ReadOptions, Reject } from "../records/batch.ts";
import { noRecords } from "../records/packed.ts";
import type { RecordWriter, WriterKnowledge } from "../formats/types.ts";
import type { RobotsSource, SourcedRobots } from "../robots/types.ts";
import type { Collected } from "../counts/collect.ts";
import type { Tally } from "../tally.ts";
import { cut } from "./cut.ts";
import { errorOf } from "./errors.ts";
import type { FromWorker, SentRows, Unit, WorkerReport, WorkerSettings } from "./messages.ts";
import { OriginLoads } from "./origin-loads.ts";
import { SumTally } from "./sum-tally.ts";
import { UnitLine } from "./unit-line.ts";
import { WorkerThread, unitSlots } from "./worker-thread.ts";

/** The input, source and output that a pool connects. */
export interface PoolOptions {
  readonly count: number;
  readonly settings: WorkerSettings;
  readonly input: Pick<Input, "batches" | "stop">;
  /** The source of robots.txt files that the workers do not open themselves. The caller closes it. */
  readonly source: RobotsSource;
  /** Creates a writer for the format of the output. */
  readonly createWriter: (known?: WriterKnowledge) => RecordWriter;
  /** The writer of the output's header. */
  readonly writer: RecordWriter;
  /** The stream that receives all rows. The pool ends it, or destroys it when the run fails. */
  readonly output: Writable;
  onRejects(rejects: readonly Reject[]): Promise<void> | void;
  onOrigin?(origin: string, robots: SourcedRobots): void;
  say(sentence: string): void;
}

/** Bytes of unwritten rejects at which reading pauses. */
const mostRejectBytesWaiting = 8_388_608;
/** Estimated bytes of a reject in addition to its text. */
const rejectOverhead = 200;

const nothing: Batch = { records: noRecords(), rejects: [] };

/** The workers of one run. */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #sum: SumTally;
  readonly #loads: OriginLoads;
  readonly #line: UnitLine;
  readonly #threads: readonly WorkerThread[];
  readonly #cut = new AbortController();
  readonly #said = new Set<string>();
  readonly #collected: (Collected | undefined)[] = [];
  /** The promises of the last write of rows and of the last report of rejects. Each waits for the previous one, which keeps the order. */
  #rowsWritten: Promise<void> = Promise.resolve();
  #rejectsTaken: Promise<void> = Promise.resolve();
  #rejectBytesWaiting = 0;
  #fail: (error: unknown) => void = () => undefined;
  readonly #failed: Promise<never>;
  #onChange: () => void = () => undefined;
  /** Index of the worker that reads the units that have to be read in order. */
  #inOrder = 0;
  #isStopped = false;

  /** Creates and starts the workers. */
  constructor(options: PoolOptions) {
    this.#options = options;
    const { count, settings, source, onOrigin } = options;
    this.#sum = new SumTally(settings.questions, settings.questionOptions, count);
    const { tally } = this.#sum;
    this.#loads = new OriginLoads({ source, tally, signal: this.#cut.signal, onOrigin });
    this.#failed = new Promise((_resolve, reject) => (this.#fail = reject));
    this.#failed.catch(() => undefined);
    options.output.on("error", this.#fail);
    this.#line = new UnitLine({
      workers: count,
      isOrdered: settings.isOrdered,
      onRows: (rows, worker) => this.#write(rows, worker),
      onRejects: (rejects) => this.#reject(rejects),
    });
    this.#threads = Array.from({ length: count }, (_, at) => this.#start(at));
  }

  get tally(): Tally {
    return this.#sum.tally;
  }

  /** Number of loads in progress. */
  get underWay(): number {
    return this.#loads.underWay;
  }

  /** Always empty: the decisions about origins are in the workers. */
  decided(): readonly [] {
    return [];
  }

  /** Counts for reports, of the workers that have ended. */
  get collected(): readonly Collected[] {
    return this.#collected.filter((each) => each !== undefined);
  }

  /** Bytes of records that wait in memory for their robots.txt. */
  get waitingBytes(): number {
    return this.#threads.reduce((sum, { report }) => sum + (report?.waitingBytes ?? 0), 0);
  }

  /** Number of records that wait in files. */
  get spilledRecords(): number {
    return this.#threads.reduce((sum, { report }) => sum + (report?.spilledRecords ?? 0), 0);
  }

  /** Sentences about fields that the writers could not write, for all workers together. */
  losses(): readonly string[] {
    const all = this.#threads.map(({ findings }) => findings?.writer ?? {});
    return this.#options
      .createWriter({
        columns: this.#options.writer.known().columns,
        lostNames: [...new Set(all.flatMap(({ lostNames = [] }) => lostNames))],
        recordsWithLosses: all.reduce((sum, { recordsWithLosses = 0 }) => sum + recordsWithLosses, 0),
      })
      .losses();
  }

  /** Runs to the end of the input. Rejects with the error of the input, the source, the output or a worker. */
  async run(): Promise<void> {
    const { input, output } = this.#options;
    try {
      await Promise.race([this.#work(), this.#failed]);
    } catch (error) {
      output.destroy();
      throw error;
    } finally {
      this.#isStopped = true;
      this.#onChange();
      this.#cut.abort();
      input.stop();
      this.#loads.close();
      await Promise.all(this.#threads.map((thread) => thread.terminate()));
    }
  }

  /** Stops reading and loading. Decided records are still written, others are counted as not decided; then `run` resolves. */
  stop(): void {
    this.#isStopped = true;
    this.#onChange();
    this.#cut.abort();
    this.#options.input.stop();
    for (const thread of this.#threads) thread.post({ type: "stop" });
  }

  /** Ends the run with an error. */
  fail(error: Error): void {
    this.#fail(error);
  }

  async #work(): Promise<void> {
    const { input, writer, output } = this.#options;
    for await (const _batch of input.batches(writer, (...source) => this.#read(...source)));
    for (const thread of this.#threads) thread.post({ type: "end" });
    await this.#until(() => this.#threads.every(({ findings }) => findings !== undefined));
    await this.#rowsWritten;
    await this.#rejectsTaken;
    output.end();
    await finished(output, { readable: false });
  }

  /** Sends the units of a source to the workers. */
  async *#read(format: InputFormat, chunks: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<Batch> {
    const { createWriter, writer, say } = this.#options;
    const probe = createWriter({ columns: writer.known().columns });
    const onInOrder = (line: number): void =>
      say(`${options.source}:${line}: from here on one worker reads the rest of the file, in order`);
    for await (const unit of cut(chunks, { ...options, format, writer: probe, onInOrder })) {
      const { columns } = probe.known();
      if (columns !== undefined && writer.known().columns === undefined) writer.startRows(columns, undefined);
      await this.#give(unit);
      // This empty batch shows the caller that reading of the source has begun.
      yield nothing;
    }
  }

  /**
   * Sends a unit to the worker with the smallest load (units in flight plus unread units), or, when the unit continues a text, to the
   * worker that has the text before the unit. Waits until the worker has room.
   */
  async #give(unit: Unit): Promise<void> {
    const load = (at: number): number => this.#threads[at]!.unitsInFlight + this.#line.unreadOf(at);
    const least = (): number => this.#threads.reduce((best, _, at) => (load(at) < load(best) ? at : best), 0);
    const chosen = (): number => (unit.start === undefined ? this.#inOrder : least());
    const canTake = (at: number): boolean =>
      this.#threads[at]!.unitsInFlight < unitSlots && this.#line.unreadOf(at) < unitSlots;
    await this.#until(
      () => this.#isStopped || (this.#rejectBytesWaiting <= mostRejectBytesWaiting && canTake(chosen())),
    );
    if (this.#isStopped) return;
    const at = chosen();
    if (unit.end === "more") this.#inOrder = at;
    this.#line.send(at);
    this.#threads[at]!.sendUnit(unit);
  }

  #start(at: number): WorkerThread {
    const thread = new WorkerThread(this.#options.settings, at + 1, {
      onMessage: (message) => this.#take(at, thread, message),
      onFailure: this.#fail,
    });
    return thread;
  }

  #take(at: number, thread: WorkerThread, message: FromWorker): void {
    switch (message.type) {
      case "rows":
        this.#line.rows(at, message.rows);
        break;
      case "free":
        thread.freeUnit(message.slot);
        break;
      case "read":
        this.#report(at, thread, message.report);
        this.#line.read(at, message.report.rejects);
        break;
      case "done":
        this.#line.done(at);
        break;
      case "load":
        void this.#load(thread, message.origin);
        break;
      case "say":
        // Every worker reports the same problem of saved files, so a repeated sentence is dropped.
        if (!this.#said.has(message.sentence)) this.#options.say(message.sentence);
        this.#said.add(message.sentence);
        break;
      case "failed":
        this.#fail(errorOf(message.error));
        break;
      case "ended":
        this.#report(at, thread, message.report);
        thread.findings = message.findings;
        this.#collected.push(this.#sum.end(at, message.findings));
        this.#line.end(at, message.report.rejects);
    }
    this.#onChange();
  }

  #report(at: number, thread: WorkerThread, report: WorkerReport): void {
    thread.report = report;
    this.#sum.take(at, report.counts);
    if (this.#options.settings.robotsPath !== undefined) for (const each of report.origins) this.#loads.report(each);
  }

  async #load(thread: WorkerThread, origin: string): Promise<void> {
    try {
      thread.post({ type: "loaded", loaded: await this.#loads.load(origin) });
    } catch (error) {
      if (!this.#cut.signal.aborted) this.#fail(error);
    }
  }

  #write(sent: SentRows, at: number): void {
    const { output } = this.#options;
    const thread = this.#threads[at]!;
    const rows = thread.rowsOf(sent);
    const write = async (): Promise<void> => {
      await this.#rowsWritten;
      await new Promise<void>((resolve, reject) =>
        output.write(rows, (error) => (error === null || error === undefined ? resolve() : reject(error))),
      );
      thread.post({ type: "taken", slot: sent.slot });
    };
    this.#rowsWritten = write();
    this.#rowsWritten.catch(this.#fail);
  }

  #reject(rejects: readonly Reject[]): void {
    const bytes = rejects.reduce((sum, { text }) => sum + text.length + rejectOverhead, 0);
    this.#rejectBytesWaiting += bytes;
    const take = async (): Promise<void> => {
      await this.#rejectsTaken;
      await this.#options.onRejects(rejects);
      this.#rejectBytesWaiting -= bytes;
      this.#onChange();
    };
    this.#rejectsTaken = take();
    this.#rejectsTaken.catch(this.#fail);
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => (this.#onChange = resolve));
  }
}
