// Writes the heads of one block's records into one buffer. Later blocks reuse the buffer.
import { type AskedField, PackedRecords } from "./packed.ts";
import { viewOf } from "./words.ts";

/** Maximum size of a buffer that is kept for a later block, in bytes. */
const mostSpareBytes = 4 * 1_048_576;

/** The heads of one block at a time, and the records that refer to them. The block of a reader of other things than blocks has no bytes. */
export class RowHeads {
  /** The buffer, and a view of it. `begin`, `makeRoom` and `finish` replace both. */
  bytes: Buffer = none;
  view: DataView = noView;
  /** The offset after the bytes that were written. */
  to = 0;
  packed: PackedRecords = new PackedRecords(none, none, 0);
  /** The memory of a block whose records are no longer used. */
  #spareBytes: Buffer | undefined;
  #spare: PackedRecords | undefined;
  /** Measured for the last block: the bytes of heads per byte of the block, with a reserve; and the number of records. */
  #growth = 1.5;
  #expected = 0;
  #blockBytes = 0;

  /** Begins a block of `blockBytes` bytes. The records that are added next belong to it. */
  begin(blockBytes = 0): void {
    this.#blockBytes = blockBytes;
    this.#use(this.#spareBytes ?? Buffer.allocUnsafeSlow(Math.ceil(blockBytes * this.#growth) + 4_096));
    this.to = 0;
    this.packed = this.#spare ?? new PackedRecords(this.bytes, this.bytes, this.#expected);
    this.packed.clear();
    this.#spareBytes = this.#spare = undefined;
  }

  /** Copies the bytes of the block to the beginning of the buffer, so that the fields of its records can be ranges of them. */
  keepBlock(bytes: Buffer): void {
    this.makeRoom(bytes.length);
    this.to = bytes.copy(this.bytes);
  }

  /** Makes room for `size` bytes, and for the bytes that `putBytes` may write after them. */
  makeRoom(size: number): void {
    if (this.to + size + 8 <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow((this.to + size) * 2 + 8);
    this.bytes.copy(larger, 0, 0, this.to);
    this.#use(larger);
  }

  /** Adds a record whose head, URL and requested fields are strings. Head and fields are bytes as Latin-1 strings; the URL is decoded. */
  add(head: string, url: string, fields: FieldTexts = {}): void {
    const start = this.to;
    this.makeRoom(head.length);
    this.to += this.bytes.write(head, start, "latin1");
    this.packed.pushDecoded(start, this.to, url);
    for (const [name, text] of Object.entries(fields)) if (text !== undefined) this.#addField(name as AskedField, text);
  }

  /** Stores a field of the last added record after its head. An empty field is left out. */
  #addField(name: AskedField, text: string): void {
    if (text === "") return;
    const start = this.to;
    this.makeRoom(text.length);
    this.to += this.bytes.write(text, start, "latin1");
    this.packed.pushField(name, start, this.to);
  }

  /** Returns the records of the block. Call `recycle` of the records after their last use; a later block may then reuse the buffer. */
  finish(): PackedRecords {
    const { packed, bytes } = this;
    packed.heads = packed.bytes = bytes;
    packed.recycle = (): void => {
      if (bytes.length > mostSpareBytes) return;
      this.#spareBytes = bytes;
      this.#spare = packed;
    };
    this.#expected = packed.count;
    if (this.#blockBytes > 0) this.#growth = (this.to / this.#blockBytes) * 1.1;
    this.#use(none);
    return packed;
  }

  #use(bytes: Buffer): void {
    this.bytes = bytes;
    this.view = viewOf(bytes);
  }
}

/** Fields of a record, as bytes in Latin-1 strings. */
export type FieldTexts = Readonly<Partial<Record<AskedField, string | undefined>>>;

const none = Buffer.alloc(0);
const noView = viewOf(none);
