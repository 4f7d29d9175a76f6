// Determines the valid length of a run's regular output file for a checkpoint, and truncates the file to that length on resumption.
import { fdatasync, fstatSync, ftruncateSync, readSync } from "node:fs";
import { type Fingerprint, fingerprintOf, mostFingerprintBytes, UsageError } from "@robots-stream/engine/internal";
import type { FilePlace } from "./types.ts";

/** An output file of a run with a checkpoint, open for reading and writing. */
export class KeptFile {
  /** Offset at which this run began to write. */
  readonly begin: number;
  readonly #fd: number;
  readonly #written: () => number;

  /** `written` returns the bytes written since `begin`. */
  constructor(fd: number, begin: number, written: () => number) {
    this.#fd = fd;
    this.begin = begin;
    this.#written = written;
  }

  /** Length of the file up to this run's last byte. */
  get bytes(): number {
    return this.begin + this.#written();
  }

  /** Resolves when the written bytes are on the disk. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) =>
      fdatasync(this.#fd, (error) => (error === null ? resolve() : reject(error))),
    );
  }

  /** The file's place in a checkpoint that declares the first `bytes` bytes valid. */
  placeAt(bytes: number): FilePlace {
    return { bytes, before: fingerprintAt(this.#fd, bytes) };
  }
}

/**
 * Truncates a file to the valid length that a checkpoint records; without a checkpoint the file must be empty. Throws a `UsageError`
 * and leaves the file unchanged when its content does not match the checkpoint. `shown` is the file's name in messages.
 */
export function cutToPlace(fd: number, shown: string, place: FilePlace | undefined): void {
  const { size } = fstatSync(fd);
  if (place === undefined) {
    if (size === 0) return;
    throw new UsageError(
      "changed-output",
      `${shown}: has ${size} bytes that no checkpoint accounts for`,
      "without --resume it is replaced",
    );
  }
  const { bytes, before } = place;
  const seen = size < bytes ? undefined : fingerprintAt(fd, bytes);
  if (seen === undefined || seen.bytes !== before.bytes || seen.crc !== before.crc) {
    const how = seen === undefined ? `has ${size} bytes, and had ${bytes}` : "has other content now";
    throw new UsageError(
      "changed-output",
      `${shown}: ${how}, so the checkpoint does not fit it`,
      "without --resume the run starts over and replaces it",
    );
  }
  if (size > bytes) ftruncateSync(fd, bytes);
}

function fingerprintAt(fd: number, end: number): Fingerprint {
  const bytes = Buffer.alloc(Math.min(end, mostFingerprintBytes));
  return fingerprintOf(bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, end - bytes.length)));
}
