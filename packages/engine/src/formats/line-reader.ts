// Reads chunks of bytes line by line and yields batches of records: the shared part of the readers for formats with one record per
// line. Calls the format's `LineTaker` at most twice per line.
import { type Block, blocksOf, keptOf, mostRejectsAtOnce, placeIn, tooLong } from "../records/blocks.ts";
import type { ReadOptions } from "./input-format.ts";
import type { Batch, ReaderKnowledge, Reject } from "../records/batch.ts";
import { type PackedRecords, noRecords } from "../records/packed.ts";
import { isSpace } from "../records/words.ts";

/** The reason why a line is a reject. */
export type LineProblem = Pick<Reject, "code" | "message">;

/** Takes the lines of one source. */
export interface LineTaker {
  /** Begins a block: the following lines are in it. */
  begin(block: Block): void;
  /**
   * Takes, as bytes, the line at offset `start` of the block; returns the offset of the next line. Returns -1 and changes nothing for a
   * line that needs `take`. Throws as `take` does.
   */
  takePlain(start: number): number;
  /**
   * Takes one line: adds a record to the block's records, or a reject to `rejects`, or nothing. `line` is not empty and has no line end;
   * it begins at offset `start` of the block. `number` is its line number, from 1. Throws a `UsageError` for a first record that cannot be
   * read.
   */
  take(line: string, number: number, rejects: Reject[], start: number): void;
  /** Ends a block; returns its records. If the records refer to the block's bytes, their `recycle` calls the `recycle` of the block. */
  end(): PackedRecords;
  /** The state with which another reader can continue after the last line; undefined when there is no such state yet. */
  known(): ReaderKnowledge | undefined;
}

/** Reads lines. Lines over the limit become rejects; empty lines are skipped. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  { source, lineEnd, maxLineBytes, givesPlaces, from }: ReadOptions,
  taker: LineTaker,
): AsyncGenerator<Batch> {
  let number = from?.line ?? 0;
  for await (const block of blocksOf(chunks, lineEnd, maxLineBytes, from?.offset)) {
    const { bytes, overlong } = block;
    let rejects: Reject[] = [];
    let next = 0;
    let failure: { readonly error: unknown } | undefined;
    taker.begin(block);
    try {
      while (next < bytes.length) {
        if (rejects.length >= mostRejectsAtOnce) {
          yield { records: noRecords(), rejects };
          rejects = [];
        }
        number++;
        const start = next;
        if (!overlong) {
          const after = taker.takePlain(start);
          if (after >= 0) {
            next = after;
            continue;
          }
        }
        const { text } = block;
        const lineEndAt = text.indexOf(lineEnd, start);
        let end = lineEndAt < 0 ? text.length : lineEndAt;
        next = end + 1;
        // A carriage return at the end of an overlong block is not part of a line end, because the line continues after the block.
        while (!overlong && end > start && text.charCodeAt(end - 1) === 0x0d) end--;
        if (overlong || end - start > maxLineBytes) {
          const kept = keptOf("too-long", text.slice(start, end), maxLineBytes);
          rejects.push({ source, line: number, code: "too-long", message: tooLong(maxLineBytes), ...kept });
          if (overlong) break;
        } else if (end > start) taker.take(text.slice(start, end), number, rejects, start);
      }
    } catch (error) {
      failure = { error };
    }
    const known = givesPlaces === true && !overlong && failure === undefined ? taker.known() : undefined;
    const place = known === undefined ? undefined : placeIn(block, 0, number, known);
    const records = taker.end();
    if (records.count > 0 || rejects.length > 0) yield { records, rejects, place };
    else records.recycle?.();
    // The earlier records and rejects were yielded first: with smaller chunks, an earlier batch would have contained them.
    if (failure !== undefined) throw failure.error;
  }
}

/** Makes the reject of a line. */
export function rejectOf(source: string, line: number, code: Reject["code"], message: string, text: string): Reject {
  return { source, line, code, message, ...keptOf(code, text, Infinity) };
}

/**
 * The text without spaces, tabs and line ends at its beginning and end. trim() would also remove the byte A0, which may be part of a
 * letter.
 */
export function trimmed(line: string): string {
  let start = 0;
  let end = line.length;
  while (start < end && isSpace(line.charCodeAt(start))) start++;
  while (start < end && isSpace(line.charCodeAt(end - 1))) end--;
  return line.slice(start, end);
}
