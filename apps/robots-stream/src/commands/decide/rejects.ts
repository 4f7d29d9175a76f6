// Writes the rejects of a run, as lines to stderr or as NDJSON to a file.
import { closeSync, ftruncateSync } from "node:fs";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import {
  byteStringOf,
  IoError,
  printableOf,
  type Reject,
  shownWordOf,
  type UsedFiles,
} from "@robots-stream/engine/internal";
import { FileOutput } from "../../shell/file-output.ts";
import { openWritableFile } from "../../shell/writable-file.ts";
import { KeptFile, cutToPlace } from "./checkpoint/kept-file.ts";
import type { FilePlace } from "./checkpoint/types.ts";

/** Number of rejects that are reported one by one; further rejects are only counted. */
const toldRejects = 10;

/** Reports the rejects of a run. */
export interface RejectReport {
  take(rejects: readonly Reject[]): Promise<void>;
  /** Writes the rest and reports the number of rejects. If `wasUsed` is false, no input was read, and a file stays unchanged. */
  end(wasUsed: boolean): Promise<void>;
  /** Removes the file if this run created it and it is empty. Call it before `close`. */
  undo(): void;
  /** Closes the file. */
  close(): void;
  /** The state of the file for a checkpoint. */
  readonly kept?: KeptFile;
}

/** The place, reason and length of a reject, as text. The text omits the bytes of the record, which may contain credentials. */
function toldOf({ source, line, code, message, text, bytes = text.length }: Reject): string {
  // Of a line that is too long, only the beginning was read, so the length is unknown and omitted. The message states the limit.
  const length = code === "too-long" ? "" : ` (${bytes} byte${bytes === 1 ? "" : "s"})`;
  return `${source}:${line}: ${printableOf(message, 500)}${length}`;
}

/** Reports the first rejects as sentences, then the number of further ones. `before`: rejects that an earlier process reported. */
export function createToldRejects(say: (sentence: string) => void, before = 0): RejectReport {
  let count = before;
  return {
    take(rejects) {
      for (const reject of rejects) {
        count++;
        if (count <= toldRejects) say(toldOf(reject));
        if (count === toldRejects + 1) say("… further rejects are only counted; --rejects FILE keeps them all");
      }
      return Promise.resolve();
    },
    end() {
      if (count > toldRejects) say(`… and ${count - toldRejects} more reject${count === toldRejects + 1 ? "" : "s"}`);
      return Promise.resolve();
    },
    undo: () => undefined,
    close: () => undefined,
  };
}

/** The file of rejects of a run with a checkpoint. */
export interface KeptRejects {
  /** The part of the file that an earlier process of the run wrote, and the number of its rejects. */
  readonly place: FilePlace | undefined;
  readonly count: number;
  /** Awaited before the first change of the file. */
  readonly prepare: () => Promise<void>;
}

/**
 * Writes rejects as NDJSON to a file: source, line, code, message and the text of the line. Throws a `UsageError` at once when the file
 * cannot be written or has another use in this run.
 */
export function createRejectsFile(
  path: string,
  used: UsedFiles,
  say: (sentence: string) => void,
  kept?: KeptRejects,
): RejectReport {
  const hasPlaces = kept !== undefined;
  const opened = openWritableFile({ flag: "rejects", path, used, reads: hasPlaces, mustBeFile: hasPlaces });
  const { fd, shown, kind } = opened;
  const begin = kept?.place?.bytes ?? 0;
  try {
    if (kept?.place !== undefined) cutToPlace(fd, shown, kept.place);
  } catch (error) {
    opened.undo();
    throw error;
  }
  const prepare = async (): Promise<void> => {
    await kept?.prepare();
    ftruncateSync(fd, begin);
  };
  const file: Writable =
    kind === "pipe"
      ? new Socket({ fd, readable: false, writable: true })
      : new FileOutput(fd, kind === "file" ? { begin, prepare } : {});
  // The next take() or end() throws the error.
  file.on("error", () => undefined);
  const keptFile =
    kept !== undefined && file instanceof FileOutput ? new KeptFile(fd, begin, () => file.written) : undefined;
  let count = kept?.count ?? 0;
  const throwFailure = (): void => {
    const { errored } = file;
    if (errored) throw errored instanceof IoError ? errored : new IoError("rejects", shownWordOf(path), errored);
  };
  return {
    ...(keptFile === undefined ? {} : { kept: keptFile }),
    async take(rejects) {
      throwFailure();
      count += rejects.length;
      let lines = "";
      for (const { source, line, code, message, text } of rejects) {
        const known = byteStringOf(JSON.stringify({ source, line, code, message }));
        lines += `${known.slice(0, -1)},"text":${JSON.stringify(text)}}\n`;
      }
      // write() also calls its callback after a failure. So waiting needs no event listeners, which would accumulate.
      await new Promise<void>((resolve) => file.write(Buffer.from(lines, "latin1"), () => resolve()));
      throwFailure();
    },
    async end(wasUsed) {
      if (wasUsed && file instanceof FileOutput && !file.errored) await file.prepare();
      file.end();
      await finished(file).catch(() => undefined);
      throwFailure();
      if (count > 0) say(`${count} reject${count === 1 ? "" : "s"} written to ${shownWordOf(path)}`);
    },
    undo: opened.undo,
    // A pipe is written through a socket, which closes by itself.
    close: () => (kind === "pipe" ? undefined : closeSync(fd)),
  };
}
