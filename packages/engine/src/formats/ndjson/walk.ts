// Lines of bytes in, the spans of one JSON object's members out, or the expected token when a line is not an object. As strict as
// JSON.parse (RFC 8259), but values are skipped, not built.
import type { Block } from "../../records/blocks.ts";
import type { EachMember } from "../types.ts";
import { byteStringOfJson } from "./strings.ts";
import { TokenWalker, backslash, closeBrace, comma, controlOfEscape, quote } from "./tokens.ts";

const colon = 0x3a;
const openBracket = 0x5b;
const openBrace = 0x7b;

/** Limit of nested arrays and objects. It bounds the stack of open containers, whose size depends on the input line. */
const maxDepth = 10_000;

/** A name that equals no key: for walks without a wanted member. */
export const noName: Uint8Array = new Uint8Array(0);

/** Walks over the lines of one block. All offsets are offsets in the block's bytes. */
export class ObjectWalker extends TokenWalker {
  /** In the last object: the offset of its closing brace, and the offset after its line end. */
  close = 0;
  next = 0;
  /**
   * The raw value of the asked member, quotes included; `valueStart` is -1 without one. When several members have the name,
   * the last one counts.
   */
  valueStart = -1;
  valueEnd = -1;
  /** Whether that value is a string with a backslash. */
  isValueEscaped = false;
  /** Whether the last object has a member of the taken name. */
  isTaken = false;

  readonly #block: Pick<Block, "text">;

  constructor(block: Pick<Block, "bytes" | "text">, lineEnd: "\n" | "\r") {
    super(block, lineEnd);
    this.#block = block;
  }

  /** The bytes of the block, as a Latin-1 string. */
  get text(): string {
    return this.#block.text;
  }

  /**
   * Walks over the object at `start`, with no white space before it, and to the end of its line. `asked` and `taken` are names
   * of members. Returns false when the line is not a JSON object.
   */
  walk(start: number, asked: Uint8Array, taken: Uint8Array, eachMember?: EachMember): boolean {
    const bytes = this.bytes;
    const size = bytes.length;
    this.valueStart = -1;
    this.isTaken = false;
    if (start >= size || bytes[start] !== openBrace) return this.fails("{", start);
    let at = this.skipSpace(start + 1);
    if (at < size && bytes[at] === closeBrace) return this.#ends(at);
    // White space is skipped only where the byte is not the expected one: most objects have none.
    for (;;) {
      if (at >= size || bytes[at] !== quote) return this.fails('a name in "quotes"', at);
      const keyStart = at;
      this.sawEscape = false;
      const keyEnd = this.stringEndFrom(keyStart + 1);
      if (keyEnd < 0) return false;
      const length = keyEnd - keyStart - 1;
      const isAsked = (length === asked.length || this.sawEscape) && this.#isName(keyStart, keyEnd, asked);
      if ((length === taken.length || this.sawEscape) && this.#isName(keyStart, keyEnd, taken)) this.isTaken = true;
      at = keyEnd + 1;
      if (at >= size || bytes[at] !== colon) at = this.skipSpace(at);
      if (at >= size || bytes[at] !== colon) return this.fails(":", at);
      at++;
      if (at >= size || bytes[at] !== quote) at = this.skipSpace(at);
      const valueStart = at;
      this.sawEscape = false;
      at = at < size && bytes[at] === quote ? this.afterString(at) : this.#valueEndFrom(at, maxDepth);
      if (at < 0) return false;
      if (isAsked) {
        this.valueStart = valueStart;
        this.valueEnd = at;
        this.isValueEscaped = this.sawEscape && bytes[valueStart] === quote;
      }
      eachMember?.(keyStart, keyEnd + 1, valueStart, at);
      if (at < size && bytes[at] === comma) at++;
      else {
        at = this.skipSpace(at);
        const code = at < size ? bytes[at]! : 0;
        if (code === closeBrace) return this.#ends(at);
        if (code !== comma) return this.fails(", or }", at);
        at++;
      }
      if (at >= size || bytes[at] !== quote) at = this.skipSpace(at);
    }
  }

  /** Whether a string begins at an offset; -1 stands for no offset. */
  isStringAt(at: number): boolean {
    return at >= 0 && this.bytes[at] === quote;
  }

  /** Whether the line at `start`, with no white space before it, is a JSON value of any kind. */
  isValue(start: number): boolean {
    const end = this.#valueEndFrom(start, Number.POSITIVE_INFINITY);
    return end >= 0 && this.#ends(end - 1);
  }

  /** Finishes an object whose closing brace is at `close`. */
  #ends(close: number): boolean {
    const bytes = this.bytes;
    this.close = close;
    const at = this.skipSpace(close + 1);
    if (at < bytes.length && bytes[at] !== this.lineEnd) return this.fails("the end of the line", at);
    this.next = at + 1;
    return true;
  }

  /** Whether the raw key with quotes at `open` and `close` equals a name. */
  #isName(open: number, close: number, name: Uint8Array): boolean {
    if (this.sawEscape) return this.#isEscapedName(open, close, name);
    if (close - open - 1 !== name.length) return false;
    for (let at = 0; at < name.length; at++) if (this.bytes[open + 1 + at] !== name[at]) return false;
    return true;
  }

  /** Like `#isName`, for a key with a backslash. The key is decoded only when it may equal the name. */
  #isEscapedName(open: number, close: number, name: Uint8Array): boolean {
    const bytes = this.bytes;
    let at = open + 1;
    for (const wanted of name) {
      if (at === close) return false;
      let code = bytes[at++]!;
      if (code === backslash) {
        code = bytes[at++]!;
        if (code === 0x75) {
          code = Number.parseInt(this.text.slice(at, at + 4), 16);
          at += 4;
        } else code = controlOfEscape.get(code) ?? code;
      }
      if (code >= 0x80 && wanted >= 0x80) {
        return byteStringOfJson(this.text.slice(open, close + 1)) === Buffer.from(name).toString("latin1");
      }
      if (code !== wanted) return false;
    }
    return at === close;
  }

  /** Skips a value of any kind; returns the offset after it, or -1. */
  #valueEndFrom(from: number, mostDepth: number): number {
    const code = this.codeAt(from);
    if (code === openBrace || code === openBracket) return this.#containerEndFrom(from, mostDepth);
    return code === quote ? this.afterString(from) : this.scalarEndFrom(from, code);
  }

  /** Skips an array or an object, without recursion; returns the offset after it, or -1. */
  #containerEndFrom(from: number, mostDepth: number): number {
    let at = from;
    // One entry for each open container: the byte that closes it.
    const open: number[] = [];
    for (;;) {
      const code = this.codeAt(at);
      if (code === openBrace || code === openBracket) {
        if (open.length >= mostDepth) return this.failsAt(`at most ${mostDepth} containers inside one another`, at);
        // In ASCII, "]" and "}" are two code points after their opening brackets.
        const closing = code + 2;
        open.push(closing);
        at = this.skipSpace(at + 1);
        if (this.codeAt(at) !== closing) {
          if (closing === closeBrace) at = this.#keyEndFrom(at);
          if (at < 0) return -1;
          continue;
        }
        // An empty container is closed below.
      } else {
        at = code === quote ? this.afterString(at) : this.scalarEndFrom(at, code);
        if (at < 0) return -1;
      }
      // After a value: closes the containers that end here, then expects a comma before the next value.
      for (;;) {
        const closing = open.at(-1);
        if (closing === undefined) return at;
        at = this.skipSpace(at);
        const after = this.codeAt(at);
        if (after === comma) break;
        if (after !== closing) return this.failsAt(closing === closeBrace ? ", or }" : ", or ]", at);
        open.pop();
        at++;
      }
      at = this.skipSpace(at + 1);
      if (open.at(-1) === closeBrace) at = this.#keyEndFrom(at);
      if (at < 0) return -1;
    }
  }

  /** Skips a member's name and colon; returns the offset of its value, or -1. */
  #keyEndFrom(from: number): number {
    const bytes = this.bytes;
    if (from >= bytes.length || bytes[from] !== quote) return this.failsAt('a name in "quotes"', from);
    const end = this.stringEndFrom(from + 1);
    if (end < 0) return -1;
    const at = this.skipSpace(end + 1);
    if (at >= bytes.length || bytes[at] !== colon) return this.failsAt(":", at);
    return this.skipSpace(at + 1);
  }
}
