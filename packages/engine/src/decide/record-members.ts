// The interface for additional members of a row's `robots` object, which are computed from fields of the record and from its decision.
// `FieldCarrier` passes these fields to the stage that builds rows.
//
// The tails of rows are built once for each decision. A member that differs from record to record, such as whether the client's address
// belongs to the crawler, is added when the row is copied. Runs without such members do not use this module.
import type { Question } from "../questions/questions.ts";
import type { AskedText } from "../formats/asked-fields.ts";
import type { Batch } from "../records/batch.ts";
import { type AskedField, headEndAt, headStartAt, type PackedRecords, spanSize } from "../records/packed.ts";
import { eightsOverrun } from "../records/words.ts";
import { RequestPlaces } from "../requests/request-places.ts";
import type { SourcedRobots } from "../robots/in-force.ts";
import type { UndecidedBecause } from "../formats/types.ts";

/**
 * The values of a source's members as JSON texts, in the order of `RecordMembers.names`; undefined for a member that the row omits. Return
 * the same array object for equal values: the bytes of an array are made once and cached.
 */
export type MemberValues = readonly (string | undefined)[];

/** The records of a batch before they are decided. */
export interface AskedRecords {
  readonly count: number;
  /** The bytes of a field as a Latin-1 string; "" for a record without the field. */
  fieldOf(field: AskedField, record: number): string;
}

/** One record with one of its questions, valid during the call. */
export interface MemberRecord {
  /** The question: its crawler and dialect. */
  readonly question: Question;
  /** The buffer that contains the fields of the record. */
  readonly bytes: Buffer;
  /** The offset in `bytes` where a field begins; `field` is its index in `RecordMembers.fields`. */
  startOf(field: number): number;
  /** The offset in `bytes` where a field ends; equal to `startOf(field)` for a record without the field. */
  endOf(field: number): number;
  /** The bytes of a field as a Latin-1 string; "" for a record without the field. */
  textOf(field: number): string;
  /** The origin; undefined when no robots.txt applies to the record. */
  readonly origin: string | undefined;
  /**
   * Identifies the robots.txt that decides the record. In one run, several robots.txt files of an origin may decide, because the file
   * changed or because records are decided by their time. The key of a cache is therefore the origin and the version, not the origin alone.
   */
  readonly version: string;
  /** Whether the decision allows; undefined when no robots.txt applies to the record. */
  readonly isAllowed: boolean | undefined;
  /** The text that rules are compared with, as a Latin-1 string of its UTF-8 bytes; "" without an origin. */
  target(): string;
  /**
   * The robots.txt that decides the record; undefined without an origin, or when the source does not return the file again. The call may
   * read a file, so cache values that you derive from it by origin and `version`, within a memory limit.
   */
  robots(): SourcedRobots | undefined;
}

/**
 * A source of members per record. With no `names` it is a sink, which takes each decided record whose row is written and changes no row.
 *
 * Order: `valuesOf` is called once for each record and question whose row is written, when the row is built: in the order of the input in an
 * ordered run, in any order otherwise. Memory: the record's bytes are valid during the call only; copy what you keep, and bound it, because
 * an input has any number of records. Time: the call holds up the rows, so it must not wait.
 */
export interface RecordMembers {
  /** The names of the members in `robots`. A table has columns of these names, prefixed with the result key. */
  readonly names: readonly string[];
  /** The fields that `MemberRecord` gives access to. A reader provides a field when `texts` or the settings of the run request it. */
  readonly fields: readonly AskedField[];
  /** The texts among these fields, and where readers find them: passed to readers as `ReadOptions.texts`. */
  readonly texts: readonly AskedText[];
  /**
   * Called with each batch before its records are decided, for look-ups. The engine awaits the promise, so `prepare` must limit its own
   * time.
   */
  prepare?(records: AskedRecords): Promise<void> | undefined;
  /**
   * Withdraws the decision about a record for a question: returns the reason, such as "no-file" when the rules that decided the record are
   * from another time; undefined keeps the decision. The row and the counts of the record then have this reason instead. Called only for a
   * record with an origin, before `valuesOf`. Must not throw. Cannot be combined with `onlyDifferences`.
   */
  undecidedOf?(record: MemberRecord): UndecidedBecause | undefined;
  /** The values of the members for a record and a question. Must not throw, whatever the bytes of the fields are. */
  valuesOf(record: MemberRecord): MemberValues;
  /** Called once when the run has ended, also after an error. */
  end?(): void;
}

/** The texts that the sources request from readers, each name once; undefined when there are none. */
export function textsOf(members: readonly RecordMembers[] | undefined): readonly AskedText[] | undefined {
  const asked = members?.flatMap(({ texts }) => texts) ?? [];
  const texts = asked.filter(({ name }, index) => asked.findIndex((each) => each.name === name) === index);
  return texts.length === 0 ? undefined : texts;
}

/** The names of the members of all sources, for a writer of columns; undefined without sources. */
export function memberNamesOf(members: readonly RecordMembers[] | undefined): readonly string[] | undefined {
  return members?.flatMap(({ names }) => names);
}

/** Number of bytes in which `FieldCarrier` stores the length of one field. */
export const lengthBytes = 4;

/**
 * Passes the requested fields to the stage that builds rows: appends the fields of a record, and then their lengths, to its head. When a record
 * waits for its robots.txt, in memory or in a file, its fields are stored with its head.
 */
export class FieldCarrier {
  readonly #members: readonly RecordMembers[];
  readonly #fields: readonly AskedField[];
  readonly #places = new RequestPlaces();

  constructor(members: readonly RecordMembers[]) {
    this.#members = members;
    this.#fields = members.flatMap(({ fields }) => fields);
  }

  /** Calls `prepare` of each source, then appends the fields to the heads. */
  async take({ records: packed }: Batch): Promise<void> {
    for (const members of this.#members) await members.prepare?.(packed);
    if (this.#fields.includes("sent")) this.#addSent(packed);
    this.#carry(packed);
  }

  #addSent(packed: PackedRecords): void {
    const places = this.#places;
    for (let record = 0; record < packed.count; record++) {
      places.locate(packed, record);
      if (!places.isChanged) continue;
      const { bytes, size } = places.written;
      packed.spansOf("sent").setDecoded(record, bytes.toString("latin1", 0, size));
    }
  }

  #carry(packed: PackedRecords): void {
    const { count, spans, heads, bytes } = packed;
    const texts = this.#fields.map((field) => packed.fields[field]);
    const lengths = lengthBytes * texts.length;
    let size = eightsOverrun;
    for (let record = 0; record < count; record++) {
      const at = record * spanSize;
      size += spans[at + headEndAt]! - spans[at + headStartAt]! + lengths;
      for (const text of texts) size += text?.sizeOf(record) ?? 0;
    }
    const to = Buffer.allocUnsafeSlow(size);
    let end = 0;
    for (let record = 0; record < count; record++) {
      const at = record * spanSize;
      const start = end;
      end += heads.copy(to, end, spans[at + headStartAt], spans[at + headEndAt]);
      for (const text of texts) end += text?.copy(bytes, record, to, end) ?? 0;
      for (const text of texts) end = to.writeUInt32LE(text?.sizeOf(record) ?? 0, end);
      spans[at + headStartAt] = start;
      spans[at + headEndAt] = end;
    }
    packed.heads = to;
  }
}
