// Reads a whole source, such as stdin or a named pipe, into one buffer.
import { IoError } from "@robots-stream/engine";
import type { openSource } from "@robots-stream/engine/internal";

/** A source that `openSource` has opened. */
export type Source = ReturnType<typeof openSource>;

/**
 * Resolves to the bytes of a source, at most `mostBytes`, and closes the source. Rejects with an `IoError` that names the source, or with
 * the signal's reason.
 */
export async function readAll(
  source: Source,
  mostBytes: number,
  shown: string,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = (): void => source.destroy();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    signal?.throwIfAborted();
    for await (const chunk of source.chunks) {
      // The bytes are copied, because the source may reuse the chunk's memory.
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      chunks.push(bytes);
      if (size >= mostBytes) break;
    }
    // The chunks of a destroyed source end without an error, so only the signal shows that reading was stopped.
    signal?.throwIfAborted();
  } catch (error) {
    signal?.throwIfAborted();
    throw new IoError("input", shown, error);
  } finally {
    signal?.removeEventListener("abort", stop);
    source.destroy();
  }
  return Buffer.concat(chunks).subarray(0, mostBytes);
}
