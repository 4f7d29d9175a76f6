// Checks the structs of a Parquet file (Thrift's compact protocol) and the sizes that the pages of a column chunk state, before a library
// parses the same bytes and allocates the stated sizes.

/** Largest decompressed size of one page. Writers usually end a page at a megabyte; a page with one long value is larger. */
const mostPageBytes = 128 * 1_048_576;

/** Largest number of values of one page, of one dictionary, and of one chunk of nested values, which are decoded together. */
export const mostValues: number = 4 * 1_048_576;

/** Largest number of decompressed bytes per compressed byte, after the first 64 KiB: no compression of real columns reaches it. */
const mostRatio = 4_096;

/** The numbers of values in the data pages of a chunk. */
interface Pages {
  /** Largest number of values of a data page. */
  readonly largest: number;
  /** Number of values of all data pages. */
  readonly values: number;
}

/** Types of pages. */
const indexPage = 1;
const dictionaryPage = 2;
const dataPageV2 = 3;

/** The paths, as `EachInteger` gets them, of integers in a page's header (parquet.thrift, PageHeader). */
const paths = {
  type: "1",
  uncompressed: "2",
  compressed: "3",
  values: "5.1",
  encoding: "5.2",
  dictionaryValues: "7.1",
  valuesOfV2: "8.1",
  rowsOfV2: "8.3",
  encodingOfV2: "8.4",
};

/** An encoding in which a value may repeat the beginning of the previous value: a page of 1 MB can decode to terabytes. */
const deltaByteArray = 7;

/**
 * Reads the headers of a chunk's pages, and returns the numbers of values in them. Throws a `RangeError` for a page that does not fit into
 * the chunk, states implausible sizes, or has an unsupported encoding.
 */
export function pagesOf(chunk: Uint8Array): Pages {
  let largest = 0;
  let values = 0;
  let at = 0;
  while (at < chunk.length) {
    const integers = new Map<string, number>();
    at = walkStruct(chunk, at, (path, value) => integers.set(path, value));
    const compressed = integers.get(paths.compressed) ?? -1;
    const uncompressed = integers.get(paths.uncompressed) ?? -1;
    if (compressed < 0 || compressed > chunk.length - at) throw new RangeError("a page is longer than its column");
    const isTooLarge = uncompressed > mostPageBytes || uncompressed > 65_536 + compressed * mostRatio;
    if (uncompressed < 0 || isTooLarge) throw new RangeError(`a page claims ${uncompressed} bytes`);
    at += compressed;
    const type = integers.get(paths.type);
    if (type === indexPage) continue;
    if (type === dictionaryPage) {
      checkValues(integers.get(paths.dictionaryValues));
      continue;
    }
    const isV2 = type === dataPageV2;
    if (integers.get(isV2 ? paths.encodingOfV2 : paths.encoding) === deltaByteArray) {
      throw new RangeError("its values are encoded as DELTA_BYTE_ARRAY, which is not supported");
    }
    const count = checkValues(integers.get(isV2 ? paths.valuesOfV2 : paths.values));
    if (isV2) checkValues(integers.get(paths.rowsOfV2));
    largest = Math.max(largest, count);
    values += count;
  }
  return { largest, values };
}

function checkValues(count: number | undefined): number {
  if (count === undefined || count < 0 || count > mostValues) throw new RangeError(`a page claims ${count} values`);
  return count;
}

const types = {
  stop: 0,
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  struct: 12,
};

/** Largest depth of structs within structs. The structs of Parquet have six levels. */
const deepest = 32;

/**
 * Called with each integer of 16, 32 or 64 bits and its path of field ids: "5.1" is field 1 of the struct in field 5. The path of an
 * integer in a list begins within the list: ".1" is field 1 of an element, and "" is an element itself.
 */
type EachInteger = (path: string, value: number) => void;

/**
 * Walks over the struct at offset `at`, and returns the offset after it. Calls `eachInteger` for each integer in it. Throws a `RangeError`
 * when the struct is longer than the bytes, is nested too deeply or has values of unexpected types, when a list has more elements than
 * there are bytes after it, or when an integer is too long.
 */
export function walkStruct(bytes: Uint8Array, at: number, eachInteger?: EachInteger): number {
  const walker = new Walker(bytes, at, eachInteger);
  walker.struct("", 0);
  return walker.at;
}

class Walker {
  at: number;
  readonly #bytes: Uint8Array;
  readonly #eachInteger: EachInteger | undefined;

  constructor(bytes: Uint8Array, at: number, eachInteger: EachInteger | undefined) {
    this.#bytes = bytes;
    this.at = at;
    this.#eachInteger = eachInteger;
  }

  struct(path: string, depth: number): void {
    if (depth > deepest) throw new RangeError("its metadata is nested too deeply");
    let id = 0;
    for (;;) {
      const head = this.#byte();
      const type = head & 0x0f;
      if (type === types.stop) return;
      const delta = head >> 4;
      id = delta === 0 ? zigzagOf(this.#varint()) : id + delta;
      // A boolean has no bytes: the type is its value.
      if (type === types.true || type === types.false) continue;
      this.#value(type, this.#eachInteger === undefined ? "" : `${path}${id}`, depth);
    }
  }

  #value(type: number, path: string, depth: number): void {
    if (type === types.byte) this.#skip(1);
    else if (type === types.i16 || type === types.i32 || type === types.i64) {
      const value = zigzagOf(this.#varint());
      this.#eachInteger?.(path, value);
    } else if (type === types.double) this.#skip(8);
    else if (type === types.binary) this.#skip(this.#varint());
    else if (type === types.list) this.#list(depth);
    else if (type === types.struct) this.struct(`${path}.`, depth + 1);
    else throw new RangeError("its metadata has unexpected values");
  }

  #list(depth: number): void {
    if (depth > deepest) throw new RangeError("its metadata is nested too deeply");
    const head = this.#byte();
    const count = head >> 4 === 15 ? this.#varint() : head >> 4;
    // Every element has at least one byte.
    if (count > this.#bytes.length - this.at) throw tooShort();
    const type = head & 0x0f;
    for (let element = 0; element < count; element++) {
      if (type === types.true || type === types.false) this.#skip(1);
      else this.#value(type, "", depth + 1);
    }
  }

  /** An unsigned integer, which may be inexact beyond 2^53. */
  #varint(): number {
    let value = 0;
    let factor = 1;
    for (let count = 0; count < 10; count++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    throw new RangeError("its metadata has an integer that is too long");
  }

  #byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw tooShort();
    return byte;
  }

  #skip(count: number): void {
    if (count > this.#bytes.length - this.at) throw tooShort();
    this.at += count;
  }
}

function zigzagOf(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

function tooShort(): RangeError {
  return new RangeError("its metadata claims more bytes than there are");
}
