// A path from outside the program in, an open file or its first bytes out. Opening never blocks, and the kind of the open file is
// checked.
import { type Stats, closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync } from "node:fs";
import { devNull } from "node:os";

/** The kinds of files that a path may lead to. "null": the null device, which reads as an empty file. */
export type FileKind = "file" | "null" | "pipe" | "folder" | "device" | "socket";

/** A file that is open for reading. */
export interface OpenFile {
  readonly fd: number;
  readonly kind: FileKind;
  /** The state of the open file, not of a file that may have replaced it at its path. */
  readonly stat: Stats;
}

// Windows has none of these flags. It has no named pipes in its file system, so opening cannot block; and a new file is made with O_EXCL,
// which follows no link there. None of this has been tested on Windows.
const nonBlocking = flagOf("O_NONBLOCK");
const noFollow = flagOf("O_NOFOLLOW");
const noTerminal = flagOf("O_NOCTTY");

/** Flags for reading a path from outside. Opening a device, or a pipe without a writer, must not block, because it would delay signals. */
const readingFlags: number = constants.O_RDONLY | nonBlocking | noTerminal;

/**
 * Flags for creating a file whose name the program chose. Opening fails when a file or a link exists at the path, by accident or because an
 * attacker guessed the name. Paths that users name are opened without these flags: they may be links, as with `>`.
 */
export const newFileFlags: number = constants.O_CREAT | constants.O_EXCL | noFollow;

/** The kind of a file. */
function kindOf(stat: Stats): FileKind {
  if (stat.isFile()) return "file";
  if (stat.isFIFO()) return "pipe";
  if (stat.isDirectory()) return "folder";
  if (stat.isSocket()) return "socket";
  return stat.isCharacterDevice() && stat.rdev === nullDevice() ? "null" : "device";
}

/** Opens a path for reading. Throws the system's errors, and an error for a file whose kind is not in `kinds`. */
export function openToRead(path: string, kinds: readonly FileKind[]): OpenFile {
  const fd = openSync(path, readingFlags);
  try {
    const stat = fstatSync(fd);
    const kind = kindOf(stat);
    if (!kinds.includes(kind)) throw wrongKind(kind);
    return { fd, kind, stat };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Reads from the file's current position to its end, but at most `maxBytes` bytes. The size in `stat` is only an estimate. */
export function readUpTo({ fd, stat }: Pick<OpenFile, "fd" | "stat">, maxBytes: number): Buffer {
  // One byte more than the file's size, so that the end is detected without a second buffer.
  let room = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(stat.size + 1, leastRoom)));
  let length = 0;
  for (;;) {
    if (length === room.length) {
      if (length >= maxBytes) break;
      const larger = Buffer.allocUnsafeSlow(Math.min(maxBytes, length * 2));
      room.copy(larger);
      room = larger;
    }
    const count = readSync(fd, room, length, room.length - length, null);
    if (count === 0) break;
    length += count;
  }
  return room.subarray(0, length);
}

const leastRoom = 4_096;

/** The first bytes of a regular file or of the null device. Throws the system's errors, and an error for other kinds of files. */
export function readFileStart(path: string, maxBytes: number): Buffer {
  const file = openToRead(path, ["file", "null"]);
  try {
    return readUpTo(file, maxBytes);
  } finally {
    closeSync(file.fd);
  }
}

/** Whether a path still leads to the open file itself, and not to a file or link that replaced it. */
export function isStillAt(path: string, { dev, ino }: Pick<Stats, "dev" | "ino">): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.dev === dev && found.ino === ino;
}

/** The error for a file of a kind that is not accepted. */
function wrongKind(kind: FileKind): Error {
  return new Error(kind === "folder" ? "is a directory" : "is not a regular file");
}

/** The device number of the null device, looked up once. */
const nullDevice = ((rdev?: number) => (): number => {
  return (rdev ??= statSync(devNull, { throwIfNoEntry: false })?.rdev ?? -1);
})();

function flagOf(name: "O_NONBLOCK" | "O_NOFOLLOW" | "O_NOCTTY"): number {
  return (constants as Partial<Record<typeof name, number>>)[name] ?? 0;
}
