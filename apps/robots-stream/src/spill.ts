// Records for which there is no room in memory in, the same records out in the order they came: one file in the folder
// for temporary files, which is gone when the process is, however it ends.
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IoError } from "./exit.ts";

/** Bytes that are written and read at once. */
const pieceBytes = 256 * 1_024;
/** A record's number of its origin, and the lengths of its head and its target. */
const headerBytes = 12;

/** One record that was read; valid until the next one is. */
export interface SpilledRecord {
  readonly bytes: Buffer;
  readonly origin: number;
  readonly headStart: number;
  readonly headEnd: number;
  readonly targetEnd: number;
}

/** A queue of records in a file that is made with the first one. Throws an `IoError` when the system does. */
export class Spill {
  /** Records in it. */
  count = 0;
  /** Bytes of them. */
  bytes = 0;
  readonly #folder: string;
  #file: number | undefined;
  #path: string | undefined;
  #pending = Buffer.alloc(0);
  #pendingBytes = 0;
  #writtenTo = 0;
  /** What was read last, from #at to #end, and where the file goes on behind it. */
  #piece = Buffer.alloc(0);
  #at = 0;
  #end = 0;
  #readTo = 0;

  constructor(folder: string = tmpdir()) {
    this.#folder = folder;
  }

  /** Adds a record. */
  push(origin: number, heads: Buffer, start: number, end: number, target: string): void {
    const size = headerBytes + end - start + target.length;
    if (this.#pendingBytes + size > this.#pending.length) {
      this.#flush();
      if (size > this.#pending.length) this.#pending = Buffer.allocUnsafeSlow(Math.max(size, pieceBytes));
    }
    let to = this.#pending.writeUInt32LE(origin, this.#pendingBytes);
    to = this.#pending.writeUInt32LE(end - start, to);
    to = this.#pending.writeUInt32LE(target.length, to);
    to += heads.copy(this.#pending, to, start, end);
    this.#pendingBytes = to + this.#pending.write(target, to, "latin1");
    this.count++;
    this.bytes += size;
  }

  /** Takes the first record; undefined when there is none. */
  shift(): SpilledRecord | undefined {
    if (this.count === 0) return undefined;
    if (this.#end - this.#at < headerBytes) this.#read(headerBytes);
    let size = headerBytes + this.#piece.readUInt32LE(this.#at + 4) + this.#piece.readUInt32LE(this.#at + 8);
    if (this.#end - this.#at < size) this.#read(size);
    const bytes = this.#piece;
    const origin = bytes.readUInt32LE(this.#at);
    const headStart = this.#at + headerBytes;
    const headEnd = headStart + bytes.readUInt32LE(this.#at + 4);
    size = headEnd + bytes.readUInt32LE(this.#at + 8) - this.#at;
    this.#at += size;
    this.count--;
    this.bytes -= size;
    return { bytes, origin, headStart, headEnd, targetEnd: this.#at };
  }

  /** Gives the file's room back when nothing is in it. */
  trim(): void {
    if (this.count > 0 || this.#file === undefined || this.#writtenTo === 0) return;
    ftruncateSync(this.#file, 0);
    this.#writtenTo = this.#readTo = this.#at = this.#end = 0;
  }

  /** Forgets all, and removes the file. */
  close(): void {
    this.count = this.bytes = 0;
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
    process.off("exit", this.#remove);
    this.#remove();
  }

  /** So much and more of the file from #at on. */
  #read(size: number): void {
    if (this.#readTo + size - (this.#end - this.#at) > this.#writtenTo) this.#flush();
    const piece = Buffer.allocUnsafeSlow(Math.max(size, pieceBytes));
    let end = this.#piece.copy(piece, 0, this.#at, this.#end);
    while (end < size) {
      const length = readSync(this.#file!, piece, end, piece.length - end, this.#readTo);
      if (length === 0) throw new IoError("spill", this.#folder, new Error("what was written is not there"));
      end += length;
      this.#readTo += length;
    }
    this.#piece = piece;
    this.#at = 0;
    this.#end = end;
  }

  #flush(): void {
    if (this.#pendingBytes === 0) return;
    try {
      this.#file ??= this.#open();
      for (let from = 0; from < this.#pendingBytes;) {
        const length = writeSync(this.#file, this.#pending, from, this.#pendingBytes - from, this.#writtenTo);
        from += length;
        this.#writtenTo += length;
      }
    } catch (error) {
      throw new IoError("spill", this.#folder, error);
    }
    this.#pendingBytes = 0;
  }

  #open(): number {
    const path = join(this.#folder, `robots-stream-${randomUUID()}.spill`);
    const file = openSync(path, "wx+", 0o600);
    this.#path = path;
    // Where an open file can be removed, nothing is left to remove later.
    this.#remove();
    if (this.#path !== undefined) process.on("exit", this.#remove);
    return file;
  }

  readonly #remove = (): void => {
    if (this.#path === undefined) return;
    try {
      unlinkSync(this.#path);
      this.#path = undefined;
    } catch {
      // Windows keeps open files; at the exit it is tried again.
    }
  };
}
