// A checkpoint in, its file out, and back. The file always holds a whole checkpoint: the last one, or the one before.
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
  hasAllCounters,
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

/** The first bytes of every checkpoint. */
const opening = '{"robots-stream checkpoint":1,"crc32":"';

/** Bound of a checkpoint. The names of a table's columns are its only part of variable size. */
const mostBytes = 64 * 1_048_576;

/** Reads a checkpoint; undefined when there is no file. Throws a `UsageError` for a damaged checkpoint, and for another file. */
export function readCheckpoint(path: string): Checkpoint | undefined {
  const shown = `--checkpoint ${shownWordOf(path)}`;
  const bytes = checkpointBytesOf(path, mostBytes);
  if (bytes === undefined) return undefined;
  const body = checkpointOf(bytes);
  if (body !== undefined && isOfThisForm(body)) return body;
  const what =
    body === undefined
      ? "a truncated or changed checkpoint"
      : "a checkpoint of another form, by another version of robots-stream";
  throw new UsageError(
    "unusable-checkpoint",
    `${shown}: is ${what}`,
    "without --resume the run begins anew, and replaces its output",
  );
}

/** Whether a checkpoint has the members that this version writes: a counter under another name would be lost without a word. */
function isOfThisForm(checkpoint: Partial<Checkpoint> | null): boolean {
  const { run, counts, output, isFinished } = checkpoint ?? {};
  return (
    typeof isFinished === "boolean" &&
    run !== undefined &&
    Array.isArray(run.files) &&
    Array.isArray(run.agents) &&
    typeof run.flags === "object" &&
    output?.before !== undefined &&
    Array.isArray(counts?.questions) &&
    hasAllCounters(counts.numbers)
  );
}

/** Throws a `UsageError` when the path holds a file that is no checkpoint, and so must not be replaced. */
export function refuseOtherFile(path: string): void {
  checkpointBytesOf(path, opening.length);
}

/** The first bytes of a checkpoint; undefined when there is none. */
function checkpointBytesOf(path: string, maxBytes: number): Buffer | undefined {
  const shown = `--checkpoint ${shownWordOf(path)}`;
  let handle: number | undefined;
  try {
    // The file is replaced by renaming another one beside it, so it must be a regular file.
    accessSync(dirname(path), constants.W_OK);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    if (!stat.isFile()) throw new UsageError("unusable-checkpoint", `${shown}: is not a regular file`);
    const file = openToRead(path, ["file"]);
    handle = file.fd;
    const bytes = readUpTo(file, maxBytes);
    if (file.stat.size <= mostBytes && bytes.toString("latin1", 0, opening.length) === opening) return bytes;
    throw new UsageError("unusable-checkpoint", `${shown}: is not a checkpoint, and would be overwritten`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError("unusable-checkpoint", `${shown}: ${reasonOf(error)}`);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/**
 * Replaces the file by another checkpoint, atomically. Rejects with the system's error, and leaves the file unchanged. The checkpoint is
 * written to a new file in the same folder, with a random name, without following links.
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
    // Another user who may write in the folder may have replaced the new file; renamed, it would pass for a checkpoint.
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
 * Removes new files that killed runs with this checkpoint left behind. To be called with the lock of the checkpoint. Files that cannot
 * be removed stay.
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
    // A leftover is small and harmless.
  }
}

const randomEnding = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/;

/** Prefix of the names of new files for a checkpoint; the rest is random. Its length does not depend on the checkpoint's name. */
function temporaryNameOf(target: string): string {
  const hash = nodeCrypto().createHash("sha256").update(basename(target)).digest("hex");
  return `.robots-stream-${hash.slice(0, 16)}-`;
}

/** Syncs a folder, so that a renamed file survives a crash of the machine, where the system can. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Windows, and some file systems, cannot sync a folder.
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
 * The checkpoint that a file holds; undefined when its CRC-32 does not match. The checksum finds damage, not manipulation. It is
 * computed over bytes, as damaged bytes may be no valid text.
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
