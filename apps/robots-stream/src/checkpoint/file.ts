// A checkpoint in, its file out, and back: the file is always a whole checkpoint, the last one or the one before it.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { UsageError, reasonOf } from "../exit.ts";
import { nodeZlib } from "../node-parts.ts";
import { shownWordOf } from "../text.ts";
import type { Checkpoint } from "./types.ts";

/** What every checkpoint begins with. */
const opening = '{"robots-stream checkpoint":1,"crc32":"';

/** No checkpoint is larger: the columns of a table may be many, but not that many. */
const mostBytes = 64 * 1_048_576;

/** Reads a checkpoint; undefined when there is no file. Throws a `UsageError` for one that is damaged, or something else. */
export function readCheckpoint(path: string): Checkpoint | undefined {
  const shown = `--checkpoint ${shownWordOf(path)}`;
  if (!refuseOtherFile(path)) return undefined;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError("unusable-checkpoint", `${shown}: ${reasonOf(error)}`);
  }
  const body = bodyOf(text);
  if (body !== undefined) return body;
  throw new UsageError(
    "unusable-checkpoint",
    `${shown}: is a checkpoint that was cut or changed`,
    "without --resume the run begins anew, and replaces its output",
  );
}

/**
 * Whether there is a file; throws a `UsageError` when it is no checkpoint: then it must be kept from being replaced by one.
 */
export function refuseOtherFile(path: string): boolean {
  const shown = `--checkpoint ${shownWordOf(path)}`;
  let handle: number | undefined;
  try {
    // It is replaced by way of another file beside it.
    accessSync(dirname(path), constants.W_OK);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return false;
    if (!stat.isFile()) throw new UsageError("unusable-checkpoint", `${shown}: is no regular file`);
    handle = openSync(path, "r");
    const beginning = Buffer.alloc(opening.length);
    const isOurs = readSync(handle, beginning) === opening.length && beginning.toString("latin1") === opening;
    if (isOurs && stat.size <= mostBytes) return true;
    throw new UsageError("unusable-checkpoint", `${shown}: is another file, no checkpoint; it would be lost`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError("unusable-checkpoint", `${shown}: ${reasonOf(error)}`);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Replaces the file by another checkpoint, at once. Rejects with the system's error; then the file is what it was. */
export async function writeCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  const target = existsSync(path) ? realpathSync(path) : path;
  const temporary = `${target}.tmp`;
  const body = JSON.stringify(checkpoint);
  const file = await open(temporary, "w");
  try {
    await file.writeFile(`${opening}${crcOf(body)}","checkpoint":${body}}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, target);
  await syncFolder(dirname(target));
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

function crcOf(body: string): string {
  return nodeZlib().crc32(body).toString(16).padStart(8, "0");
}

function bodyOf(text: string): Checkpoint | undefined {
  const crc = text.slice(opening.length, opening.length + 8);
  const begin = opening.length + crc.length + '","checkpoint":'.length;
  const body = text.slice(begin, text.lastIndexOf("}"));
  return text.endsWith("}\n") && crcOf(body) === crc ? (JSON.parse(body) as Checkpoint) : undefined;
}
