// Checks the sizes that the pages of a column chunk state, before a library decodes the pages and allocates the stated sizes.
import { walkStruct } from "./thrift.ts";

/** Largest decompressed size of one page. Writers usually end a page at a megabyte; a page with one long value is larger. */
const mostPageBytes = 128 * 1_048_576;

/** Largest number of values of one page, of one dictionary, and of one chunk of nested values, which are decoded together. */
export const mostValues: number = 4 * 1_048_576;

/** Largest number of decompressed bytes per compressed byte, after the first 64 KiB: no compression of real columns reaches it. */
const mostRatio = 4_096;

/** The numbers of values in the data pages of a chunk. */
export interface Pages {
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
