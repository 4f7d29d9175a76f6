// A file for rows or rejects, of which a checkpoint declares the beginning valid. A resumed run checks these bytes and writes after them.
import { fdatasync, fstatSync } from "node:fs";
import { UsageError } from "@robots-stream/engine";
import { fingerprintAt } from "@robots-stream/engine/internal";
import { FileOutput, type FileOutputOptions } from "../../../cli/file-output.ts";
import { openWritableFile, type WritableFile, type WritableFileOptions } from "../../../cli/writable-file.ts";

/** The valid length of a file in bytes, and a fingerprint of the last bytes before that length. The fingerprint identifies the file. */
export interface FilePlace {
  readonly bytes: number;
  readonly before: ReturnType<typeof fingerprintAt>;
}

/** A stream into a regular file. In a run with a checkpoint, the file is open for reading, too. */
export class KeptFile extends FileOutput {
  /** Offset in the file at which this process began to write. */
  readonly begin: number;

  constructor(fd: number, options: FileOutputOptions & { readonly begin: number }) {
    super(fd, options);
    this.begin = options.begin;
  }

  /** Offset after the last byte that this process has written. */
  get bytes(): number {
    return this.begin + this.written;
  }

  /** Resolves when the written bytes are on the disk. Rejects with the system's error. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) =>
      fdatasync(this.fd, (error) => (error === null ? resolve() : reject(error))),
    );
  }

  /** Returns the valid length `bytes` with the fingerprint of the bytes before it, which are read from the file. */
  placeAt(bytes: number): FilePlace {
    return { bytes, before: fingerprintAt(this.fd, bytes) };
  }
}

/**
 * Opens a file for a `KeptFile`. Throws a `UsageError` as `openWritableFile` does. In a resumed run, with `earlier`, also throws one if the
 * file does not begin with the bytes of `place`, and without a place unless the file is empty.
 */
export function openKeptFile(
  options: WritableFileOptions,
  earlier?: { readonly place: FilePlace | undefined },
): WritableFile {
  const opened = openWritableFile(options);
  try {
    if (earlier !== undefined) checkPlace(opened, earlier.place);
  } catch (error) {
    opened.undo();
    throw error;
  }
  return opened;
}

function checkPlace({ fd, shown }: WritableFile, place: FilePlace | undefined): void {
  const { size } = fstatSync(fd);
  const refusal = (how: string, hint: string): UsageError =>
    new UsageError("changed-output", `${shown}: ${how}`, `without --resume ${hint}`);
  if (place === undefined) {
    if (size > 0) throw refusal(`has ${size} bytes that no checkpoint accounts for`, "it is replaced");
    return;
  }
  const { bytes, before } = place;
  const seen = size < bytes ? undefined : fingerprintAt(fd, bytes);
  if (seen?.bytes === before.bytes && seen.crc === before.crc) return;
  const how = seen === undefined ? `has ${size} bytes, and had ${bytes}` : "has different content now";
  throw refusal(`${how}, so the checkpoint does not match it`, "the run starts over and replaces it");
}
