// Finds the offsets of the fields of a JSON record without nested values in one pass over the record's bytes.
import type { LogPattern, ObjectField } from "@robots-stream/logs";
import { ByteMemo } from "../../records/byte-memo.ts";
import { firstPlaceOf, markedAt, putBytes, viewOf } from "../../records/words.ts";
import { isDigit, isMethod, isMissing, isNumber, isProtocol } from "./plain-fields.ts";
import { capturedPlaces } from "./scan.ts";

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const dash = 0x2d;
const dot = 0x2e;
const slash = 0x2f;
const zero = 0x30;
const colon = 0x3a;
const questionMark = 0x3f;
const bracket = 0x5b;
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** Words of four equal bytes: quotes, spaces, commas, colons, question marks. */
const quotes = 0x22222222;
const spaces = 0x20202020;
const commas = 0x2c2c2c2c;
const colons = 0x3a3a3a3a;
const questionMarks = 0x3f3f3f3f;
const hashes = 0x23232323;
/** "null", "true" and "alse" as words whose first byte is the lowest. */
const nullWord = 0x6c6c756e;
const trueWord = 0x65757274;
const falseEndWord = 0x65736c61;

/** Maximum number of members of a record that is read here. */
const mostMembers = 100;
/** A record that has a name of this number of bytes or more is left to the parser. */
const longestName = 64;
/** The number of a member that is no field, and of a member in the records of a container runtime, which only the parser can read. */
const noField = -1;
const wrapper = -2;

/** The name that the last record had at one position. */
interface Name {
  /** The name and its closing quote. */
  readonly view: DataView;
  readonly bytes: Buffer;
  size: number;
  member: number;
}

/** Finds the fields of records: JSON objects of which no member is an object or a list. All bytes of a record must be ASCII. */
export class ObjectScanner {
  /** Start and end of each field of the last line, in the order of the pattern's steps; both are 0 for a missing field. */
  readonly places: Int32Array;
  readonly #lineEnd: number;
  /** Start and end of the text of each member that may be a field, by the member's number; both are 0 for a missing text. */
  readonly #texts: Int32Array;
  readonly #numbers: ByteMemo<number>;
  readonly #names: Name[] = [];
  /** By step of the pattern: the place of its field in `places`, and the numbers of the members that the field can be in. */
  readonly #fields: readonly { readonly place: number; readonly members: readonly number[] }[];
  /** Whether the last target is a path without the query (`LogPattern.members`, "path"). */
  hasPath = false;
  readonly #request: readonly number[];
  readonly #path: readonly number[];
  readonly #method: number;
  readonly #target: number;
  readonly #query: number;
  readonly #client: number;
  readonly #status: number;
  readonly #statusMembers: readonly number[];
  readonly #bytes: number;

  constructor({ members = new Map<ObjectField, readonly string[]>(), steps }: LogPattern, lineEnd: "\n" | "\r") {
    const names = [...new Set([...members.values()].flat())];
    const numbersOf = (field: ObjectField): readonly number[] =>
      (members.get(field) ?? []).map((name) => names.indexOf(name));
    const placeOf = (field: ObjectField): number => {
      const step = steps.findIndex((each) => each.field === field);
      return step < 0 ? -1 : step * 2;
    };
    this.places = new Int32Array(steps.length * 2 + capturedPlaces);
    this.#lineEnd = lineEnd.charCodeAt(0);
    this.#texts = new Int32Array(names.length * 2);
    this.#numbers = new ByteMemo((name) => (name === "log" ? wrapper : names.indexOf(name)));
    this.#fields = steps.map(({ field }, step) => ({ place: step * 2, members: numbersOf(field) }));
    this.#request = numbersOf("request");
    this.#path = numbersOf("path");
    this.#method = placeOf("method");
    this.#target = placeOf("target");
    this.#query = placeOf("query");
    this.#client = placeOf("client");
    this.#status = placeOf("status");
    this.#statusMembers = numbersOf("status");
    this.#bytes = placeOf("bytes");
  }

  /**
   * Sets `places` for the line at `start`. Returns the offset of the next line, or -1 when only the parser can read the line: a record with
   * a nested value, an escape or an unusual field, a line that is no JSON object, or a last line without a line end. `view` is
   * `viewBeyond(bytes)`.
   */
  scan(bytes: Buffer, view: DataView, start: number): number {
    const end = this.#walk(bytes, view, start);
    if (end < 0) return -1;
    const { places } = this;
    const fields = this.#fields;
    for (let index = 0; index < fields.length; index++) {
      const { place, members } = fields[index]!;
      this.#choose(bytes, members, place);
    }
    if (!this.#hasTarget(bytes, view)) return -1;
    const client = this.#client;
    if (client >= 0 && !isPlainClient(bytes, view, places[client]!, places[client + 1]!)) return -1;
    if (this.#hasUnknownStatus(bytes)) return -1;
    if (!this.#isNumberOrMissing(bytes, this.#status) || !this.#isNumberOrMissing(bytes, this.#bytes)) return -1;
    if (bytes[end] === this.#lineEnd) return end + 1;
    return bytes[end] === 0x0d && bytes[end + 1] === this.#lineEnd ? end + 2 : -1;
  }

  /** Sets the texts of a record's members. Returns the offset after the record; -1 for a record that is not read here. */
  #walk(bytes: Buffer, view: DataView, start: number): number {
    const texts = this.#texts;
    for (let index = 0; index < texts.length; index++) texts[index] = 0;
    if (bytes[start] !== openBrace) return -1;
    let at = start + 1;
    for (let position = 0; position < mostMembers; position++) {
      if (bytes[at] !== quote) return -1;
      const member = this.#memberAt(bytes, view, at + 1, position);
      if (member === wrapper) return -1;
      at = this.#nameEnd + 1;
      if (bytes[at] !== colon) return -1;
      if (bytes[++at] === space) at++;
      const first = bytes[at]!;
      let from = 0;
      let to = 0;
      if (first === quote) {
        from = at + 1;
        to = markedAt(view, from, quotes);
        if (to < 0 || bytes[to] !== quote) return -1;
        at = to + 1;
      } else if (first === dash || isDigit(first)) {
        from = at;
        at = to = endOfNumber(bytes, at);
        // For a number in another form, such as 1.50, the parser may give a text that differs from these bytes.
        if (at < 0 || (member >= 0 && !isNumber(bytes, from, to))) return -1;
      } else {
        at = endOfLiteral(bytes, view, at);
        if (at < 0) return -1;
      }
      if (member >= 0) {
        texts[member * 2] = from;
        texts[member * 2 + 1] = to;
      }
      if (bytes[at] !== comma) return bytes[at] === closeBrace ? at + 1 : -1;
      if (bytes[++at] === space) at++;
    }
    return -1;
  }

  /** The end of the name that `#memberAt` read last: the offset of its closing quote. */
  #nameEnd = 0;

  /** Returns the number of the member whose name begins at `start`; sets `#nameEnd`. `position`: the member's position in the record. */
  #memberAt(bytes: Buffer, view: DataView, start: number, position: number): number {
    const name = this.#names[position];
    // Most records have the same names in the same order as the record before.
    if (name !== undefined && areEqual(name.view, view, start, name.size)) {
      this.#nameEnd = start + name.size - 1;
      return name.member;
    }
    const end = markedAt(view, start, quotes);
    if (end < 0 || bytes[end] !== quote || end - start >= longestName) return wrapper;
    const member = this.#numbers.resultOf(bytes, start, end);
    this.#nameEnd = end;
    this.#remember(view, start, end + 1, position, member);
    return member;
  }

  #remember(view: DataView, start: number, end: number, position: number, member: number): void {
    const bytes = Buffer.alloc(longestName + 8);
    const name = (this.#names[position] ??= { bytes, view: viewOf(bytes), size: 0, member: noField });
    putBytes(view, start, end, name.view, 0);
    name.size = end - start;
    name.member = member;
  }

  /** Sets the start and end of the field at `place` to those of the first member that has a text; to 0 if no member has one. */
  #choose(bytes: Buffer, members: readonly number[], place: number): void {
    const { places } = this;
    const texts = this.#texts;
    for (let index = 0; index < members.length; index++) {
      const at = members[index]! * 2;
      const from = texts[at]!;
      const to = texts[at + 1]!;
      if (isMissing(bytes, from, to)) continue;
      places[place] = from;
      places[place + 1] = to;
      return;
    }
    places[place] = places[place + 1] = 0;
  }

  /** Whether a status is "-" or empty. For the parser, such a record has no status, even if a further member has one. */
  #hasUnknownStatus(bytes: Buffer): boolean {
    const texts = this.#texts;
    return this.#statusMembers.some((member) => {
      const to = texts[member * 2 + 1]!;
      return to > 0 && isMissing(bytes, texts[member * 2]!, to);
    });
  }

  /** Completes the places of method, target and query. Returns whether all three have their usual form. */
  #hasTarget(bytes: Buffer, view: DataView): boolean {
    const { places } = this;
    const target = this.#target;
    const method = this.#method;
    this.hasPath = false;
    const isNamed = method >= 0 && places[method + 1]! > 0;
    if (isNamed && !isMethod(bytes, view, places[method]!, places[method + 1]!)) return false;
    const line = places.length - capturedPlaces;
    this.#choose(bytes, this.#request, line);
    const from = places[line]!;
    const to = places[line + 1]!;
    places[line] = places[line + 1] = 0;
    if (places[target + 1] === 0 && to > 0) return this.#hasRequestLine(bytes, view, from, to, isNamed);
    // The parser takes a missing method from the request line.
    if (!isNamed && to > 0) return false;
    const isPath = places[target + 1] === 0;
    if (isPath) this.#choose(bytes, this.#path, target);
    const start = places[target]!;
    const end = places[target + 1]!;
    if (end === 0 || bytes[start] !== slash || firstPlaceOf(spaces, view, start, end) < end) return false;
    this.hasPath = isPath && firstPlaceOf(questionMarks, view, start, end) === end;
    const query = this.#query;
    if (query < 0 || places[query + 1] === 0) return true;
    const isMarkedPath = firstPlaceOf(questionMarks, view, start, end) < end;
    // The parser decides whether a path has the query, too, or a "?" or a "#" that the server decoded.
    if (isPath && (isMarkedPath || firstPlaceOf(hashes, view, start, end) < end)) return false;
    if (isMarkedPath) {
      places[query] = places[query + 1] = 0;
      return true;
    }
    const isMarked = bytes[places[query]!] === questionMark;
    return !isMarked && firstPlaceOf(spaces, view, places[query]!, places[query + 1]!) === places[query + 1];
  }

  /**
   * Sets the places of target and method from the request line `bytes[from, to)`. Returns false unless the request line has its usual form.
   */
  #hasRequestLine(bytes: Buffer, view: DataView, from: number, to: number, isNamed: boolean): boolean {
    const { places } = this;
    const methodEnd = firstPlaceOf(spaces, view, from, to);
    const targetStart = methodEnd + 1;
    const targetEnd = firstPlaceOf(spaces, view, targetStart, to);
    if (targetEnd >= to || bytes[targetStart] !== slash) return false;
    if (!isMethod(bytes, view, from, methodEnd) || !isProtocol(bytes, view, targetEnd + 1, to)) return false;
    places[this.#target] = targetStart;
    places[this.#target + 1] = targetEnd;
    // The target of a request line includes the query.
    const query = this.#query;
    if (query >= 0) places[query] = places[query + 1] = 0;
    const method = this.#method;
    if (method >= 0 && !isNamed) {
      places[method] = from;
      places[method + 1] = methodEnd;
    }
    return true;
  }

  #isNumberOrMissing(bytes: Buffer, place: number): boolean {
    const { places } = this;
    return place < 0 || places[place + 1] === 0 || isNumber(bytes, places[place]!, places[place + 1]!);
  }
}

/**
 * Whether a field is missing or one address without brackets and without a port. A text with one colon may be an address and a port, which
 * the parser reads.
 */
function isPlainClient(bytes: Buffer, view: DataView, start: number, end: number): boolean {
  if (end === 0) return true;
  if (bytes[start] === bracket || firstPlaceOf(commas, view, start, end) < end) return false;
  const colonAt = firstPlaceOf(colons, view, start, end);
  if (colonAt === end) return true;
  return firstPlaceOf(colons, view, colonAt + 1, end) < end && firstPlaceOf(spaces, view, start, end) === end;
}

/** The end of the JSON number at `start`, up to its exponent if it has one; -1 if no JSON number begins there. */
function endOfNumber(bytes: Buffer, start: number): number {
  const from = bytes[start] === dash ? start + 1 : start;
  let at = endOfDigits(bytes, from);
  if (at === from || (at > from + 1 && bytes[from] === zero)) return -1;
  if (bytes[at] !== dot) return at;
  const fraction = at + 1;
  at = endOfDigits(bytes, fraction);
  return at === fraction ? -1 : at;
}

function endOfDigits(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && isDigit(bytes[at]!)) at++;
  return at;
}

/** The end of `null`, `true` or `false` at `start`; -1 for any other text. */
function endOfLiteral(bytes: Buffer, view: DataView, start: number): number {
  if (start + 5 > bytes.length) return -1;
  const word = view.getInt32(start, true);
  if (word === nullWord || word === trueWord) return start + 4;
  return bytes[start] === 0x66 && view.getInt32(start + 1, true) === falseEndWord ? start + 5 : -1;
}

/** Whether the first `size` bytes of `name` equal the bytes of `view` at `start`. */
function areEqual(name: DataView, view: DataView, start: number, size: number): boolean {
  if (start + size > view.byteLength - 4) return false;
  let at = 0;
  for (; at < size - 3; at += 4) if (name.getInt32(at, true) !== view.getInt32(start + at, true)) return false;
  for (; at < size; at++) if (name.getInt8(at) !== view.getInt8(start + at)) return false;
  return true;
}
