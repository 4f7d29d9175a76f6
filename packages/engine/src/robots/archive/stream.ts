// The bytes of a file or a pipe with robots.txt files in, their kind and the decompressed bytes out: the beginning of archives and histories.
import type { Compression, UsageError } from "../../common/errors.ts";
import { peekBytes } from "../../sources/peek.ts";
import { unpack } from "../../sources/unpack.ts";
import { archiveHint, kindOfBeginning, tellingBytes, unusable } from "../saved-kind.ts";

/** The content of a file or pipe with robots.txt files, decompressed. */
export interface SavedStream {
  /** "file": one robots.txt, which was not compressed. */
  readonly kind: "file" | "ndjson" | "warc";
  readonly compression: Compression | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The first `tellingBytes` bytes, or all of them. */
  readonly beginning: Uint8Array;
}

/** Decompresses the content of the path of an option. Rejects with a `UsageError` for what `kindOfBeginning` refuses, and for a cache. */
export async function openSavedStream(path: string, packed: AsyncIterable<Uint8Array>): Promise<SavedStream> {
  const { compression, chunks } = await unpack(packed);
  const peeked = await peekBytes(chunks, tellingBytes);
  const beginning = peeked.beginning.subarray(0, tellingBytes);
  const kind = kindOfBeginning(path, beginning);
  if (kind === "ndjson" || kind === "warc" || (kind === "file" && compression === undefined)) {
    return { kind, compression, chunks: peeked.chunks, beginning };
  }
  throw unusable(path, "is compressed, and neither a WARC file nor an NDJSON export of a cache", archiveHint);
}

/** The error for a stream without an entry; `first`: the first of its damaged entries. */
export function withoutEntries(path: string, kind: "ndjson" | "warc", first: string | undefined): UsageError {
  const what = kind === "ndjson" ? "is not an NDJSON export of a cache" : "is a WARC file without a robots.txt";
  return unusable(path, first === undefined ? what : `${what}: ${first}`, archiveHint);
}
