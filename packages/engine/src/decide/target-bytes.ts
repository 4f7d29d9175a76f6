// A target as text in, its UTF-8 bytes out, in one buffer that is reused for each target.

/** Holds the bytes of one target at a time. */
export class TargetBytes {
  /** The target is in the first `size` bytes. */
  bytes: Buffer = Buffer.alloc(1_024);
  size = 0;

  /** Writes a target; returns its size in bytes. */
  write(target: string): number {
    // A UTF-16 unit takes at most three bytes in UTF-8.
    if (this.bytes.length < target.length * 3) this.bytes = Buffer.allocUnsafe(target.length * 6);
    return (this.size = this.bytes.write(target));
  }
}
