// The path of a file that a run is to write in, its descriptor out: opened, not emptied yet, and none of those that are used otherwise.
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

/** What to open, and what it must not be. */
export interface WritableFileOptions {
  /** Whose file it is, for messages: "rejects". */
  readonly flag: string;
  readonly path: string;
  /** All files of the run, this one among them; they were compared before. */
  readonly used: UsedFiles;
  /** Whether what is written is read again. */
  readonly reads?: boolean;
  /** Whether nothing but a regular file will do. */
  readonly mustBeFile?: boolean;
}

/** An open file. */
export interface WritableFile {
  readonly fd: number;
  /** Its path, and the flag, for messages. */
  readonly shown: string;
  /** A device knows no size, and no end to take away; a pipe is to be written to as a socket. */
  readonly kind: "file" | "pipe" | "device";
  /** Takes the file away when it was made here and nothing is in it: nothing came of the run. Before it is closed. */
  undo(): void;
}

/**
 * Opens a file; makes it when it is not there. A path that the user named may be a link, also to a file that is not there yet,
 * as it may be behind a shell's `>`. Throws a `UsageError` when it cannot be written, or is used otherwise too.
 */
export function openWritableFile({ flag, path, used, reads, mustBeFile }: WritableFileOptions): WritableFile {
  const shown = shownFlag(flag, path);
  let fd: number | undefined;
  let made: Made | undefined;
  try {
    const seen = statSync(path, { throwIfNoEntry: false });
    // Not even opened: that would wait for somebody who reads a pipe.
    if (mustBeFile === true && seen !== undefined && !seen.isFile()) throw wrongKind("device");
    // A named pipe that nobody reads yet would keep us waiting here, and any thread of ours later, where no signal reaches.
    const isPipe = seen?.isFIFO() === true;
    const access = isPipe
      ? constants.O_RDWR | constants.O_NONBLOCK
      : (reads === true ? constants.O_RDWR : constants.O_WRONLY) |
        (seen === undefined || seen.isFile() ? writingFlags : 0);
    // Emptied only when something was read: wrong usage must not cost a file.
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

/** A file that was made here. */
interface Made {
  readonly fd: number;
  readonly path: string;
  readonly stat: Stats;
}

/** Undefined when there is a file by now. */
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
