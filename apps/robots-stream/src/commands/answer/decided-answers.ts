// Answers frames of URLs with frames of decisions. One engine decides the rows of all frames in order. Its output is then split into one
// answer for each frame.
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  Engine,
  type InputStream,
  openSavedSource,
  outputFormats,
  packedOfColumns,
  type RecordWriter,
  sayMistypedNames,
  sayWholeNames,
  type UsedFiles,
} from "@robots-stream/engine/internal";
import { writeText } from "../../shell/ending.ts";
import { createNoRowsWriter } from "../../shell/no-rows-writer.ts";
import type { DecidingSettings } from "./flags.ts";
import { answerHeadOf, type Frame, framesOf } from "./frames.ts";
import { countLines, withEmptyLines } from "./lines.ts";

/** Arguments of `answerDecisions` besides the settings. */
export interface DecidingSurroundings {
  readonly stdin: InputStream;
  readonly stdout: Writable;
  readonly used: UsedFiles;
  readonly say: (sentence: string) => void;
  readonly signal: AbortSignal | undefined;
}

/** The columns of the CSV lines in an answer. */
const answerColumns = ["agent", "allowed", "because", "group", "rule", "line", "origin"] as const;

/** A request frame whose answer is not written yet. */
interface Asked {
  readonly frame: Frame;
  /** Offset after the frame's last row in the output of the engine; undefined until the frame's rows are made. */
  end: number | undefined;
}

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
  sayMistypedNames(questions, say, questionOptions.crawlers);
  sayWholeNames(questions, say, agentSets);
  const source = await openSavedSource(robotsPath, { maxBytes, warn: say, used, signal });
  const asked: Asked[] = [];
  const cut = new AnswerCutter(asked, stdout, hasAgents ? 1 : questions.length);
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
        for await (const frame of framesOf(stdin, [hasAgents ? 2 : 1])) {
          const { bytes, rows, columns } = frame;
          asked.push({ frame, end: undefined });
          const packed = packedOfColumns(bytes, rows, { url: columns[0]!, agent: columns[1] });
          yield { heads: [], urls: [], rejects: [], packed };
        }
      },
      stop: () => void stdin.destroy(),
    },
    source,
    writer: createAnswerWriter(),
    onRejects: () => undefined,
    onRead() {
      const last = asked.at(-1)!;
      return (rowBytes) => {
        last.end = rowBytes;
        cut.tell();
      };
    },
  });
  const stop = (): void => engine.fail(new Error("stopped"));
  signal?.addEventListener("abort", stop, { once: true });
  try {
    await pipeline(engine.read, engine.locate, engine.decide, cut.output);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
    engine.close();
    await source.close();
  }
}

/** Creates a writer whose rows contain only the columns of the answer, as lines of CSV. */
function createAnswerWriter(): RecordWriter {
  const csv = outputFormats
    .find(({ name }) => name === "csv")!
    .createWriter({ resultKey: "", hasDialect: false, hasKind: false, csvSafe: false });
  // The tail of a CSV row begins with the delimiter between head and tail. The delimiter is removed, because these rows have an empty head.
  return { ...createNoRowsWriter(), tailOf: (answer) => csv.tailOf(answer).slice(1) };
}

const empty = `${",".repeat(answerColumns.length - 1)}\n`;

/** Splits the output of the engine into answers. Writes the answer to a frame when the frame's last row has arrived at `output`. */
class AnswerCutter {
  readonly output: Writable;
  readonly #asked: Asked[];
  readonly #stdout: Writable;
  readonly #each: number;
  #pieces: Buffer[] = [];
  #heldBytes = 0;
  /** Number of bytes of the engine's output that belong to answers already written. */
  #written = 0;

  constructor(asked: Asked[], stdout: Writable, each: number) {
    this.#asked = asked;
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

  /** Call `tell` after setting a frame's `end`. A frame without URLs has no rows, so no write to `output` would trigger its answer. */
  tell(): void {
    if (this.#heldBytes === 0) this.#writeReady().catch((error: unknown) => this.output.destroy(error as Error));
  }

  async #writeReady(): Promise<void> {
    for (;;) {
      const end = this.#asked[0]?.end;
      if (end === undefined || end > this.#written + this.#heldBytes) return;
      const { frame } = this.#asked.shift()!;
      await writeText(this.#stdout, this.#answerOf(frame, this.#take(end - this.#written)));
    }
  }

  #take(length: number): Buffer {
    const all = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
    this.#pieces = all.length > length ? [all.subarray(length)] : [];
    this.#heldBytes -= length;
    this.#written += length;
    return all.subarray(0, length);
  }

  #answerOf({ rows, columns }: Frame, lines: Buffer): Buffer {
    const urls = columns[0]!;
    let missing = 0;
    for (let row = 0; row < rows; row++) if (!urls.has(row)) missing++;
    const all = missing === 0 ? lines : withEmptyLines(lines, urls, rows, this.#each, empty);
    const count = countLines(all);
    if (count !== rows * this.#each)
      throw new Error(`a bug: ${count} answers to ${rows} rows and ${this.#each} agents`);
    return Buffer.concat([answerHeadOf(rows, count, all.length), all]);
  }
}
