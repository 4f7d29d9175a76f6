// Writes the rejects of a run: as sentences to stderr, or as NDJSON to a file. A reject is a line or record that cannot be read.
import { closeSync, ftruncateSync } from "node:fs";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { isatty } from "node:tty";
import { IoError } from "@robots-stream/engine";
import { printableOf, type Reject, shownWordOf, type UsedFiles } from "@robots-stream/engine/internal";
import { plainCountText } from "../../cli/figures.ts";
import { FileOutput } from "../../cli/file-output.ts";
import { fitForTerminal } from "../../cli/terminal.ts";
import { type FilePlace, KeptFile, openKeptFile } from "./checkpoint/kept-file.ts";

/** Maximum number of rejects that are reported one by one on stderr. Further rejects are only counted. */
const toldRejects = 10;

/** Reports the rejects of a run. */
export interface RejectReport {
  take(rejects: readonly Reject[]): Promise<void>;
  /** Finishes writing and reports the number of rejects. `wasUsed`: whether input was read. If not, the file stays unchanged. */
  end(wasUsed: boolean): Promise<void>;
  /** Removes the file if this run created the file and the file is empty. Call `undo` before `close`. */
  undo(): void;
  /** Closes the file. */
  close(): void;
  /** The file of rejects, for checkpoints; absent in a run without a checkpoint and for rejects on stderr. */
  readonly kept?: KeptFile;
}

/** Returns the place, the reason and the length of a reject as text. The text omits the content of the line: it may contain credentials. */
function toldOf({ source, line, code, message, text, bytes = text.length }: Reject): string {
  // The length of a line that is too long is unknown, because only its beginning was read.
  const length = code === "too-long" ? "" : ` (${plainCountText(bytes, "byte")})`;
  return `${source}:${line}: ${printableOf(message, 500)}${length}`;
}

/**
 * Reports the first `toldRejects` rejects of a run with `say`, and at the end the number of further rejects. `before`: number of rejects
 * that an earlier process of the run has counted.
 */
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
      if (count > toldRejects) say(`… and ${plainCountText(count - toldRejects, "more reject")}`);
      return Promise.resolve();
    },
    undo: () => undefined,
    close: () => undefined,
  };
}

/** The state of the rejects file at the start of a process, in a run with a checkpoint. */
export interface KeptRejects {
  /** The valid part of the file, which an earlier process of the run wrote, and the number of rejects that the earlier process counted. */
  readonly place: FilePlace | undefined;
  readonly count: number;
  /** Called and awaited before the first change of the file. */
  readonly prepare: () => Promise<void>;
}

/**
 * Opens a file for rejects. Each reject is one line of JSON with source, line, code, message and text (the content of the line). Throws a
 * `UsageError` if the file cannot be written or has another use in this run. `take` and `end` reject with an `IoError` if writing fails.
 */
export function createRejectsFile(
  path: string,
  used: UsedFiles,
  say: (sentence: string) => void,
  kept?: KeptRejects,
): RejectReport {
  const hasPlaces = kept !== undefined;
  const place = kept?.place;
  const { fd, kind, undo } = openKeptFile(
    { flag: "rejects", path, used, reads: hasPlaces, mustBeFile: hasPlaces },
    place === undefined ? undefined : { place },
  );
  const begin = place?.bytes ?? 0;
  const prepare = async (): Promise<void> => {
    await kept?.prepare();
    ftruncateSync(fd, begin);
  };
  const file: Writable =
    kind === "pipe"
      ? new Socket({ fd, readable: false, writable: true })
      : kind === "file"
        ? new KeptFile(fd, { begin, prepare })
        : new FileOutput(fd);
  // `path` may be a terminal.
  const rows = isatty(fd) ? fitForTerminal(Object.assign(file, { isTTY: true }), "ndjson") : file;
  // `throwFailure`, in the next take() or end(), throws the error.
  file.on("error", () => undefined);
  let count = kept?.count ?? 0;
  const throwFailure = (): void => {
    const { errored } = file;
    if (errored) throw errored instanceof IoError ? errored : new IoError("rejects", shownWordOf(path), errored);
  };
  return {
    ...(hasPlaces && file instanceof KeptFile ? { kept: file } : {}),
    async take(rejects) {
      throwFailure();
      count += rejects.length;
      let lines = "";
      for (const { source, line, code, message, text } of rejects) {
        const known = Buffer.from(JSON.stringify({ source, line, code, message })).toString("latin1");
        lines += `${known.slice(0, -1)},"text":${JSON.stringify(text)}}\n`;
      }
      // write() calls its callback after a success and after a failure. So no event listeners are needed; they would accumulate.
      await new Promise<void>((resolve) => rows.write(Buffer.from(lines, "latin1"), () => resolve()));
      throwFailure();
    },
    async end(wasUsed) {
      if (wasUsed && file instanceof FileOutput && !file.errored) await file.prepare();
      file.end();
      await finished(file).catch(() => undefined);
      throwFailure();
      if (count > 0) say(`${plainCountText(count, "reject")} written to ${shownWordOf(path)}`);
    },
    undo,
    // The socket of a pipe closes its own file descriptor.
    close: () => (kind === "pipe" ? undefined : closeSync(fd)),
  };
}
