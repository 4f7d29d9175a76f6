// Writes and reads the file of a checkpoint. The file always holds one complete checkpoint, either the latest or the previous one.
import {
  type Stats,
  accessSync,
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
import { UsageError } from "@robots-stream/engine";
import {
  type Input,
  isStillAt,
  newFileFlags,
  readFileStart,
  reasonOf,
  type RecordWriter,
  shownWordOf,
  Tally,
  targetOf,
} from "@robots-stream/engine/internal";
import type { FilePlace } from "./kept-file.ts";
import type { RunDescription } from "./settings.ts";

/** A place in the input. */
export type InputPlace = ReturnType<Input["placeOf"]>;

/** The state of a run at one place in its input. All records before the place are decided, and their rows and rejects are in the files. */
export interface Checkpoint {
  readonly run: RunDescription;
  readonly isFinished: boolean;
  /** The size of all sources of a finished run, if they are regular files and were read to their ends; otherwise missing. */
  readonly inputBytes?: number | undefined;
  readonly counts: ReturnType<Tally["copied"]>;
  readonly output: FilePlace;
  /** The place in the file of `--rejects`; null without a regular file. */
  readonly rejects: FilePlace | null;
  /** The place from which reading resumes; null: the beginning. */
  readonly place: InputPlace | null;
  readonly writer: ReturnType<RecordWriter["known"]>;
  /** The origins whose saved robots.txt files could not be read (see `DamagedOrigins`): a run with such an origin fails. */
  readonly damaged: readonly string[];
}

/** The first bytes of every checkpoint. */
const opening = '{"robots-stream checkpoint":1,"crc32":"';

/** Maximum size of a checkpoint's file. A checkpoint is this large only if it holds the column names of a very wide table. */
const mostBytes = 64 * 1_048_576;

/** Reads a checkpoint; undefined if no file exists. Throws a `UsageError` for a damaged checkpoint and for any other file. */
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
 * Whether a checkpoint has the members that this version of the program writes. Without this check, a counter that has another name in
 * another version would be lost silently.
 */
function isOfThisForm(checkpoint: Partial<Checkpoint> | null): boolean {
  const { run, counts, output, isFinished, damaged } = checkpoint ?? {};
  return (
    typeof isFinished === "boolean" &&
    run !== undefined &&
    Array.isArray(run.files) &&
    Array.isArray(run.agents) &&
    typeof run.flags === "object" &&
    output?.before !== undefined &&
    Array.isArray(damaged) &&
    Array.isArray(counts?.questions) &&
    Tally.hasAllCounters(counts.numbers)
  );
}

/** Throws a `UsageError` when the file at the path is not a checkpoint, because a new checkpoint would replace the file. */
export function refuseOtherFile(path: string): void {
  checkpointBytesOf(path, opening.length);
}

/** Returns the first `maxBytes` bytes of the file; undefined if no file exists. Throws a `UsageError` if the file is not a checkpoint. */
function checkpointBytesOf(path: string, maxBytes: number): Buffer | undefined {
  const shown = `--checkpoint ${shownWordOf(path)}`;
  try {
    // `writeCheckpoint` renames a new file in the folder to the checkpoint's name. So the folder must be writable.
    accessSync(dirname(path), constants.W_OK);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    if (!stat.isFile()) throw new UsageError("unusable-checkpoint", `${shown}: is not a regular file`);
    const bytes = readFileStart(path, maxBytes);
    if (stat.size <= mostBytes && bytes.toString("latin1", 0, opening.length) === opening) return bytes;
    throw new UsageError("unusable-checkpoint", `${shown}: is not a checkpoint, and would be overwritten`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError("unusable-checkpoint", `${shown}: ${reasonOf(error)}`);
  }
}

/**
 * Atomically replaces the file with a new checkpoint: writes a temporary file with a random name in the same folder, and renames this file.
 * Rejects with an error when writing or renaming fails, and when another process replaces one of the two files. A failure before the rename
 * leaves the checkpoint's file unchanged.
 */
export async function writeCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  const target = existsSync(path) ? realpathSync(path) : targetOf(path);
  const folder = dirname(target);
  const temporary = join(
    folder,
    `${temporaryNameOf(target)}${process.getBuiltinModule("node:crypto").randomUUID()}.tmp`,
  );
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
    // Another user with write access to the folder may have replaced the temporary file. Then the rename would install a forged checkpoint.
    if (!isStillAt(temporary, made)) throw new Error(`${shownWordOf(temporary)} was replaced while it was written`);
    await rename(temporary, target);
    isRenamed = true;
    if (!isStillAt(target, made)) throw new Error("was replaced while it was written");
  } finally {
    if (!isRenamed) removeIfStillAt(temporary, made);
  }
  await syncFolder(folder);
}

/** Removes a file that this program made, if it is still at its path. */
function removeIfStillAt(path: string, made: Stats): void {
  try {
    if (isStillAt(path, made)) unlinkSync(path);
  } catch {
    // The file cannot be removed, so it stays.
  }
}

/**
 * Removes the temporary files of this checkpoint that earlier, killed processes left behind. The caller must hold the lock of the
 * checkpoint. Stops without an error at a file that cannot be removed.
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
    // The error is ignored, because a leftover temporary file is small and harmless.
  }
}

const randomEnding = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/;

/** The beginning of the names of a checkpoint's temporary files, before the random part. It has the same length for every checkpoint. */
function temporaryNameOf(target: string): string {
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256").update(basename(target)).digest("hex");
  return `.robots-stream-${hash.slice(0, 16)}-`;
}

/** Syncs a folder to disk, if the system supports it. After that, a renamed file keeps its new name when the machine crashes. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // The error is ignored, because Windows and some file systems cannot sync a folder.
  }
}

const betweenCrcAndBody = '","checkpoint":';

/** Returns the text of a checkpoint's file: one JSON document with the checkpoint and the CRC-32 of its JSON text. */
export function fileTextOf(checkpoint: Checkpoint): string {
  const body = JSON.stringify(checkpoint);
  return `${opening}${crcOf(Buffer.from(body))}${betweenCrcAndBody}${body}}\n`;
}

function crcOf(body: Uint8Array): string {
  return process.getBuiltinModule("node:zlib").crc32(body).toString(16).padStart(8, "0");
}

/**
 * Returns the checkpoint in the bytes of a file; undefined if the file has another form or the CRC-32 does not match. The CRC-32 detects
 * damage, not manipulation. It is computed over bytes, because damaged bytes may not be valid text.
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
