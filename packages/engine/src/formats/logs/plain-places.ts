// Finds the byte offsets of the fields of each log line, for runs that examine requests and write no rows.
import type { LogClock } from "@robots-stream/logs";
import { type AskedField, type FieldSpans, type PackedRecords } from "../../records/packed.ts";
import { eightsOverrun } from "../../records/words.ts";
import { Instants } from "./instants.ts";
import { LineFields, type LineFieldsOptions } from "./line-fields.ts";
import { endOfAddress, isMissing } from "./plain-fields.ts";

export interface PlainPlacesOptions extends Omit<LineFieldsOptions, "readsTime"> {
  /** The clock that wrote times without a zone. */
  readonly logClock: LogClock | undefined;
  readonly asksAgent: boolean;
  readonly asksTime: boolean;
  readonly asksAddress: boolean;
}

/** A field that the run examines. */
interface Asked {
  readonly name: AskedField;
  /** The index in `LineFields.places` of the field's start; the end follows. */
  readonly place: number;
  readonly hasPort: boolean;
}

/** The lines of one block, and the packed records to which their fields' offsets are added. */
export interface PlacedBlock {
  readonly packed: PackedRecords;
  /** The lines: the first bytes of `memory`. */
  readonly bytes: Buffer;
  readonly memory: Buffer;
  readonly memoryView: DataView;
  /** The end of the used bytes of `memory`: the lines, and the copies of targets after them. The bytes from here on are free. */
  to: number;
}

/** Adds a record with the offsets of the fields for each line of one log. */
export class PlainPlaces {
  readonly #fields: LineFields;
  readonly #asked: readonly Asked[];
  readonly #asksTime: boolean;
  /** Whether the run asks for the User-Agent header, and the lines have no field for it. */
  readonly #lacksAgentField: boolean;
  readonly #headerOf: ((field: string) => string) | undefined;
  readonly #hasLocalTime: boolean;
  readonly #instants: Instants;
  /** The packed records that the last line was added to, and their spans of the fields in `#asked`, in the same order. */
  #packed: PackedRecords | undefined;
  #spans: readonly FieldSpans[] = [];

  constructor({ asksAgent, asksTime, asksAddress, logClock, ...options }: PlainPlacesOptions) {
    const { pattern } = options;
    const fields = new LineFields({ ...options, readsTime: asksTime });
    this.#fields = fields;
    this.#asksTime = asksTime && fields.time >= 0;
    this.#hasLocalTime = pattern.hasLocalTime === true;
    this.#instants = new Instants(logClock);
    this.#headerOf = pattern.headerOf;
    const { client, agent, hasPort } = fields;
    this.#lacksAgentField = asksAgent && agent < 0;
    this.#asked = [
      ...(asksAgent ? [{ name: "agent" as const, place: agent, hasPort: false }] : []),
      ...(["method", "status", "bytes", "referer"] as const).map((name) => ({
        name,
        place: fields.placeOf(name),
        hasPort: false,
      })),
      ...(asksAddress ? [{ name: "address" as const, place: client, hasPort }] : []),
    ].filter(({ place }) => place >= 0);
  }

  /**
   * Adds the record of the line at `start`. Returns the offset of the next line, or -1 when only the log's parser can read the line; no
   * record is added then. `view` is `viewBeyond(block.bytes)`.
   */
  take(block: PlacedBlock, view: DataView, start: number): number {
    const { bytes, packed } = block;
    const fields = this.#fields;
    const next = fields.find(bytes, view, start);
    if (next < 0) return -1;
    if (packed !== this.#packed) this.#open(packed);
    const { places, target, time, beginning } = fields;
    let seconds = 0;
    if (this.#asksTime) {
      seconds = this.#secondsOf(bytes, view, places, places[time]!, places[time + 1]!);
      if (Number.isNaN(seconds)) return -1;
    }
    const from = places[target]!;
    const to = places[target + 1]!;
    if (!fields.hasQuery(bytes)) packed.pushTarget(beginning.text, from, to);
    else if (!this.#pushWithQuery(block, view, next - start)) return -1;
    if (fields.host < 0 && beginning.text !== "") packed.assumeOrigin();
    if (this.#asksTime) packed.pushSeconds(seconds, this.#instants.hasZone);
    if (fields.hasServerPath) packed.pushDecodedField("serverPath", "1");
    if (this.#lacksAgentField) packed.pushDecodedField("noAgentField", "1");
    const record = packed.count - 1;
    const asked = this.#asked;
    const spans = this.#spans;
    for (let index = 0; index < asked.length; index++) {
      const { place, hasPort } = asked[index]!;
      const fieldStart = places[place]!;
      const fieldEnd = hasPort ? endOfAddress(bytes, fieldStart, places[place + 1]!) : places[place + 1]!;
      if (!isMissing(bytes, fieldStart, fieldEnd)) spans[index]!.set(record, fieldStart, fieldEnd);
    }
    return next;
  }

  #open(packed: PackedRecords): void {
    this.#packed = packed;
    this.#spans = this.#asked.map(({ name }) => packed.spansOf(name));
    if (packed.fields.agent !== undefined) packed.fields.agent.reading = this.#headerOf;
  }

  #secondsOf(bytes: Buffer, view: DataView, places: Int32Array, start: number, end: number): number {
    const { date } = this.#fields;
    const instants = this.#instants;
    if (date < 0) return instants.secondsOf(bytes, view, start, end);
    const [dateStart, dateEnd] = [places[date]!, places[date + 1]!];
    return instants.secondsOfDateAndTime(bytes, view, dateStart, dateEnd, start, end, this.#hasLocalTime);
  }

  /**
   * Copies the target and the query of the last line, which has `lineSize` bytes, to the free bytes of `memory`, and adds a record whose
   * target is this copy. Returns false, without adding a record, when `memory` has no room.
   */
  #pushWithQuery(block: PlacedBlock, view: DataView, lineSize: number): boolean {
    const start = block.to;
    if (start + lineSize + eightsOverrun > block.memory.length) return false;
    block.to = this.#fields.putTarget(block.bytes, view, block.memoryView, start);
    block.packed.pushTarget(this.#fields.beginning.text, start, block.to);
    return true;
  }
}
