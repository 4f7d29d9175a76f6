// Records the valid length of an output file in a checkpoint, and checks that the file has these bytes when the run is resumed.
import { fdatasync, fstatSync } from "node:fs";
import { UsageError } from "@robots-stream/engine";
import { fingerprintAt } from "@robots-stream/engine/internal";
import type { FilePlace } from "./types.ts";

/** A regular file of rows or rejects, open for reading and writing, in a run with a checkpoint. */
export class KeptFile {
  /** Offset in the file at which this process began to write. */
  readonly begin: number;
  readonly #fd: number;
  readonly #written: () => number;

  /** `written` returns the number of bytes that this process has written, starting at the offset `begin`. */
  constructor(fd: number, begin: number, written: () => number) {
    this.#fd = fd;
    this.begin = begin;
    this.#written = written;
  }

  /** Offset after the last byte that this process has written. */
  get bytes(): number {
    return this.begin + this.#written();
  }

  /** Resolves when the written bytes are on the disk. Rejects with the system's error. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) =>
      fdatasync(this.#fd, (error) => (error === null ? resolve() : reject(error))),
    );
  }

  /** Returns the valid length `bytes` with the fingerprint of the bytes before it, which are read from the file. */
  placeAt(bytes: number): FilePlace {
    return { bytes, before: fingerprintAt(this.#fd, bytes) };
  }
}

/**
 * Throws a `UsageError` if the bytes before the valid length in `place` do not match `place`. If `place` is undefined, throws a `UsageError`
 * unless the file is empty. `shown`: the file's name in messages. The first write of the run truncates the file to the valid length.
 */
export function checkPlace(fd: number, shown: string, place: FilePlace | undefined): void {
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
    const how = seen === undefined ? `has ${size} bytes, and had ${bytes}` : "has different content now";
    throw new UsageError(
      "changed-output",
      `${shown}: ${how}, so the checkpoint does not match it`,
      "without --resume the run starts over and replaces it",
    );
  }
}
