// A target as a text in, its UTF-8 bytes out, in one buffer for one target after another.

/** The bytes of one target at a time. */
export class TargetBytes {
  /** The target, its first `size` bytes. */
  bytes: Buffer = Buffer.alloc(1_024);
  size = 0;

  /** Writes a target; gives its bytes' number. */
  write(target: string): number {
    // Three bytes are the most that a UTF-16 unit takes.
    if (this.bytes.length < target.length * 3) this.bytes = Buffer.allocUnsafe(target.length * 6);
    return (this.size = this.bytes.write(target));
  }
}
