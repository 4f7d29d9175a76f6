// A path that somebody else named in, an open file or its first bytes out: opening never waits, and what was opened is what was asked for.
import {
  type Stats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { devNull } from "node:os";
import { nodeNet } from "../node-parts.ts";

/** What a path may lead to. "null": the null device, an empty file by another name. */
export type FileKind = "file" | "null" | "pipe" | "folder" | "device" | "socket";

/** A file that is open for reading. */
export interface OpenFile {
  readonly fd: number;
  readonly kind: FileKind;
  /** Of the open file, and not of what may stand at its path by now. */
  readonly stat: Stats;
}

// Windows has none of these. It has no named pipes among its files either, so opening waits for nobody; and a new file is made
// with O_EXCL, which takes no link there. None of it was run on Windows.
const nonBlocking = flagOf("O_NONBLOCK");
const noFollow = flagOf("O_NOFOLLOW");
const noTerminal = flagOf("O_NOCTTY");

/** For reading what somebody named: neither a pipe without a writer nor a device keeps us waiting where no signal reaches. */
const readingFlags: number = constants.O_RDONLY | nonBlocking | noTerminal;

/**
 * For a file whose name the program chose. It has to be a new one, and no link is followed: whatever stands there by accident, or
 * because somebody guessed the name, stays what it is. Paths that users name may be links, as with any other program: `>` follows
 * them, too.
 */
export const newFileFlags: number = constants.O_CREAT | constants.O_EXCL | noFollow;

/** For writing where a regular file was seen: when it is a pipe by now, opening fails instead of waiting for a reader. */
export const writingFlags: number = nonBlocking | noTerminal;

/** What something is. */
export function kindOf(stat: Stats): FileKind {
  if (stat.isFile()) return "file";
  if (stat.isFIFO()) return "pipe";
  if (stat.isDirectory()) return "folder";
  if (stat.isSocket()) return "socket";
  return stat.isCharacterDevice() && stat.rdev === nullDevice() ? "null" : "device";
}

/** Opens a path for reading. Throws when it leads to something of another kind than these, and the system's errors. */
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

/** Reads what stands from an open file's place on, at most so many bytes, whatever its size is said to be. */
export function readUpTo({ fd, stat }: Pick<OpenFile, "fd" | "stat">, maxBytes: number): Buffer {
  // One more than it is said to have: the end is seen without another piece of memory.
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

/** The first bytes of a regular file or of the null device. Throws for all else, and the system's errors. */
export function readFileStart(path: string, maxBytes: number): Buffer {
  const file = openToRead(path, ["file", "null"]);
  try {
    return readUpTo(file, maxBytes);
  } finally {
    closeSync(file.fd);
  }
}

/** What a named pipe gives up to its end, at most so many bytes; undefined for all else. Rejects with the signal's reason. */
export async function readPipe(path: string, maxBytes: number, signal?: AbortSignal): Promise<Buffer | undefined> {
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO() !== true) return undefined;
  const { fd } = openToRead(path, ["pipe"]);
  const pipe = new (nodeNet().Socket)({ fd, readable: true, writable: false });
  const stop = (): void => void pipe.destroy();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    signal?.throwIfAborted();
    for await (const chunk of pipe as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxBytes) break;
    }
    signal?.throwIfAborted();
    return Buffer.concat(chunks).subarray(0, maxBytes);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    pipe.destroy();
    signal?.removeEventListener("abort", stop);
  }
}

/** Whether a path still names an open file itself: nothing else was put there, and no link. */
export function isStillAt(path: string, { dev, ino }: Pick<Stats, "dev" | "ino">): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.dev === dev && found.ino === ino;
}

/** Removes a file that was made here, if it is still at its path. */
export function removeIfStillAt(path: string, made: Pick<Stats, "dev" | "ino">): void {
  try {
    if (isStillAt(path, made)) unlinkSync(path);
  } catch {
    // Then it stays.
  }
}

/** The mistake of a file that is not of the kind that it has to be. */
export function wrongKind(kind: FileKind): Error {
  return new Error(kind === "folder" ? "is a directory" : "is not a regular file");
}

let nullRdev: number | undefined;

function nullDevice(): number {
  return (nullRdev ??= statSync(devNull, { throwIfNoEntry: false })?.rdev ?? -1);
}

function flagOf(name: "O_NONBLOCK" | "O_NOFOLLOW" | "O_NOCTTY"): number {
  return (constants as Partial<Record<typeof name, number>>)[name] ?? 0;
}
