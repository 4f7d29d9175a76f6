// A regular file that a run writes, its place in a checkpoint out; or the file cut to that place, for a run that goes on.
import { fdatasync, fstatSync, ftruncateSync, readSync } from "node:fs";
import { type Fingerprint, fingerprintOf, mostFingerprintBytes, UsageError } from "@robots-stream/engine/internal";
import type { FilePlace } from "./types.ts";

/** A file that is open for reading and writing. */
export class KeptFile {
  /** Where this run began to write. */
  readonly begin: number;
  readonly #fd: number;
  readonly #written: () => number;

  /** `written` tells how many bytes are in the file by now since it was at `begin`. */
  constructor(fd: number, begin: number, written: () => number) {
    this.#fd = fd;
    this.begin = begin;
    this.#written = written;
  }

  /** How long the file is as far as it is this run's. */
  get bytes(): number {
    return this.begin + this.#written();
  }

  /** Resolves when what was written would outlast the machine. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) =>
      fdatasync(this.#fd, (error) => (error === null ? resolve() : reject(error))),
    );
  }

  /** For a checkpoint that says that so many bytes are valid. */
  placeAt(bytes: number): FilePlace {
    return { bytes, before: fingerprintAt(this.#fd, bytes) };
  }
}

/**
 * Cuts a file to what a checkpoint says is valid of it; without a checkpoint it has to be empty. Throws a `UsageError` when it
 * is another file by now, and leaves it as it is. `shown` is what names it in messages.
 */
export function cutToPlace(fd: number, shown: string, place: FilePlace | undefined): void {
  const { size } = fstatSync(fd);
  if (place === undefined) {
    if (size === 0) return;
    throw new UsageError(
      "changed-output",
      `${shown}: has ${size} bytes, and there is no checkpoint that says what they are`,
      "without --resume it is replaced",
    );
  }
  const { bytes, before } = place;
  const seen = size < bytes ? undefined : fingerprintAt(fd, bytes);
  if (seen === undefined || seen.bytes !== before.bytes || seen.crc !== before.crc) {
    const how = seen === undefined ? `has ${size} bytes, and had ${bytes}` : "holds something else by now";
    throw new UsageError(
      "changed-output",
      `${shown}: ${how}, so the checkpoint does not fit it`,
      "without --resume the run begins anew, and replaces it",
    );
  }
  if (size > bytes) ftruncateSync(fd, bytes);
}

function fingerprintAt(fd: number, end: number): Fingerprint {
  const bytes = Buffer.alloc(Math.min(end, mostFingerprintBytes));
  return fingerprintOf(bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, end - bytes.length)));
}
