// Finds the offsets of the fields of a JSON record without nested values in one pass over the record's bytes.
import type { LogPattern, ObjectField } from "@robots-stream/logs";
import { firstPlaceOf, isDigit } from "../../records/words.ts";
import { AskedMembers } from "../ndjson/asked-members.ts";
import { ObjectWalker } from "../ndjson/walk.ts";
import { isMethod, isMissing, isNumber, isProtocol } from "./plain-fields.ts";
import { capturedPlaces } from "./scan.ts";

const quote = 0x22;
const dash = 0x2d;
const slash = 0x2f;
const questionMark = 0x3f;
const bracket = 0x5b;
/** Words of four equal bytes: spaces, commas, colons, question marks, hashes, DEL. */
const spaces = 0x20202020;
const commas = 0x2c2c2c2c;
const colons = 0x3a3a3a3a;
const questionMarks = 0x3f3f3f3f;
const hashes = 0x23232323;
const deletes = 0x7f7f7f7f;
/** Finds the fields of records: JSON objects of which no member is an object or a list. All bytes of a record must be ASCII. */
export class ObjectScanner {
  /** Start and end of each field of the last line, in the order of the pattern's steps; both are 0 for a missing field. */
  readonly places: Int32Array;
  readonly #lineEnd: "\n" | "\r";
  /** The members that may be a field, and the number of the last one, which is of a container runtime: only the parser can read its records. */
  readonly #members: AskedMembers;
  readonly #wrapper: number;
  #walker: ObjectWalker | undefined;
  #bytesOfWalker: Buffer = Buffer.alloc(0);
  /** The text that `#find` found, and whether no text of the record is a number in an unusual form. */
  #from = 0;
  #to = 0;
  #isPlain = true;
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
    this.#lineEnd = lineEnd;
    this.#wrapper = names.length;
    this.#members = new AskedMembers([...names, "log"].map((name) => Buffer.from(name, "latin1")));
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
    const walker = this.#walkerOf(bytes);
    if (!walker.walk(start, this.#members) || walker.hasNested || walker.hasEscapeFrom(start)) return -1;
    const end = walker.close + 1;
    // Fields are copied in words, which end up to eight bytes after them.
    if (this.#members.has(this.#wrapper) || end + 8 > view.byteLength) return -1;
    const { places } = this;
    this.#isPlain = true;
    const fields = this.#fields;
    for (let index = 0; index < fields.length; index++) {
      const { place, members } = fields[index]!;
      this.#choose(bytes, members, place);
    }
    if (!this.#hasTarget(bytes, view) || this.#hasDelete(view, this.#target)) return -1;
    if (this.#query >= 0 && this.#hasDelete(view, this.#query)) return -1;
    const client = this.#client;
    if (client >= 0 && !isPlainClient(bytes, view, places[client]!, places[client + 1]!)) return -1;
    if (!this.#isPlain || this.#hasUnknownStatus(bytes)) return -1;
    if (!this.#isNumberOrMissing(bytes, this.#status) || !this.#isNumberOrMissing(bytes, this.#bytes)) return -1;
    const lineEnd = this.#lineEnd === "\n" ? 0x0a : 0x0d;
    if (bytes[end] === lineEnd) return end + 1;
    return bytes[end] === 0x0d && bytes[end + 1] === lineEnd ? end + 2 : -1;
  }

  #walkerOf(bytes: Buffer): ObjectWalker {
    if (this.#walker === undefined || bytes !== this.#bytesOfWalker) {
      this.#bytesOfWalker = bytes;
      this.#walker = new ObjectWalker({ bytes, text: "" }, this.#lineEnd);
    }
    return this.#walker;
  }

  /** Sets `#from` and `#to` to the text of a member of the last record; returns whether it has one. */
  #find(bytes: Buffer, member: number): boolean {
    const start = this.#members.startOf(member);
    if (start < 0) return false;
    const end = this.#members.endOf(member);
    const first = bytes[start]!;
    const isString = first === quote;
    this.#from = isString ? start + 1 : start;
    this.#to = isString ? end - 1 : end;
    if (isString || isNumber(bytes, start, end)) return true;
    // For a number in another form, such as 1.50, the parser may give a text that differs from these bytes.
    if (first === dash || isDigit(first)) this.#isPlain = false;
    return false;
  }

  /** Sets the start and end of the field at `place` to those of the first member that has a text; to 0 if no member has one. */
  #choose(bytes: Buffer, members: readonly number[], place: number): void {
    const { places } = this;
    for (let index = 0; index < members.length; index++) {
      if (!this.#find(bytes, members[index]!) || isMissing(bytes, this.#from, this.#to)) continue;
      places[place] = this.#from;
      places[place + 1] = this.#to;
      return;
    }
    places[place] = places[place + 1] = 0;
  }

  /** Whether a status is "-" or empty. For the parser, such a record has no status, even if a further member has one. */
  #hasUnknownStatus(bytes: Buffer): boolean {
    return this.#statusMembers.some((member) => this.#find(bytes, member) && isMissing(bytes, this.#from, this.#to));
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

  /** Whether the field at `place` has the control character DEL, which has an escape in URLs, but none in JSON. */
  #hasDelete(view: DataView, place: number): boolean {
    const end = this.places[place + 1]!;
    return firstPlaceOf(deletes, view, this.places[place]!, end) < end;
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
