// The interface for further members of a record's `robots` object, computed from fields of the record and from its decision; and the way in
// which these fields reach the stage that builds rows.
//
// The tails of rows are built once for each rule. A member that differs from record to record, such as whether the client's address is the
// crawler's, is added when the row is copied. Runs without such members do not use this module.
import type { Question } from "../questions.ts";
import { packedRecordsOf } from "../locate/locate.ts";
import type { AskedText } from "../formats/asked-text.ts";
import type { Batch } from "../records/batch.ts";
import { type AskedField, type PackedRecords, headEndAt, headStartAt, spanSize } from "../records/packed.ts";
import { eightsOverrun } from "../records/words.ts";
import type { SourcedRobots } from "../robots/types.ts";
import type { UndecidedBecause } from "../formats/types.ts";

/**
 * The values of members, in the order of their names: JSON texts; undefined for a member that the record does not have. Return the same
 * list for the same values: its bytes are then made once.
 */
export type MemberValues = readonly (string | undefined)[];

/** The records of a batch before they are decided. */
export interface AskedRecords {
  readonly count: number;
  /** The bytes of a field as a Latin-1 string; "" for a record without it. */
  fieldOf(field: AskedField, record: number): string;
}

/** One record with one of its questions, valid during the call. */
export interface MemberRecord {
  /** Crawler and dialect. */
  readonly question: Question;
  /** The buffer with the fields. */
  readonly bytes: Buffer;
  /** The offset in `bytes` at which the field with this index in `RecordMembers.fields` starts. */
  startOf(field: number): number;
  /** The offset in `bytes` at which the field ends; equal to `startOf(field)` for a record without the field. */
  endOf(field: number): number;
  /** The bytes of the field as a Latin-1 string; "" for a record without the field. */
  textOf(field: number): string;
  /** The origin; undefined when no robots.txt applies to the record. */
  readonly origin: string | undefined;
  /**
   * Identifies the robots.txt file: in one run, several files of an origin may decide, because the file changed or because records are
   * decided by their time. The key of a cache is therefore the origin and the version, not the origin alone.
   */
  readonly version: string;
  /** The decision; undefined when no robots.txt applies to the record. */
  readonly isAllowed: boolean | undefined;
  /** The text that rules are compared with, as a Latin-1 string of its UTF-8 bytes; "" without an origin. */
  target(): string;
  /**
   * The robots.txt that decides the record; undefined without an origin, or when the source does not return the file again. This may read
   * a file, so cache what you compute from it by origin and `version`, within a limit.
   */
  robots(): SourcedRobots | undefined;
}

/** A source of members per record. */
export interface RecordMembers {
  /** The names of the members in `robots`. A table has columns of these names, prefixed with the result key. */
  readonly names: readonly string[];
  /** The fields of records that `valuesOf` reads. `texts` requests fields from the reader; the settings of the run may request others. */
  readonly fields: readonly AskedField[];
  /** Tells readers where to find those of `fields` that are texts. */
  readonly texts: readonly AskedText[];
  /** Called with each batch before its records are decided, and awaited: for look-ups. It must limit its own time. */
  prepare?(records: AskedRecords): Promise<void> | undefined;
  /**
   * The reason to withdraw the answer of a record with an origin, such as "no-file" when the rules that decided the record are from another
   * time; undefined: the answer stays. The row and the counts of the record then have this reason. Called before `valuesOf`; must not throw.
   * Cannot be combined with `onlyDifferences`.
   */
  undecidedOf?(record: MemberRecord): UndecidedBecause | undefined;
  /** The values for a record and a question. Must not throw, whatever the bytes are. */
  valuesOf(record: MemberRecord): MemberValues;
}

/** The texts that sources of members ask readers for, each once; undefined: none. */
export function textsOf(members: readonly RecordMembers[] | undefined): readonly AskedText[] | undefined {
  const asked = members?.flatMap(({ texts }) => texts) ?? [];
  const texts = asked.filter(({ name }, index) => asked.findIndex((each) => each.name === name) === index);
  return texts.length === 0 ? undefined : texts;
}

/** The names of the members of all sources, for a writer of columns; undefined: none. */
export function memberNamesOf(members: readonly RecordMembers[] | undefined): readonly string[] | undefined {
  return members?.flatMap(({ names }) => names);
}

/** Number of bytes in which `FieldCarrier` stores the length of one field. */
export const lengthBytes = 4;

/**
 * Carries the asked fields to the stage that builds rows: appends them, and their lengths, to the heads. So the fields of a record that
 * waits for its robots.txt wait with its head, in memory or in a file.
 */
export class FieldCarrier {
  readonly #members: readonly RecordMembers[];
  readonly #fields: readonly AskedField[];

  constructor(members: readonly RecordMembers[]) {
    this.#members = members;
    this.#fields = members.flatMap(({ fields }) => fields);
  }

  /** The batch with fields in its heads. */
  async take(batch: Batch): Promise<Batch> {
    const packed = packedRecordsOf(batch);
    for (const members of this.#members) await members.prepare?.(packed);
    this.#carry(packed);
    return batch.packed === undefined ? { ...batch, packed } : batch;
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
