// The path of a file to write in, its descriptor out: opened but not truncated, and no file that the run uses otherwise.
import { type Stats, closeSync, constants, fstatSync, openSync, statSync, unlinkSync } from "node:fs";
import {
  isStillAt,
  kindOf,
  newFileFlags,
  reasonOf,
  targetOf,
  UsageError,
  type UsedFiles,
  writingFlags,
  wrongKind,
} from "@robots-stream/engine/internal";
import { shownFlag } from "./named-files.ts";

/** What to open, and for what. */
export interface WritableFileOptions {
  /** The flag that names the file, without dashes: "rejects". */
  readonly flag: string;
  readonly path: string;
  /** All files of the run, this one included, compared before anything was opened. */
  readonly used: UsedFiles;
  /** Whether the run also reads the file. */
  readonly reads?: boolean;
  /** Whether the file must be a regular one. */
  readonly mustBeFile?: boolean;
}

/** An open file. */
export interface WritableFile {
  readonly fd: number;
  /** Its path, and the flag, for messages. */
  readonly shown: string;
  /** A device has no size and cannot be truncated; a pipe is written to through a socket. */
  readonly kind: "file" | "pipe" | "device";
  /** Removes the file when it was created here and is empty. To be called before it is closed. */
  undo(): void;
}

/**
 * Opens a file, and creates one that does not exist. As behind a shell's `>`, the path may be a link, also to a file that does not
 * exist yet. Throws a `UsageError` when the file cannot be written, or the run uses it otherwise too.
 */
export function openWritableFile({ flag, path, used, reads, mustBeFile }: WritableFileOptions): WritableFile {
  const shown = shownFlag(flag, path);
  if (path === "-") {
    const hint = flag === "output-file" ? "without --output-file everything goes to stdout; " : "";
    throw new UsageError("unusable-output", `${shown}: does not mean stdout`, `${hint}a file of this name is ./-`);
  }
  let fd: number | undefined;
  let made: Made | undefined;
  try {
    const seen = statSync(path, { throwIfNoEntry: false });
    // Checked before opening, which would block on a pipe without a reader.
    if (mustBeFile === true && seen !== undefined && !seen.isFile()) throw wrongKind("device");
    // Opening a named pipe without a reader blocks the process, where no signal reaches it; O_RDWR does not wait for a reader.
    const isPipe = seen?.isFIFO() === true;
    const access = isPipe
      ? constants.O_RDWR | constants.O_NONBLOCK
      : (reads === true ? constants.O_RDWR : constants.O_WRONLY) |
        (seen === undefined || seen.isFile() ? writingFlags : 0);
    // Truncated by the first write: wrong usage must not destroy a file.
    if (seen === undefined) made = makeFile(path, access);
    fd = made?.fd ?? openSync(path, access);
    const stat = fstatSync(fd);
    if (seen?.isFile() === true && !stat.isFile()) throw wrongKind(kindOf(stat));
    used.opened(shown, fd);
    return {
      fd,
      shown,
      kind: stat.isFile() ? "file" : isPipe ? "pipe" : "device",
      undo: () => removeEmpty(made),
    };
  } catch (error) {
    removeEmpty(made);
    if (fd !== undefined) closeSync(fd);
    if (error instanceof UsageError) throw error;
    throw new UsageError(flag === "rejects" ? "unwritable-rejects" : "unusable-output", `${shown}: ${reasonOf(error)}`);
  }
}

/** A file that was created here. */
interface Made {
  readonly fd: number;
  readonly path: string;
  readonly stat: Stats;
}

/** Creates the file; undefined when it exists by now. */
function makeFile(path: string, access: number): Made | undefined {
  const target = targetOf(path);
  try {
    const fd = openSync(target, newFileFlags | access, 0o666);
    return { fd, path: target, stat: fstatSync(fd) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw error;
  }
}

function removeEmpty(made: Made | undefined): void {
  if (made !== undefined && isStillAt(made.path, made.stat) && fstatSync(made.fd).size === 0) unlinkSync(made.path);
}
