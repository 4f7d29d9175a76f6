// A checkpoint in, its file out, and back: the file is always a whole checkpoint, the last one or the one before it.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  opendirSync,
  realpathSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { open, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  isStillAt,
  newFileFlags,
  nodeCrypto,
  nodeZlib,
  openToRead,
  readUpTo,
  reasonOf,
  removeIfStillAt,
  shownWordOf,
  targetOf,
  UsageError,
} from "@robots-stream/engine/internal";
import type { Checkpoint } from "./types.ts";

/** What every checkpoint begins with. */
const opening = '{"robots-stream checkpoint":1,"crc32":"';

/** No checkpoint is larger: the columns of a table may be many, but not that many. */
const mostBytes = 64 * 1_048_576;

/** Reads a checkpoint; undefined when there is no file. Throws a `UsageError` for one that is damaged, or something else. */
export function readCheckpoint(path: string): Checkpoint | undefined {
  const shown = `--checkpoint ${shownWordOf(path)}`;
  const bytes = checkpointBytesOf(path, mostBytes);
  if (bytes === undefined) return undefined;
  const body = checkpointOf(bytes);
  if (body !== undefined) return body;
  throw new UsageError(
    "unusable-checkpoint",
    `${shown}: is a checkpoint that was cut or changed`,
    "without --resume the run begins anew, and replaces its output",
  );
}

/** Throws a `UsageError` when there is a file that is no checkpoint: it must be kept from being replaced by one. */
export function refuseOtherFile(path: string): void {
  checkpointBytesOf(path, opening.length);
}

/** The first bytes of a checkpoint; undefined when there is none. */
function checkpointBytesOf(path: string, maxBytes: number): Buffer | undefined {
  const shown = `--checkpoint ${shownWordOf(path)}`;
  let handle: number | undefined;
  try {
    // It is replaced by way of another file beside it.
    accessSync(dirname(path), constants.W_OK);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    if (!stat.isFile()) throw new UsageError("unusable-checkpoint", `${shown}: is no regular file`);
    const file = openToRead(path, ["file"]);
    handle = file.fd;
    const bytes = readUpTo(file, maxBytes);
    if (file.stat.size <= mostBytes && bytes.toString("latin1", 0, opening.length) === opening) return bytes;
    throw new UsageError("unusable-checkpoint", `${shown}: is another file, no checkpoint; it would be lost`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError("unusable-checkpoint", `${shown}: ${reasonOf(error)}`);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/**
 * Replaces the file by another checkpoint, at once. Rejects with the system's error; then the file is what it was. What is
 * written goes to a new file in the same folder, under a name that nobody can know before, and through no link.
 */
export async function writeCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  const target = existsSync(path) ? realpathSync(path) : targetOf(path);
  const folder = dirname(target);
  const temporary = join(folder, `${temporaryNameOf(target)}${nodeCrypto().randomUUID()}.tmp`);
  const file = await open(temporary, newFileFlags | constants.O_WRONLY, 0o666);
  const made = await file.stat();
  let isRenamed = false;
  try {
    try {
      await file.writeFile(fileTextOf(checkpoint));
      await file.sync();
    } finally {
      await file.close();
    }
    // Who may write in the folder may have put something else there; renamed, it would pass for a checkpoint of ours.
    if (!isStillAt(temporary, made)) throw new Error(`${shownWordOf(temporary)} was replaced while it was written`);
    await rename(temporary, target);
    isRenamed = true;
    if (!isStillAt(target, made)) throw new Error("was replaced while it was written");
  } finally {
    if (!isRenamed) removeIfStillAt(temporary, made);
  }
  await syncFolder(folder);
}

/**
 * Removes the new files that runs with this checkpoint left when they were killed while they wrote one. To be called by the one
 * run that has the right to write it. What cannot be removed stays.
 */
export function removeLeftovers(path: string): void {
  try {
    const target = existsSync(path) ? realpathSync(path) : targetOf(path);
    const begin = temporaryNameOf(target);
    const folder = opendirSync(dirname(target), { bufferSize: 1_024 });
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
        if (!entry.name.startsWith(begin) || !randomEnding.test(entry.name.slice(begin.length))) continue;
        const left = join(dirname(target), entry.name);
        if (lstatSync(left).isFile()) unlinkSync(left);
      }
    } finally {
      folder.closeSync();
    }
  } catch {
    // They are small, and in nobody's way.
  }
}

const randomEnding = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/;

/** How the names of new files for a checkpoint begin; what comes behind it is random. Short, whatever the checkpoint is called. */
function temporaryNameOf(target: string): string {
  const hash = nodeCrypto().createHash("sha256").update(basename(target)).digest("hex");
  return `.robots-stream-${hash.slice(0, 16)}-`;
}

/** Makes the names in a folder last; where the system cannot, they last as long as it runs. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Windows, and file systems that have no such thing.
  }
}

const betweenCrcAndBody = '","checkpoint":';

/** The text of a checkpoint's file. */
export function fileTextOf(checkpoint: Checkpoint): string {
  const body = JSON.stringify(checkpoint);
  return `${opening}${crcOf(Buffer.from(body))}${betweenCrcAndBody}${body}}\n`;
}

function crcOf(body: Uint8Array): string {
  return nodeZlib().crc32(body).toString(16).padStart(8, "0");
}

/**
 * What a file holds; undefined unless all bytes are those that were written, as far as a CRC-32 tells: damage, and no intent. They
 * are compared as bytes, as damaged ones may be no text.
 */
export function checkpointOf(bytes: Buffer): Checkpoint | undefined {
  const crc = bytes.toString("latin1", opening.length, opening.length + 8);
  const begin = opening.length + 8 + betweenCrcAndBody.length;
  const body = bytes.subarray(begin, -2);
  const isWhole =
    bytes.toString("latin1", 0, opening.length) === opening &&
    bytes.toString("latin1", opening.length + 8, begin) === betweenCrcAndBody &&
    bytes.subarray(begin).length > 2 &&
    bytes.toString("latin1", bytes.length - 2) === "}\n";
  return isWhole && crcOf(body) === crc ? (JSON.parse(body.toString("utf8")) as Checkpoint) : undefined;
}
