// Chunks of bytes in, batches of records out, with one function call per line: the shared part of readers of one record per line.
import { type Block, blocksOf, keptOf, mostRejectsAtOnce, placeIn } from "../records/blocks.ts";
import type { Batch, ReadOptions, ReaderKnowledge, Reject } from "../records/batch.ts";

/**
 * Adds the content of one line to the batch: a record, a reject, or nothing. Lines have no line end, begin at offset `start`
 * of the block, and are not empty. Throws a `UsageError` for a first record that cannot be read.
 */
export type TakeLine = (line: string, number: number, batch: Batch, block: Block, start: number) => void;

/**
 * Reads lines. Lines over the limit become rejects; empty lines are skipped. `knownOf` returns the state that `take` needs to
 * continue with a later line; undefined when there is no such state yet.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  { source, lineEnd, maxLineBytes, agentField, time, givesPlaces, from }: ReadOptions,
  take: TakeLine,
  knownOf: () => ReaderKnowledge | undefined,
): AsyncGenerator<Batch> {
  let number = from?.line ?? 0;
  for await (const block of blocksOf(chunks, lineEnd, maxLineBytes, from?.offset)) {
    const { text, overlong } = block;
    const batch: Batch = {
      heads: [],
      urls: [],
      rejects: [],
      ...(agentField === undefined ? {} : { agents: [] }),
      ...(time === undefined ? {} : { times: [] }),
    };
    let next = 0;
    let failure: { readonly error: unknown } | undefined;
    while (next < text.length) {
      if (batch.rejects.length >= mostRejectsAtOnce) yield { heads: [], urls: [], rejects: batch.rejects.splice(0) };
      number++;
      const start = next;
      const lineEndAt = text.indexOf(lineEnd, next);
      let end = lineEndAt < 0 ? text.length : lineEndAt;
      next = end + 1;
      // An overlong line continues after the block: its last byte is not a line end.
      while (!overlong && end > start && text.charCodeAt(end - 1) === 0x0d) end--;
      if (overlong || end - start > maxLineBytes) {
        const message = `is longer than ${maxLineBytes} bytes (--max-line-bytes)`;
        batch.rejects.push({
          ...rejectOf(source, number, "too-long", message, ""),
          ...keptOf("too-long", text.slice(start, end), maxLineBytes),
        });
        if (overlong) break;
        continue;
      }
      if (end === start) continue;
      try {
        take(text.slice(start, end), number, batch, block, start);
      } catch (error) {
        failure = { error };
        break;
      }
    }
    const known = givesPlaces === true && !overlong && failure === undefined ? knownOf() : undefined;
    const place = known === undefined ? undefined : placeIn(block, 0, number, known);
    block.recycle();
    const isEmpty = batch.heads.length === 0 && batch.rejects.length === 0;
    if (!isEmpty) yield place === undefined ? batch : { ...batch, place };
    // Earlier records and rejects are given out first, as they would be with other chunks.
    if (failure !== undefined) throw failure.error;
  }
}

/** A reject of a line. */
export function rejectOf(source: string, line: number, code: Reject["code"], message: string, text: string): Reject {
  return { source, line, code, message, ...keptOf(code, text, Infinity) };
}

/** A line without surrounding spaces and tabs. Not trim(): it would remove the byte A0, which may be part of a letter. */
export function trimmed(line: string): string {
  let start = 0;
  let end = line.length;
  while (start < end && isSpace(line.charCodeAt(start))) start++;
  while (start < end && isSpace(line.charCodeAt(end - 1))) end--;
  return line.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d || code === 0x0a;
}
