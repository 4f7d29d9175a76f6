// Answers frames of URLs with frames of decisions. One engine decides the rows of all frames in order. Its output is then split into one
// answer for each frame.
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  Engine,
  openSavedSource,
  outputFormats,
  type Question,
  type QuestionOptions,
  type RecordWriter,
  type TargetForm,
  type UsedFiles,
} from "@robots-stream/engine/internal";
import type { InputRun } from "../../cli/command-body.ts";
import { sayMistypedNames, sayWholeNames } from "../../cli/name-notes.ts";
import { packedOf, answerHeadOf, type Frame, framesOf, countLines, partsOf } from "./frames.ts";
import type { IoError } from "@robots-stream/engine";
import { writeText } from "../../cli/ending.ts";
import { createNoRowsWriter } from "../../cli/read-records.ts";

/** The settings for answers with decisions. */
export interface DecidingSettings {
  readonly robotsPath: string;
  readonly maxBytes: number;
  /** The questions for each row, one for each crawler and dialect; empty if `hasAgents` is true. */
  readonly questions: readonly Question[];
  readonly questionOptions: QuestionOptions;
  /** The values of `--agents`: names of sets of crawlers, and names of files with crawlers. */
  readonly agentSets: readonly string[];
  /** Whether rows have a second column with a User-Agent header. Each row is then decided for the crawler that its header names. */
  readonly hasAgents: boolean;
  readonly targetForm: TargetForm;
}

interface DecidingSurroundings extends InputRun {
  readonly stdout: Writable;
  readonly used: UsedFiles;
}

const answerColumns = ["agent", "allowed", "because", "group", "rule", "line", "origin", "code"] as const;

/** A request frame whose answer is not written yet. */
interface Asked {
  readonly frame: Frame;
  /** Offset after the frame's last row in the output of the engine; undefined until the frame's rows are made. */
  end: number | undefined;
}

/** The bytes of unanswered frames above which no further frame is read, and the memory of a frame besides its bytes. */
const mostAskedBytes = 8 * 1_048_576;
const frameBytes = 1_024;

/** Memory limits, equal to the defaults of the command without a name. */
const parkBytes = 64 * 1_048_576;
const matcherBytes = 256 * 1_048_576;

/**
 * Answers frames until stdin ends. Rejects with a `UsageError` for unusable settings, with an `IoError` for a damaged frame, and with the
 * signal's reason.
 */
export async function answerDecisions(settings: DecidingSettings, surroundings: DecidingSurroundings): Promise<void> {
  const { robotsPath, maxBytes, questions, questionOptions, hasAgents, targetForm, agentSets } = settings;
  const { stdin, stdout, used, say, signal } = surroundings;
  sayMistypedNames(
    questions.map(({ agent }) => agent),
    say,
    questionOptions.crawlers,
  );
  sayWholeNames(questions, say, agentSets);
  // A program that asks could not tell the answer about a damaged entry from the answer about an origin that is not saved.
  const onDamaged = (_origin: string, error: IoError): never => {
    throw error;
  };
  const source = await openSavedSource(robotsPath, { maxBytes, warn: say, onDamaged, used, signal });
  const cut = new AnswerCutter(stdout, hasAgents ? 1 : questions.length);
  const engine: Engine = new Engine({
    settings: {
      questions,
      agentField: hasAgents ? "user_agent" : undefined,
      questionOptions,
      onlyDifferences: false,
      targetForm,
      isOrdered: true,
      parkBytes,
      matcherBytes,
      shard: undefined,
      concurrency: 1,
      countsAll: false,
    },
    input: {
      async *batches() {
        for await (const frame of framesOf(stdin, hasAgents ? 2 : 1)) {
          await cut.add(frame);
          yield { records: packedOf(frame), rejects: [] };
        }
      },
      stop() {
        stdin.destroy();
        cut.stop();
      },
    },
    source,
    writer: createAnswerWriter(),
    onRejects: () => undefined,
    onRead: () => cut.endOfLast(),
  });
  const stop = (): void => engine.fail(new Error("stopped"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    await pipeline(engine.read, engine.locate, engine.decide, cut.output);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    engine.close();
    await source.close();
  }
}

/** Creates a writer whose rows contain only the columns of the answer, as lines of CSV. */
function createAnswerWriter(): RecordWriter {
  const csv = outputFormats
    .find(({ name }) => name === "csv")!
    .createWriter({ resultKey: "", hasDialect: false, hasKind: false, csvSafe: false });
  return {
    ...createNoRowsWriter(),
    // The ending of a CSV row begins with the delimiter between head and ending, which is removed because these rows have an empty head. It
    // ends with a line feed; a code is never quoted.
    tailOf: (answer) => `${csv.tailOf(answer).slice(1, -1)},${answer.code ?? ""}\n`,
  };
}

const empty = `${",".repeat(answerColumns.length - 1)}\n`;

/** Splits the output of the engine into answers. Writes the answer to a frame when the frame's last row has arrived at `output`. */
class AnswerCutter {
  readonly output: Writable;
  readonly #stdout: Writable;
  readonly #each: number;
  readonly #asked: Asked[] = [];
  #askedBytes = 0;
  /** Lets the waiting `add` look at `#askedBytes` again. */
  #wake: (() => void) | undefined;
  #isStopped = false;
  #pieces: Buffer[] = [];
  #heldBytes = 0;
  /** Number of bytes of the engine's output that belong to answers already written. */
  #written = 0;
  /** Settles when the answers that were ready at the last call of `#writeReady` are written. */
  #writing: Promise<void> = Promise.resolve();

  constructor(stdout: Writable, each: number) {
    this.#stdout = stdout;
    this.#each = each;
    this.output = new Writable({
      objectMode: true,
      highWaterMark: 2,
      write: (rows: Buffer, _encoding, callback) => {
        this.#pieces.push(rows);
        this.#heldBytes += rows.length;
        this.#writeReady().then(() => callback(), callback);
      },
      final: (callback) => {
        this.#writeReady().then(() => callback(), callback);
      },
    });
  }

  /** Adds a frame. First waits, until `stop` is called, while the frames without a written answer have more than `mostAskedBytes`. */
  async add(frame: Frame): Promise<void> {
    while (this.#askedBytes > mostAskedBytes && !this.#isStopped) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    this.#asked.push({ frame, end: undefined });
    this.#askedBytes += frame.bytes.length + frameBytes;
  }

  /** Ends the wait of `add`. */
  stop(): void {
    this.#isStopped = true;
    this.#wake?.();
  }

  /** Returns the callback that takes the end of the last added frame's rows in the output of the engine. */
  endOfLast(): (rowBytes: number) => void {
    const last = this.#asked.at(-1)!;
    return (rowBytes) => {
      last.end = rowBytes;
      // The rows of the frame may have arrived already, or there are none.
      this.#writeReady().catch((error: unknown) => this.output.destroy(error as Error));
    };
  }

  /** Writes the answers that are ready, after the answers of earlier calls. */
  #writeReady(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    for (;;) {
      const end = this.#asked[0]?.end;
      if (end === undefined || end > this.#written + this.#heldBytes) return;
      const { frame } = this.#asked.shift()!;
      for (const part of this.#answerOf(frame, end - this.#written)) await writeText(this.#stdout, part);
      this.#askedBytes -= frame.bytes.length + frameBytes;
      this.#wake?.();
    }
  }

  /** Removes the first `length` bytes from the engine's output, and returns them in pieces of whole lines. */
  #take(length: number): Buffer[] {
    const taken: Buffer[] = [];
    let rest = length;
    while (rest > 0) {
      const [first] = this.#pieces as [Buffer];
      taken.push(first.subarray(0, rest));
      if (first.length > rest) this.#pieces[0] = first.subarray(rest);
      else this.#pieces.shift();
      rest -= taken.at(-1)!.length;
    }
    this.#heldBytes -= length;
    this.#written += length;
    return taken;
  }

  /** Makes an answer of the next `length` bytes of the engine's output, which are the rows of the frame. */
  #answerOf({ rows, columns }: Frame, length: number): Generator<Buffer> {
    const urls = columns[0]!;
    let missing = 0;
    for (let row = 0; row < rows; row++) if (!urls.has(row)) missing++;
    const each = this.#each;
    const pieces = this.#take(length);
    const count = pieces.reduce((lines, piece) => lines + countLines(piece), missing * each);
    if (count !== rows * each) throw new Error(`a bug: ${count} answers to ${rows} rows and ${each} agents`);
    const blank = Buffer.from(empty.repeat(each));
    const head = answerHeadOf(rows, count, length + missing * blank.length);
    return partsOf({ head, pieces, urls, rows, each, blank });
  }
}
