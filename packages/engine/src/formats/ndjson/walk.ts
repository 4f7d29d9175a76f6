// Finds the spans of the requested members in one JSON object per line; for a line that is not an object, the expected token. As strict as
// JSON.parse (RFC 8259), but skips values instead of building them.
import type { Block } from "../../records/blocks.ts";
import type { EachMember } from "../types.ts";
import {
  backslash,
  byteStringOfJson,
  closeBrace,
  comma,
  controlOfEscape,
  endMarkFrom,
  quote,
  space,
  TokenWalker,
} from "./tokens.ts";
import { type AskedMembers, noMembers, noName, signatureOf } from "./asked-members.ts";

const colon = 0x3a;
const openBracket = 0x5b;
const openBrace = 0x7b;

/** Largest depth of nested arrays and objects. It limits the memory for the list of open containers. */
const maxDepth = 10_000;

/** Walks over the lines of one block. All offsets are offsets in the block's bytes. */
export class ObjectWalker extends TokenWalker {
  /** Offset of the closing brace of the last object. */
  close = 0;
  /** Offset after the line end of the last object's line. */
  next = 0;
  /** Whether a member of the last object is an object or an array. */
  hasNested = false;

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
   * Walks from the opening brace at `start` to the end of the line. Sets the values of the requested members, `close` and `next`. Returns
   * false when the line is not a JSON object, or white space is at `start`; then sets the members about the error (`TokenWalker`).
   *
   * This is one long function, because most of the engine's time goes into the strings of objects, and a function call for each string would
   * take as long as its scan.
   */
  walk(start: number, asked: AskedMembers, eachMember?: EachMember): boolean {
    const { bytes, view } = this;
    const { signatures } = asked;
    const size = bytes.length;
    asked.reset();
    this.hasNested = false;
    if (start >= size || bytes[start] !== openBrace) return this.fails("{", start);
    let at = start + 1;
    if (at >= size || bytes[at] !== quote) {
      at = this.skipSpace(at);
      if (this.codeAt(at) === closeBrace) return this.#ends(at);
    }
    // `skipSpace` is called only when the next byte is not the expected token, because most objects have no white space.
    for (;;) {
      if (at >= size || bytes[at] !== quote) return this.fails('a name in "quotes"', at);
      const keyStart = at;
      let name = noName;
      at = endMarkFrom(bytes, view, keyStart + 1);
      if (at < size && bytes[at] === quote) {
        const signature = signatureOf(at - keyStart - 1, bytes[keyStart + 1]!);
        name = signatures[signature]!;
        if (name !== noName) name = this.#nameOf(asked, name, keyStart, at);
      } else {
        at = this.stringEndFrom(at);
        if (at < 0) return false;
        name = this.#escapedNameOf(asked, keyStart, at);
      }
      const keyEnd = ++at;
      if (at >= size || bytes[at] !== colon) at = this.skipSpace(at);
      if (at >= size || bytes[at] !== colon) return this.fails(":", at);
      at++;
      let valueStart = at;
      let first = at < size ? bytes[at]! : 0;
      if (first <= space) {
        valueStart = this.skipSpace(at);
        first = this.codeAt(valueStart);
      }
      if (first === quote) {
        at = endMarkFrom(bytes, view, valueStart + 1);
        if (at >= size || bytes[at] !== quote) at = this.stringEndFrom(at);
        if (at < 0) return false;
        at++;
      } else {
        at = this.#otherEndFrom(valueStart, first, maxDepth);
        if (at < 0) return false;
      }
      if (name !== noName) asked.setValue(name, valueStart, at, this.escapedEnd === at - 1);
      eachMember?.(keyStart, keyEnd, valueStart, at);
      let code = at < size ? bytes[at]! : 0;
      if (code <= space) {
        at = this.skipSpace(at);
        code = this.codeAt(at);
      }
      if (code === closeBrace) return this.#ends(at);
      if (code !== comma) return this.fails(", or }", at);
      at++;
      if (at >= size || bytes[at] !== quote) at = this.skipSpace(at);
    }
  }

  /** Walks over the object at `start` again, and calls `callback` for each member. */
  eachMember(start: number, callback: EachMember): void {
    this.walk(start, noMembers, callback);
  }

  /** Whether a string begins at an offset; false for -1. */
  isStringAt(at: number): boolean {
    return at >= 0 && this.bytes[at] === quote;
  }

  /** Whether the rest of the line, from `start` on, is a JSON value of any kind. No white space may be at `start`. */
  isValue(start: number): boolean {
    const first = this.codeAt(start);
    const end = first === quote ? this.afterString(start) : this.#otherEndFrom(start, first, Number.POSITIVE_INFINITY);
    return end >= 0 && this.#ends(end - 1);
  }

  /** Ends a walk whose value ends with the byte at `close`. Returns false when anything but white space follows in the line. */
  #ends(close: number): boolean {
    const { bytes, lineEnd } = this;
    this.close = close;
    let at = close + 1;
    if (at < bytes.length && bytes[at] !== lineEnd) {
      at = this.skipSpace(at);
      if (at < bytes.length && bytes[at] !== lineEnd) return this.fails("the end of the line", at);
    }
    this.next = at + 1;
    return true;
  }

  /** The requested name, from `first` on, that equals the key between the quotes at `open` and `close`; `noName` if none does. */
  #nameOf({ names, nextNames }: AskedMembers, first: number, open: number, close: number): number {
    const { bytes } = this;
    const length = close - open - 1;
    let index = first;
    for (; index !== noName; index = nextNames[index]!) {
      const name = names[index]!;
      let at = name.length === length ? 0 : -1;
      while (at >= 0 && at < length) at = bytes[open + 1 + at] === name[at] ? at + 1 : -1;
      if (at >= 0) break;
    }
    return index;
  }

  /** Like `#nameOf`, for a key with a backslash: compares it with all requested names. */
  #escapedNameOf({ names }: AskedMembers, open: number, close: number): number {
    const index = names.findIndex((name) => this.#isEscapedName(open, close, name));
    return index < 0 ? noName : index;
  }

  /** Whether a key with a backslash equals a name. The key is decoded only when it may equal the name. */
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

  /** Skips a value that is not a string; returns the offset after it, or -1 for an invalid value. `first`: the value's first byte. */
  #otherEndFrom(from: number, first: number, mostDepth: number): number {
    if (first !== openBrace && first !== openBracket) return this.scalarEndFrom(from, first);
    this.hasNested = true;
    return this.#containerEndFrom(from, mostDepth);
  }

  /** Skips an array or an object, without recursion; returns the offset after it, or -1 for an invalid one. */
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
        // The loop below closes the empty container.
      } else {
        at = code === quote ? this.afterString(at) : this.scalarEndFrom(at, code);
        if (at < 0) return -1;
      }
      // Here a value has ended. Closes each container that ends after it, then expects a comma before the next value.
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

  /** Skips a member's name and colon; returns the offset of the member's value, or -1 for an error. */
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
