// The path of a file that a run is to write in, its descriptor out: opened, not emptied yet, and none of those that are read.
import { type Stats, closeSync, constants, fstatSync, openSync, statSync } from "node:fs";
import { UsageError, reasonOf } from "./exit.ts";
import { printableOf } from "./text.ts";

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
}

/** Opens a file; makes it when it is not there. Throws a `UsageError` when it cannot be written, or is used otherwise too. */
export function openWritableFile({ flag, path, others, reads, mustBeFile }: WritableFileOptions): WritableFile {
  const shown = `--${flag} ${printableOf(path)}`;
  let fd: number | undefined;
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
    fd = openSync(path, constants.O_CREAT | access, 0o666);
    const stat = fstatSync(fd);
    refuseSameFile(shown, stat, others);
    return { fd, shown, kind: stat.isFile() ? "file" : isPipe ? "pipe" : "device" };
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    if (error instanceof UsageError) throw error;
    throw new UsageError(flag === "rejects" ? "unwritable-rejects" : "unusable-output", `${shown}: ${reasonOf(error)}`);
  }
}

function refuseSameFile(shown: string, file: Stats, others: readonly string[]): void {
  for (const other of others) {
    const used = other === "-" ? undefined : statSync(other, { throwIfNoEntry: false });
    if (used?.isFile() === true && used.dev === file.dev && used.ino === file.ino) {
      throw new UsageError("same-file", `${shown}: is also read or written, and would be lost`);
    }
  }
}
