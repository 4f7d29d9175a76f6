// Writes and reads the file of a checkpoint. The file always holds one complete checkpoint, either the latest or the previous one.
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

/** Maximum size of a checkpoint. Only the list of a table's column names can be large. */
const mostBytes = 64 * 1_048_576;

/** Reads a checkpoint; undefined without a file. Throws a `UsageError` for a damaged checkpoint and for a file of another kind. */
export function readCheckpoint(path: string): Checkpoint | undefined {
  const shown = `--checkpoint ${shownWordOf(path)}`;
  const bytes = checkpointBytesOf(path, mostBytes);
  if (bytes === undefined) return undefined;
  const body = checkpointOf(bytes);
  if (body !== undefined && isOfThisForm(body)) return body;
  const what =
    body === undefined
      ? "a truncated or changed checkpoint"
      : "a checkpoint in the format of another version of robots-stream";
  throw new UsageError(
    "unusable-checkpoint",
    `${shown}: is ${what}`,
    "without --resume the run begins anew, and replaces its output",
  );
}

/**
 * Whether a checkpoint has the members that this version writes. Without this check, a counter that another version named differently would
 * be lost silently.
 */
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

/** Throws a `UsageError` when the file at the path is not a checkpoint and so must not be replaced. */
export function refuseOtherFile(path: string): void {
  checkpointBytesOf(path, opening.length);
}

/** The first `maxBytes` bytes of a checkpoint's file; undefined when the file does not exist. */
function checkpointBytesOf(path: string, maxBytes: number): Buffer | undefined {
  const shown = `--checkpoint ${shownWordOf(path)}`;
  let handle: number | undefined;
  try {
    // A checkpoint is replaced by renaming a new file in its folder, so the folder must be writable and the file a regular one.
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
 * Atomically replaces the file with a new checkpoint. On failure, rejects with the system's error and leaves the file unchanged. The
 * checkpoint is first written to a new file with a random name in the same folder; symbolic links are not followed.
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
    // Another user with write access to the folder may have replaced the new file. Renaming that file would install a forged checkpoint.
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
 * Removes the temporary files that killed runs with this checkpoint left behind. The caller must hold the lock of the checkpoint. Ignores
 * files that cannot be removed.
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
    // A leftover temporary file is small and harmless.
  }
}

const randomEnding = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/;

/** The part of a checkpoint's temporary file names before the random part. Its length does not depend on the checkpoint's name. */
function temporaryNameOf(target: string): string {
  const hash = nodeCrypto().createHash("sha256").update(basename(target)).digest("hex");
  return `.robots-stream-${hash.slice(0, 16)}-`;
}

/** Syncs a folder, where the system supports it, so that a renamed file survives a crash of the machine. */
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
 * The checkpoint that a file holds; undefined when the CRC-32 does not match. The checksum detects damage, not manipulation. It is
 * computed over bytes, because damaged bytes may not be valid text.
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
