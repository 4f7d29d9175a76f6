// Opens a file for writing without truncating it, and refuses a file that the run also uses for something else.
import { type Stats, closeSync, constants, fstatSync, lstatSync, openSync, statSync, unlinkSync } from "node:fs";
import { UsageError } from "@robots-stream/engine";
import { isStillAt, newFileFlags, reasonOf, targetOf, type UsedFiles } from "@robots-stream/engine/internal";
import { shownFlag } from "./named-files.ts";

// Windows has none of these flags: they are undefined there, and count as 0.
/** Flags for writing to a path that led to a regular file. If it now leads to a pipe, opening fails and does not wait for a reader. */
const writingFlags = constants.O_NONBLOCK | constants.O_NOCTTY;

/** Flags for writing to an existing file whose name the program chose. Opening fails when the path leads to a link. */
const ownFileFlags = writingFlags | constants.O_NOFOLLOW;

/** The file to open and its use. */
export interface WritableFileOptions {
  /** The flag that names the file, without dashes: "rejects". */
  readonly flag: string;
  readonly path: string;
  /** All files of the run, including this one. The files were compared with each other before any of them was opened. */
  readonly used: UsedFiles;
  /** Whether the run also reads the file. */
  readonly reads?: boolean;
  /** Whether the file must be a regular file. */
  readonly mustBeFile?: boolean;
  /** Whether the program chose the file's name. Then the file must be regular, and no link leads to it or from it. */
  readonly isChosen?: boolean;
}

export interface WritableFile {
  readonly fd: number;
  /** The flag and the path, for messages. */
  readonly shown: string;
  /** A device has no size and cannot be truncated. A pipe is written through a `net.Socket`. */
  readonly kind: "file" | "pipe" | "device";
  /** Removes the file if `openWritableFile` created the file and the file is still empty. Call `undo` before closing the file. */
  undo(): void;
}

/**
 * Opens a file and creates it if it does not exist. As with a shell's `>`, the path may be a symbolic link, even to a file that does
 * not exist yet. Throws a `UsageError` when the file cannot be written or the run also uses it for something else.
 */
export function openWritableFile(options: WritableFileOptions): WritableFile {
  const { flag, path, used, reads, isChosen = false, mustBeFile = isChosen } = options;
  const shown = shownFlag(flag, path);
  if (path === "-") {
    const hint = flag === "output-file" ? "without --output-file everything goes to stdout; " : "";
    throw new UsageError("unusable-output", `${shown}: does not mean stdout`, `${hint}a file of this name is ./-`);
  }
  let fd: number | undefined;
  let made: Made | undefined;
  try {
    const seen = (isChosen ? lstatSync : statSync)(path, { throwIfNoEntry: false });
    if (isChosen && seen?.isSymbolicLink() === true) throw new Error("is a symbolic link, which is not followed");
    // This check precedes open(), which would block on a pipe without a reader.
    if (mustBeFile && seen !== undefined && !seen.isFile()) throw new Error("is not a regular file");
    // Opening a named pipe for writing blocks the process, and its signal handlers, until a reader opens the pipe. O_RDWR does not block.
    const isPipe = seen?.isFIFO() === true;
    const access = isPipe
      ? constants.O_RDWR | constants.O_NONBLOCK
      : (reads === true ? constants.O_RDWR : constants.O_WRONLY) |
        (seen === undefined || seen.isFile() ? (isChosen ? ownFileFlags : writingFlags) : 0);
    // open() does not truncate the file; the first write does. So wrong usage that is found in between destroys no file.
    if (seen === undefined) made = makeFile(isChosen ? path : targetOf(path), access);
    fd = made?.fd ?? openSync(path, access);
    const stat = fstatSync(fd);
    if (seen?.isFile() === true && !stat.isFile()) throw new Error("is not a regular file");
    if (isChosen && stat.nlink > 1) throw new Error("has another hard link, whose content would change, too");
    used.opened(path, fd);
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

interface Made {
  readonly fd: number;
  readonly path: string;
  readonly stat: Stats;
}

/** Creates the file. Returns undefined when another process has created it meanwhile. */
function makeFile(path: string, access: number): Made | undefined {
  try {
    const fd = openSync(path, newFileFlags | access, 0o666);
    return { fd, path, stat: fstatSync(fd) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw error;
  }
}

function removeEmpty(made: Made | undefined): void {
  if (made !== undefined && isStillAt(made.path, made.stat) && fstatSync(made.fd).size === 0) unlinkSync(made.path);
}
