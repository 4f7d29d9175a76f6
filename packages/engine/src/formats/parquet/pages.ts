// Finds the sizes that the pages of a column chunk state, or the reason not to decode them: decoding would allocate the stated sizes.
import { walkStruct } from "./thrift.ts";

/** Bytes of one page, decompressed. Writers end pages at a megabyte; a page of one long value is larger. */
const mostPageBytes = 128 * 1_048_576;

/** Values of one page, of one dictionary, and of one chunk of nested values, which are decoded together. */
export const mostValues: number = 4 * 1_048_576;

/** Most decompressed bytes per compressed byte, beyond the first 64 KiB: more than any compression reaches on real columns. */
const mostRatio = 4_096;

/** The sizes of the pages of a chunk. */
export interface Pages {
  /** Values of the largest data page, and of all data pages. */
  readonly largest: number;
  readonly values: number;
}

/** Types of pages. */
const indexPage = 1;
const dictionaryPage = 2;
const dataPageV2 = 3;

/** The paths of integers in a page's header (parquet.thrift, PageHeader). */
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

/** An encoding whose values share beginnings: a page of 1 MB can stand for terabytes. */
const deltaByteArray = 7;

/** Walks over the pages. Throws a `RangeError` for pages that do not fit into the chunk, or that state implausible sizes. */
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
      throw new RangeError("its values are encoded as DELTA_BYTE_ARRAY, which is not read");
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
