// Returns the text of a source after the position that an earlier run reached. Throws when the source has changed since.
import { hint, option } from "../common/caller-words.ts";
import { closeSync, readSync, statSync } from "node:fs";
import { reasonOf, UsageError } from "../common/errors.ts";
import { openToRead } from "../files/open-file.ts";
import { type Fingerprint, fingerprintOf, type ResumePoint } from "../records/batch.ts";
import { type FileState, nameOf } from "./source.ts";

/** A position in one of the sources of a run. Plain data. */
export interface InputPlace extends ResumePoint {
  /** The index of the source, from 0. */
  readonly source: number;
  /** The name of the format in which the source is read. */
  readonly format: string;
  readonly lineEnd: "\n" | "\r";
  /** Fingerprint of the first bytes of the source's text. */
  readonly beginning: Fingerprint;
  /** Size and time of a regular file; null for other kinds. */
  readonly file: FileState | null;
  /** Whether the source's text equals its bytes, so that a regular file can be read from the position on. */
  readonly isPlain: boolean;
}

/** Whether reading can begin at the position, without reading the text before it. */
export function isSeekable({ file, isPlain }: InputPlace): boolean {
  return file !== null && isPlain;
}

/** Throws a `UsageError` when the source was a regular file, and the file at `path` is another one or has changed. */
export function checkUnchanged(path: string, place: InputPlace): void {
  const { file, offset, beginning, before } = place;
  if (file === null) return;
  let handle: number | undefined;
  try {
    if (!statSync(path).isFile()) throw changed(path, "is not a regular file any more");
    const { fd, stat: now } = openToRead(path, ["file"]);
    handle = fd;
    if (now.size !== file.bytes) throw changed(path, `has ${now.size} bytes by now, and had ${file.bytes}`);
    if (now.mtimeMs !== file.modifiedMs) throw changed(path, "was written to meanwhile");
    if (!isSeekable(place)) return;
    const read = (start: number, bytes: number): Uint8Array => {
      const buffer = Buffer.alloc(bytes);
      return buffer.subarray(0, readSync(handle!, buffer, 0, bytes, start));
    };
    refuseOther(path, beginning, read(0, beginning.bytes));
    refuseOther(path, before, read(offset - before.bytes, before.bytes));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError("unreadable-input", `${nameOf(path)}: ${reasonOf(error)}`);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/**
 * Yields the part of `text` after the position; `text` begins at the beginning of the source. Throws a `UsageError` when the text before
 * the position has changed.
 */
export async function* textBehind(
  text: AsyncIterable<Uint8Array>,
  path: string,
  { offset, beginning, before }: InputPlace,
): AsyncGenerator<Uint8Array> {
  let first = Buffer.alloc(0);
  let last = Buffer.alloc(0);
  // The fingerprinted beginning may be longer than the text before the position. The text between them is held until all is compared.
  let held = Buffer.alloc(0);
  let at = 0;
  let isSame = false;
  for await (const chunk of text) {
    if (isSame) {
      yield chunk;
      continue;
    }
    const skipped = chunk.subarray(0, offset - at);
    at += skipped.length;
    if (first.length < beginning.bytes) {
      first = Buffer.concat([first, chunk.subarray(0, beginning.bytes - first.length)]);
      if (first.length === beginning.bytes) refuseOther(path, beginning, first);
    }
    last = Buffer.concat([last, skipped.subarray(-before.bytes)]);
    if (last.length > before.bytes) last = last.subarray(last.length - before.bytes);
    const rest = chunk.subarray(skipped.length);
    if (at < offset || first.length < beginning.bytes) {
      held = Buffer.concat([held, rest]);
      continue;
    }
    refuseOther(path, before, last);
    isSame = true;
    if (held.length > 0) yield held;
    if (rest.length > 0) yield rest;
  }
  if (at < offset || first.length < beginning.bytes) {
    throw changed(path, `ends after ${at + held.length} bytes of text`);
  }
}

function refuseOther(path: string, expected: Fingerprint, bytes: Uint8Array): void {
  const { bytes: count, crc } = fingerprintOf(bytes);
  if (count !== expected.bytes || crc !== expected.crc) throw changed(path, "has different content now");
}

function changed(path: string, how: string): UsageError {
  return new UsageError(
    "changed-input",
    `${nameOf(path)}: ${how}, so the checkpoint does not match it`,
    hint`without ${option("resume")} the run starts over and replaces its output`,
  );
}
