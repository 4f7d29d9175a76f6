// The path of a file that a run is to write in, its descriptor out: opened, not emptied yet, and none of those that are read.
import { type Stats, closeSync, constants, fstatSync, openSync, statSync, unlinkSync } from "node:fs";
import { UsageError, reasonOf } from "./exit.ts";
import { shownWordOf } from "./text.ts";

/** What to open, and what it must not be. */
export interface WritableFileOptions {
  /** Whose file it is, for messages: "rejects". */
  readonly flag: string;
  readonly path: string;
  /** Files that are read. */
  readonly others: readonly string[];
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

/** Opens a file; makes it when it is not there. Throws a `UsageError` when it cannot be written, or is used otherwise too. */
export function openWritableFile({ flag, path, others, reads, mustBeFile }: WritableFileOptions): WritableFile {
  const shown = `--${flag} ${shownWordOf(path)}`;
  let fd: number | undefined;
  let made: number | undefined;
  try {
    const kind = statSync(path, { throwIfNoEntry: false });
    // Not even opened: that would wait for somebody who reads a pipe.
    if (mustBeFile === true && kind !== undefined && !kind.isFile()) {
      throw new UsageError("unusable-output", `${shown}: is no regular file`);
    }
    // A named pipe that nobody reads yet would keep us waiting here, and any thread of ours later, where no signal reaches.
    const isPipe = kind?.isFIFO() === true;
    const access = isPipe
      ? constants.O_RDWR | constants.O_NONBLOCK
      : reads === true
        ? constants.O_RDWR
        : constants.O_WRONLY;
    // Emptied only when something was read: wrong usage must not cost a file.
    if (kind === undefined) made = makeFile(path, access);
    const open = (fd = made ?? openSync(path, constants.O_CREAT | access, 0o666));
    const isOwn = made !== undefined;
    const stat = fstatSync(fd);
    refuseSameFile(shown, stat, others);
    return {
      fd,
      shown,
      kind: stat.isFile() ? "file" : isPipe ? "pipe" : "device",
      undo: () => (isOwn ? removeEmpty(path, open) : undefined),
    };
  } catch (error) {
    if (made !== undefined) removeEmpty(path, made);
    if (fd !== undefined) closeSync(fd);
    if (error instanceof UsageError) throw error;
    throw new UsageError(flag === "rejects" ? "unwritable-rejects" : "unusable-output", `${shown}: ${reasonOf(error)}`);
  }
}

/** Undefined when there is a file by now, or a link to one that is not there. */
function makeFile(path: string, access: number): number | undefined {
  try {
    return openSync(path, constants.O_CREAT | constants.O_EXCL | access, 0o666);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw error;
  }
}

function removeEmpty(path: string, fd: number): void {
  const own = fstatSync(fd);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.dev === own.dev && found.ino === own.ino && own.size === 0) unlinkSync(path);
}

function refuseSameFile(shown: string, file: Stats, others: readonly string[]): void {
  for (const other of others) {
    const used = other === "-" ? undefined : statSync(other, { throwIfNoEntry: false });
    if (used?.isFile() === true && used.dev === file.dev && used.ino === file.ino) {
      throw new UsageError("same-file", `${shown}: is also read or written, and would be lost`);
    }
  }
}
