// Converts a Parquet file to lines of JSON with the needed columns: one row group after another, a limited number of rows at a time.
import { read } from "node:fs";
import { promisify } from "node:util";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import {
  type Compressors,
  type FileMetaData,
  parquetMetadata,
  parquetScan,
  parquetSchema,
  snappyUncompress,
} from "hyparquet";
import { byteStringOf, urlTextOf } from "../../common/text.ts";
import { DamagedError } from "../../common/errors.ts";
import { mostValues, pagesOf, walkStruct } from "./pages.ts";

/** An open file of known size. */
export interface ParquetFile {
  readonly fd: number;
  readonly size: number;
}

/** Largest size of the metadata at the end of a file: enough for 100,000 column chunks. Parsed, it takes ten times as much memory. */
const mostMetadataBytes = 16 * 1_048_576;

/** Largest total size of the needed columns in one row group, in compressed bytes. These columns are in memory together. */
const mostChunkBytes = 512 * 1_048_576;

/** Number of rows that are decoded at once, unless a page has more. A row group with needed nested columns is decoded as a whole. */
const rowsAtOnce = 65_536;

/** A piece of text ends after the first line with which it has this number of characters. The last piece may be shorter. */
const pieceBytes = 262_144;

/** Bytes of the file's end: the length of the metadata, and "PAR1". */
const tailBytes = 8;

/**
 * Yields the rows as lines of JSON. `columnsOf` takes the names of all columns and returns the needed ones. Throws a `DamagedError` for a
 * file that is truncated or damaged, that states implausible sizes, or whose encryption, compression or encoding is not supported.
 */
export async function* parquetText(
  file: ParquetFile,
  columnsOf: (names: readonly string[]) => readonly string[],
): AsyncGenerator<Uint8Array> {
  try {
    yield* new Rows(file, await metadataOf(file), columnsOf).text();
  } catch (error) {
    // An error of the system has a `syscall`; all other errors come from the file's bytes.
    if (error instanceof DamagedError || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw new DamagedError("parquet", reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  return error instanceof RangeError && /^(?:a page|its) /.test(error.message)
    ? `not read: ${error.message}`
    : "damaged or truncated";
}

const readAsync = promisify(read);

/** Reads the bytes of a file from `start` to `end`. Throws a `DamagedError` when the file is shorter. */
async function bytesOf({ fd, size }: ParquetFile, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  if (!(start >= 0 && start <= end && end <= size)) throw new DamagedError("parquet", "truncated");
  const bytes = new Uint8Array(end - start);
  for (let at = 0; at < bytes.length;) {
    const { bytesRead } = await readAsync(fd, bytes, at, bytes.length - at, start + at);
    if (bytesRead === 0) throw new DamagedError("parquet", "truncated");
    at += bytesRead;
  }
  return bytes;
}

async function metadataOf(file: ParquetFile): Promise<FileMetaData> {
  const { size } = file;
  if (size < tailBytes + 4) throw new DamagedError("parquet", "truncated");
  const tail = await bytesOf(file, size - tailBytes, size);
  const magic = String.fromCharCode(...tail.subarray(4));
  if (magic === "PARE") throw new DamagedError("parquet", "encrypted, which is not supported");
  if (magic !== "PAR1") throw new DamagedError("parquet", "truncated: the metadata at its end is missing");
  const length = new DataView(tail.buffer).getUint32(0, true);
  if (length > size - tailBytes - 4) throw new DamagedError("parquet", "truncated");
  if (length > mostMetadataBytes) {
    throw new RangeError(`its metadata has ${length} bytes; the limit is ${mostMetadataBytes}`);
  }
  const bytes = await bytesOf(file, size - tailBytes - length, size);
  walkStruct(bytes.subarray(0, length), 0);
  return parquetMetadata(bytes, { parsers, geoparquet: false });
}

/**
 * The decoders for texts of columns. Bytes that are not UTF-8 become percent-escapes. A JSON value is not parsed and becomes a text, too.
 */
const parsers = {
  stringFromBytes: textOf,
  jsonFromBytes: textOf,
};

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined
    ? undefined
    : urlTextOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
}

/** The decompressors. The output is limited to the size that a page states, which `pagesOf` has checked. */
const compressors: Compressors = {
  SNAPPY(input, size) {
    const output = new Uint8Array(size);
    snappyUncompress(input, output);
    return output;
  },
  GZIP: (input, size) => gunzipSync(input, { maxOutputLength: Math.max(size, 1) }),
  BROTLI: (input, size) => brotliDecompressSync(input, { maxOutputLength: Math.max(size, 1) }),
  ZSTD: (input, size) => zstdDecompressSync(input, { maxOutputLength: Math.max(size, 1) }),
};
const readCodecs: ReadonlySet<string> = new Set(["UNCOMPRESSED", ...Object.keys(compressors)]);

type RowGroup = FileMetaData["row_groups"][number];

/** The bytes of one column chunk, and its offsets in the file. */
interface Chunk {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

class Rows {
  readonly #file: ParquetFile;
  readonly #metadata: FileMetaData;
  readonly #columns: readonly string[];
  /** The columns whose values are neither objects nor lists: their pages can be decoded one by one. */
  readonly #flat: ReadonlySet<string>;
  /** The columns with times that have no zone, and those with dates. */
  readonly #zoneless: ReadonlySet<string>;
  readonly #dates: ReadonlySet<string>;
  /** The column chunks of the current row group. */
  #chunks: readonly Chunk[] = [];

  constructor(file: ParquetFile, metadata: FileMetaData, columnsOf: (names: readonly string[]) => readonly string[]) {
    const { children } = parquetSchema(metadata);
    this.#file = file;
    this.#metadata = metadata;
    this.#columns = columnsOf(children.map(({ element }) => element.name));
    const flat = children.filter((each) => each.children.length === 0 && each.element.repetition_type !== "REPEATED");
    this.#flat = new Set(flat.map(({ element }) => element.name));
    const namesOf = (is: (element: SchemaElement) => boolean): ReadonlySet<string> =>
      new Set(children.filter((column) => elementsOf(column).some(is)).map(({ element }) => element.name));
    this.#zoneless = namesOf(isZoneless);
    this.#dates = namesOf(({ converted_type: type }) => type === "DATE");
  }

  async *text(): AsyncGenerator<Uint8Array> {
    const columns = this.#columns;
    const scan = await parquetScan({
      file: { byteLength: this.#file.size, slice: (start, end) => this.#slice(start, end) },
      metadata: this.#metadata,
      columns: [...columns],
      compressors,
      parsers,
      useOffsetIndex: false,
    });
    let groupStart = 0;
    let piece = "";
    for (const [index, group] of this.#metadata.row_groups.entries()) {
      const groupRows = countOf(group.num_rows);
      const groupEnd = groupStart + groupRows;
      const atOnce = await this.#load(group, index, groupRows);
      for (let rowStart = groupStart; rowStart < groupEnd; rowStart += atOnce) {
        const rowEnd = Math.min(rowStart + atOnce, groupEnd);
        const values = [];
        for (const column of columns)
          values.push(this.#shown(column, await scan.readColumn({ column, rowStart, rowEnd })));
        if (values.some(({ length }) => length !== rowEnd - rowStart)) {
          throw new DamagedError("parquet", `damaged: row group ${index + 1} has fewer values than rows`);
        }
        for (let row = 0; row < rowEnd - rowStart; row++) {
          piece += lineOf(columns, values, row);
          if (piece.length < pieceBytes) continue;
          yield Buffer.from(byteStringOf(piece), "latin1");
          piece = "";
        }
      }
      groupStart = groupEnd;
    }
    this.#chunks = [];
    if (piece !== "") yield Buffer.from(byteStringOf(piece), "latin1");
  }

  /** The values of a column. Times without a zone become texts without a zone, and dates become dates. */
  #shown(column: string, values: ArrayLike<unknown>): ArrayLike<unknown> {
    const length = this.#dates.has(column) ? dateLength : this.#zoneless.has(column) ? -1 : undefined;
    return length === undefined ? values : Array.from(values, (value) => withTexts(value, length));
  }

  /** Reads and checks the needed column chunks of a row group; returns the number of rows to decode at once. */
  async #load(group: RowGroup, index: number, groupRows: number): Promise<number> {
    const needed = group.columns.flatMap(({ meta_data: meta }) =>
      meta !== undefined && this.#columns.includes(meta.path_in_schema[0]!) ? [meta] : [],
    );
    const size = needed.reduce((sum, { total_compressed_size: bytes }) => sum + countOf(bytes), 0);
    if (size > mostChunkBytes) {
      const most = mostChunkBytes / 1_048_576;
      throw new RangeError(
        `its row group ${index + 1} has ${size} bytes in the needed columns; the limit is ${most} MB`,
      );
    }
    this.#chunks = [];
    const chunks: Chunk[] = [];
    let atOnce = rowsAtOnce;
    for (const meta of needed) {
      const name = meta.path_in_schema[0]!;
      if (!readCodecs.has(meta.codec)) {
        throw new DamagedError("parquet", `not read: its columns are compressed with ${meta.codec}`);
      }
      const start = countOf(meta.dictionary_page_offset || meta.data_page_offset);
      const end = start + countOf(meta.total_compressed_size);
      const bytes = await bytesOf(this.#file, start, end);
      const { largest, values } = pagesOf(bytes);
      chunks.push({ start, end, bytes });
      if (this.#flat.has(name)) {
        if (values !== groupRows) {
          throw new DamagedError("parquet", `damaged: row group ${index + 1} has fewer values than rows`);
        }
        atOnce = Math.max(atOnce, largest);
      } else {
        // Nested values are decoded from the beginning of the chunk.
        if (values > mostValues) {
          throw new RangeError(`its row group ${index + 1} has ${values} nested values; the limit is ${mostValues}`);
        }
        atOnce = Math.max(atOnce, groupRows);
      }
    }
    this.#chunks = chunks;
    return Math.max(1, atOnce);
  }

  /** Returns the file's bytes from `start` to `end`, which must be checked column chunks. Throws a `DamagedError` for other bytes. */
  async #slice(start: number, end: number = this.#file.size): Promise<ArrayBuffer> {
    const whole = this.#chunks.find((chunk) => chunk.start === start && chunk.end === end);
    if (whole !== undefined) return whole.bytes.buffer;
    // A nested column has several chunks, which are adjacent: its bytes begin with one checked chunk and end with another.
    const isChecked =
      this.#chunks.some((chunk) => chunk.start === start) && this.#chunks.some((chunk) => chunk.end === end);
    if (!isChecked || end - start > 2 * mostChunkBytes) throw new DamagedError("parquet", "damaged");
    return (await bytesOf(this.#file, start, end)).buffer;
  }
}

type SchemaElement = FileMetaData["schema"][number];
interface SchemaTree {
  readonly element: SchemaElement;
  readonly children: readonly SchemaTree[];
}

function elementsOf({ element, children }: SchemaTree): readonly SchemaElement[] {
  return [element, ...children.flatMap(elementsOf)];
}

/** Whether a column has times of a clock whose zone the file does not tell. Programs disagree about the zone of INT96. */
function isZoneless({ type, logical_type: logical, converted_type: converted }: SchemaElement): boolean {
  if (logical?.type === "TIMESTAMP") return !logical.isAdjustedToUTC;
  return type === "INT96" && converted === undefined;
}

/** The length of `2025-12-10`. */
const dateLength = 10;

/** A value in which each time is a text: the first `length` characters of its instant, or all but the last one if `length` is -1. */
function withTexts(value: unknown, length: number): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString().slice(0, length);
  if (Array.isArray(value)) return value.map((each) => withTexts(each, length));
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withTexts(each, length)]));
}

/** Converts a count or an offset of the metadata to a number. Throws a `DamagedError` for an impossible value. */
function countOf(value: bigint | number): number {
  const count = Number(value);
  if (!Number.isSafeInteger(count) || count < 0) throw new DamagedError("parquet", "damaged");
  return count;
}

function lineOf(columns: readonly string[], values: readonly ArrayLike<unknown>[], row: number): string {
  let line = "";
  for (let index = 0; index < columns.length; index++) {
    // A missing value is written as null, so that the first row has every field.
    line += `${index === 0 ? "{" : ","}${JSON.stringify(columns[index])}:${jsonOf(values[index]![row] ?? null)}`;
  }
  return `${line === "" ? "{" : line}}\n`;
}

/**
 * The JSON of a value: whole numbers with all their digits, times as ISO 8601, bytes in hexadecimal. Within an object or a list, a whole
 * number becomes a string if a JavaScript number may not be exact.
 */
function jsonOf(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return String(value);
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (typeof inner === "bigint") return Number.isSafeInteger(Number(inner)) ? Number(inner) : String(inner);
    return inner instanceof Uint8Array ? Buffer.from(inner).toString("hex") : inner;
  });
}
