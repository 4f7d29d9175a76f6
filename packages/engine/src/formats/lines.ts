// The input format of plain lists: one URL per line.
import { urlTextOf } from "../common/text.ts";
import { type LineTaker, readLines, trimmed } from "./line-reader.ts";
import { checkFixedFields } from "./asked-fields.ts";
import type { InputFormat, ReadOptions } from "./input-format.ts";
import type { ReaderKnowledge } from "../records/batch.ts";
import type { Block } from "../records/blocks.ts";
import type { PackedRecords } from "../records/packed.ts";
import { RowHeads } from "../records/row-heads.ts";
import { markedAt, putBytes, putWords, viewBeyond, type Words, wordsOf } from "../records/words.ts";

/** A list of URLs. */
export const lines: InputFormat = {
  name: "lines",
  about: "one URL per line",
  endings: [".txt", ".urls", ".list"],
  recordsAreLines: true,
  samples: {
    record: "{url}",
    // Every line is a URL, absolute or not.
    broken: [],
    fragments: ["https://a.example/", "x", "/a", "//b", " "],
  },
  recognize: () => "guess",
  read: (chunks, options) => readLines(chunks, options, new ListedUrls(options)),
};

const names = ["url"];

const space = 0x20;
const carriageReturn = 0x0d;
const quote = 0x22;
/** Passed to `markedAt` as `stops`. `markedAt` also finds quotes, backslashes and all other control characters. */
const lineFeeds = 0x0a0a0a0a;

class ListedUrls implements LineTaker {
  readonly #options: ReadOptions;
  readonly #heads = new RowHeads();
  /** The bytes before a URL in a head; undefined when `take` must make the heads. */
  readonly #opening: Words | undefined;
  readonly #lineEnd: number;
  #block: Block | undefined;
  #view: DataView = noView;

  constructor(options: ReadOptions) {
    const { base, lineEnd, writer } = options;
    // Passes no delimiter: an input line is never copied unchanged as an output row, because its URL may contain the output's delimiter.
    writer.startRows(names, undefined);
    this.#options = options;
    this.#lineEnd = lineEnd.charCodeAt(0);
    const [opening] = writer.memberOpenings() ?? [];
    // With a base, `take` makes the heads.
    this.#opening = opening === undefined || base !== undefined ? undefined : wordsOf(`${opening}"`);
  }

  begin(block: Block): void {
    // An empty list has no record without a field, so nothing is checked before its first bytes.
    if (this.#block === undefined) checkFixedFields(this.#options, { names });
    this.#block = block;
    this.#view = viewBeyond(block.bytes);
    this.#heads.begin(block.bytes.length);
  }

  take(line: string): void {
    const url = trimmed(line);
    if (url !== "") this.#heads.add(this.#options.writer.headOfFields(names, [url]), urlTextOf(url));
  }

  end(): PackedRecords {
    // The heads are copies, so nothing refers to the block any more.
    this.#block!.recycle();
    return this.#heads.finish();
  }

  known(): ReaderKnowledge {
    return {};
  }

  /** Takes a line that needs no escape in a JSON string and has no space at its beginning or end. */
  takePlain(start: number): number {
    const opening = this.#opening;
    if (opening === undefined) return -1;
    const { bytes } = this.#block!;
    const view = this.#view;
    const heads = this.#heads;
    const at = markedAt(view, start, lineFeeds);
    if (at < 0) return -1;
    const lineEnd = this.#lineEnd;
    const lineEndAt = bytes[at] === carriageReturn && lineEnd !== carriageReturn ? at + 1 : at;
    const isPlain = bytes[lineEndAt] === lineEnd && at > start && at - start <= this.#options.maxLineBytes;
    if (!isPlain || bytes[start] === space || bytes[at - 1] === space) return -1;
    heads.makeRoom(opening.length + at - start + 8);
    const urlStart = putWords(opening, heads.view, heads.to);
    const urlEnd = putBytes(view, start, at, heads.view, urlStart);
    heads.view.setInt8(urlEnd, quote);
    heads.packed.push(heads.to, urlEnd + 1, urlStart, urlEnd);
    heads.to = urlEnd + 1;
    return lineEndAt + 1;
  }
}

const noView = new DataView(new ArrayBuffer(0));
