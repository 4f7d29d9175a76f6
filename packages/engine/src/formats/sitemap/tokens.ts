// Cuts chunks of XML into tokens: tags, text, comments and so on (XML 1.0, §2 and §3.1). A token is a range of offsets in the source.
// The declarations of a DTD are skipped. `withoutReferences` replaces the references in a text (§4.1 and §4.6).
import { byteStringOf } from "../../common/text.ts";

/**
 * "broken": bytes that begin like markup but are not valid markup, or the first `maxBytes` of a tag or CDATA section that is too long. The
 * next token begins directly after them.
 */
type TokenKind = "text" | "tag" | "comment" | "cdata" | "instruction" | "doctype" | "broken";

/** A token. A text may be several successive tokens. */
export interface Token {
  readonly kind: TokenKind;
  /** Offsets in the source. */
  readonly start: number;
  readonly end: number;
}

const lessThan = 0x3c;
const greaterThan = 0x3e;
const doubleQuote = 0x22;
const singleQuote = 0x27;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** The first characters of markup other than tags. */
const openings: readonly (readonly [kind: TokenKind, opening: string])[] = [
  ["comment", "<!--"],
  ["cdata", "<![CDATA["],
  ["doctype", "<!DOCTYPE"],
  ["instruction", "<?"],
];
const closings: Partial<Record<TokenKind, string>> = { comment: "-->", cdata: "]]>", instruction: "?>" };

/** An unfinished token. */
interface Unfinished {
  readonly kind: TokenKind;
  readonly start: number;
  /**
   * Offset at which the search continues. It never moves back; at most the last bytes, which may begin a delimiter, are examined again.
   */
  next: number;
  /** The quote that is open in a tag or a DTD; 0 for none. */
  quote: number;
  /** Whether the brackets of a DTD are open. */
  isInBrackets: boolean;
  /** Whether a comment in a DTD is open. */
  isInComment: boolean;
}

/**
 * Cuts XML into tokens. All offsets are offsets in the source. The buffer contains all added bytes that `drop` has not removed. A tag or a
 * CDATA section of more than `maxBytes` is "broken".
 */
export class XmlTokens {
  readonly #maxBytes: number;
  readonly #lineEnd: number;
  #bytes: Buffer = Buffer.allocUnsafeSlow(131_072);
  /** The offset in the source of the buffer's first byte. */
  #base: number;
  /** End of the bytes in the buffer. */
  #size = 0;
  /** Offset of the next token. */
  #at: number;
  #unfinished: Unfinished | undefined;
  /** The number, from 1, of the line that contains the byte at `#countedTo`. */
  #line: number;
  #countedTo: number;

  /** `offset`, `lines`: numbers of bytes and lines of the source before the first chunk. */
  constructor(lineEnd: "\n" | "\r", maxBytes: number, offset = 0, lines = 0) {
    this.#lineEnd = lineEnd.charCodeAt(0);
    this.#maxBytes = maxBytes;
    this.#base = this.#at = this.#countedTo = offset;
    this.#line = lines + 1;
  }

  /** Offset of the end of the bytes that were added so far. */
  get end(): number {
    return this.#base + this.#size;
  }

  /**
   * The bytes after the last token, as a token of the unfinished kind ("broken" if unknown); undefined without bytes. Read this only after
   * the last chunk was added and `next` returned undefined.
   */
  get rest(): Token | undefined {
    const { kind = "broken", start = this.#at } = this.#unfinished ?? {};
    return start < this.end ? { kind, start, end: this.end } : undefined;
  }

  /** The smallest offset whose byte the next tokens may need: bytes before it can be dropped. */
  get needed(): number {
    const unfinished = this.#unfinished;
    if (unfinished === undefined) return this.#at;
    const { kind, start, next } = unfinished;
    return kind === "tag" || kind === "cdata" ? start : Math.min(next, this.end);
  }

  add(chunk: Uint8Array): void {
    const size = this.#size + chunk.length;
    if (size > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(size * 2);
      this.#bytes.copy(larger, 0, 0, this.#size);
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#size);
    this.#size = size;
  }

  /** Drops the bytes before an offset. Does nothing when it would have to move more bytes than it drops. */
  drop(before: number): void {
    if (before - this.#base < this.#size / 2) return;
    this.lineAt(Math.max(before, this.#countedTo));
    this.#bytes.copyWithin(0, before - this.#base, this.#size);
    this.#size -= before - this.#base;
    this.#base = before;
  }

  /** The line number, from 1, of an offset. The offset must not be smaller than in the last call. */
  lineAt(offset: number): number {
    const bytes = this.#bytes.subarray(0, offset - this.#base);
    for (let at = this.#countedTo - this.#base; ; at++) {
      at = bytes.indexOf(this.#lineEnd, at);
      if (at < 0) break;
      this.#line++;
    }
    this.#countedTo = offset;
    return this.#line;
  }

  /** The bytes between two offsets, as a Latin-1 string. */
  textOf(start: number, end: number): string {
    return this.#bytes.toString("latin1", start - this.#base, end - this.#base);
  }

  /** The bytes before an offset that are still in the buffer. */
  bytesBefore(offset: number): Uint8Array {
    return this.#bytes.subarray(0, offset - this.#base);
  }

  /** Returns the next token; undefined when more bytes are needed. */
  next(): Token | undefined {
    if (this.#unfinished === undefined) {
      const at = this.#at - this.#base;
      if (at >= this.#size) return undefined;
      if (this.#bytes[at] !== lessThan) {
        const markup = this.#bytes.subarray(0, this.#size).indexOf(lessThan, at);
        return this.#token("text", this.#at, markup < 0 ? this.end : this.#base + markup);
      }
      const kind = this.#kindAt(at);
      if (kind === undefined) return undefined;
      const next = this.#at + 1;
      this.#unfinished = { kind, start: this.#at, next, quote: 0, isInBrackets: false, isInComment: false };
    }
    const unfinished = this.#unfinished;
    if (unfinished.kind === "tag") return this.#endOfTag(unfinished);
    return unfinished.kind === "doctype" ? this.#endOfDoctype(unfinished) : this.#endOfOther(unfinished);
  }

  /** The kind of the markup that begins at an offset of the buffer; undefined when more bytes are needed. */
  #kindAt(at: number): TokenKind | undefined {
    const begun = this.#bytes.toString("latin1", at, Math.min(at + 9, this.#size));
    const upper = begun.toUpperCase();
    for (const [kind, opening] of openings) {
      if (upper.startsWith(opening)) return kind;
      if (opening.startsWith(upper)) return undefined;
    }
    return "tag";
  }

  #token(kind: TokenKind, start: number, end: number): Token {
    this.#at = end;
    this.#unfinished = undefined;
    return { kind, start, end };
  }

  #endOfTag(tag: Unfinished): Token | undefined {
    const bytes = this.#bytes;
    const limit = tag.start + this.#maxBytes;
    const size = Math.min(this.#size, limit - this.#base);
    let { quote } = tag;
    for (let at = tag.next - this.#base; at < size; at++) {
      const byte = bytes[at];
      // No valid tag contains "<", not even in a value: a damaged tag ends before the next markup.
      if (byte === lessThan) return this.#token("broken", tag.start, this.#base + at);
      if (quote !== 0) {
        if (byte === quote) quote = 0;
      } else if (byte === greaterThan) return this.#token("tag", tag.start, this.#base + at + 1);
      else if (byte === doubleQuote || byte === singleQuote) quote = byte;
    }
    if (this.end >= limit) return this.#token("broken", tag.start, limit);
    tag.quote = quote;
    return this.#wait(tag, this.end);
  }

  #endOfOther(other: Unfinished): Token | undefined {
    const closing = closings[other.kind]!;
    const opening = openings.find(([kind]) => kind === other.kind)![1];
    const from = Math.max(other.next, other.start + opening.length) - this.#base;
    const found = this.#bytes.subarray(0, this.#size).indexOf(closing, from, "latin1");
    const limit = other.kind === "cdata" ? other.start + this.#maxBytes : Infinity;
    const end = found < 0 ? this.end : this.#base + found + closing.length;
    if (end > limit) return this.#token("broken", other.start, limit);
    if (found >= 0) return this.#token(other.kind, other.start, end);
    return this.#wait(other, Math.max(other.next, this.end - closing.length + 1));
  }

  /** A DTD ends at the first ">" that is neither in quotes nor in its brackets. */
  #endOfDoctype(doctype: Unfinished): Token | undefined {
    const bytes = this.#bytes;
    const size = this.#size;
    let at = doctype.next - this.#base;
    for (; at < size; at++) {
      if (doctype.isInComment) {
        const found = bytes.subarray(0, size).indexOf("-->", at, "latin1");
        if (found < 0) return this.#wait(doctype, Math.max(this.#base + at, this.end - 2));
        doctype.isInComment = false;
        at = found + 2;
        continue;
      }
      const byte = bytes[at]!;
      if (doctype.quote !== 0) {
        if (byte === doctype.quote) doctype.quote = 0;
      } else if (byte === lessThan) {
        if (at + 4 > size) break;
        if (bytes.toString("latin1", at, at + 4) === "<!--") {
          doctype.isInComment = true;
          at += 3;
        }
      } else if (byte === doubleQuote || byte === singleQuote) doctype.quote = byte;
      else if (byte === openBracket) doctype.isInBrackets = true;
      else if (byte === closeBracket) doctype.isInBrackets = false;
      else if (byte === greaterThan && !doctype.isInBrackets) {
        return this.#token("doctype", doctype.start, this.#base + at + 1);
      }
    }
    return this.#wait(doctype, this.#base + at);
  }

  #wait(unfinished: Unfinished, next: number): undefined {
    unfinished.next = next;
  }
}

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Matches a reference. The number of digits is limited, but a character number may have some leading zeros. */
const reference = /&(?:#(\d{1,9})|#x([\da-f]{1,8})|(\w{2,4}));/gi;

/** Replaces the references in a text; text and result are bytes. Undefined when the text has an "&" that begins no valid reference. */
export function withoutReferences(text: string): string | undefined {
  if (!text.includes("&")) return text;
  let isDamaged = false;
  const replaced = text.replaceAll(reference, (_all, decimal?: string, hex?: string, name = "") => {
    const code = decimal === undefined ? (hex === undefined ? undefined : parseInt(hex, 16)) : Number(decimal);
    const character = code === undefined ? named[name] : isCharacter(code) ? String.fromCodePoint(code) : undefined;
    isDamaged ||= character === undefined;
    // A reference to "&" becomes a mark that no text contains, so that the check below finds only an "&" of the source.
    return character === undefined ? "" : character === "&" ? ampersand : byteStringOf(character);
  });
  // Bytes are at most FF, so no byte equals the mark.
  return isDamaged || replaced.includes("&") ? undefined : replaced.replaceAll(ampersand, "&");
}

const ampersand = "\u0100";

/** Whether XML 1.0 allows a code point in a text (§2.2). */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code < 0xd800 || (code > 0xdfff && code < 0xfffe) || (code > 0xffff && code <= 0x10ffff);
}
