// Finds the newest entry of an origin in an NDJSON export or a WARC file. Memory holds only each origin and the place of its line; a line
// is parsed when its entry is requested.
import { closeSync, fstatSync, readSync, type Stats } from "node:fs";
import type { StoredRobots } from "@robots-stream/fetch";
import { defaultLimits, storedOf } from "@robots-stream/fetch/internal";
import { jsonOfStored } from "@robots-stream/fetch/json";
import { accessPolicies, defaultFreshness } from "@robots-stream/fetch/policy";
import type { OpenFile } from "../../files/open-file.ts";
import { KeptBodies } from "../../files/temp-file.ts";
import { ByteKeys } from "../../records/byte-keys.ts";
import { ArchiveError } from "./checksum.ts";
import {
  entryOfLine,
  hasChecksum,
  isBlank,
  linesOf,
  type Rejected,
  warcEntriesOf,
  withoutChecksum,
} from "./entries.ts";
import type { RobotsRedirect } from "../../formats/warc/warc-entry.ts";

/** Memory for copies of lines that cannot be read again from the archive's file; further copies go into a temporary file. */
const keptBytes = 16 * 1_048_576;

/** Access to the lines of an archive, in the archive's file or in copies. */
export interface LineStore {
  /** Keeps a line that is at `offset` in the archive; returns the position from which `read` reads it. */
  keep(line: Uint8Array, offset: number): number;
  read(position: number, length: number): Uint8Array;
  close(): void;
}

/** The newest entries of an archive, by origin. */
export class LineArchive {
  /** Number of entries that were read, including entries that a newer one replaced. */
  entries = 0;
  readonly #lines: LineStore;
  readonly #origins = new ByteKeys();
  /** Whether a line has a checksum; lines without are then damaged. */
  #isChecked = false;
  #scratch = Buffer.alloc(1_024);
  /** Position, length and time of fetch of the newest line, by the number of its origin. */
  #positions = new Float64Array(1_024);
  #lengths = new Uint32Array(1_024);
  #times = new Float64Array(1_024);

  constructor(lines: LineStore) {
    this.#lines = lines;
  }

  get origins(): number {
    return this.#origins.count;
  }

  /**
   * Reads the lines of an NDJSON export. A line whose beginning has the form that this app writes is parsed later, by `find`; any other
   * line is parsed at once.
   */
  async addLines(chunks: AsyncIterable<Uint8Array>, reject: Rejected): Promise<void> {
    let number = 0;
    for await (const { bytes, offset } of linesOf(chunks)) {
      number++;
      this.#isChecked ||= bytes !== undefined && hasChecksum(bytes);
      if (bytes === undefined) reject(`line ${number}`, "is too long");
      else if (!this.#addQuickly(bytes, offset) && !isBlank(bytes)) {
        const entry = entryOfLine(bytes);
        if (typeof entry === "string") reject(`line ${number}`, entry);
        else this.#add(this.#write(entry.origin), entry.fetchedAt, bytes, offset);
      }
    }
  }

  /** Reads the records of a decompressed WARC file. */
  async addWarc(chunks: AsyncIterable<Uint8Array>, reject: Rejected): Promise<void> {
    const onRedirect = (redirect: RobotsRedirect): void => {
      const line = Buffer.concat([redirectStart, Buffer.from(redirect.to)]);
      this.#add(this.#write(redirect.origin), redirect.fetchedAt, line, 0);
    };
    for await (const entry of warcEntriesOf(chunks, reject, { onRedirect })) {
      const line = Buffer.from(JSON.stringify(jsonOfStored(entry)));
      this.#add(this.#write(entry.origin), entry.fetchedAt, line, 0);
    }
  }

  /**
   * The newest entry of an origin, or of the origin that its redirects lead to; undefined without an entry. Throws an `ArchiveError` for a
   * damaged line.
   */
  find(origin: string): StoredRobots | undefined {
    let at = origin;
    for (let hops = 0; hops <= defaultLimits.maxRedirects; hops++) {
      const found = this.#find(at);
      if (typeof found !== "string") return found;
      at = found;
    }
    const failure = { code: "redirect-limit", message: "", url: `${origin}/robots.txt` } as const;
    const exchange = { hops: [], startedAt: 0, endedAt: 0, failure };
    return storedOf(origin, exchange, undefined, accessPolicies.google, defaultFreshness, 0);
  }

  /** The newest entry of an origin, or the name of the origin that its redirect leads to; undefined if there is neither. */
  #find(origin: string): StoredRobots | string | undefined {
    const number = this.#origins.find(this.#scratch, 0, this.#write(origin));
    if (number < 0) return undefined;
    const position = this.#positions[number]!;
    const line = this.#lines.read(position, this.#lengths[number]!);
    const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
    if (bytes[0] === redirectStart[0]) return bytes.toString("utf8", redirectStart.length);
    const entry = this.#isChecked && !hasChecksum(bytes) ? withoutChecksum : entryOfLine(bytes);
    if (typeof entry === "string") throw new ArchiveError(`the line at byte ${position} ${entry}`);
    if (entry.origin !== origin || entry.fetchedAt !== this.#times[number]) {
      throw new ArchiveError(`the line at byte ${position} was changed while it was read`);
    }
    return entry;
  }

  close(): void {
    this.#lines.close();
  }

  /** Adds a line that begins with `{"origin":"…","fetchedAt":…,`, as this app writes it. Returns false, and adds nothing, for others. */
  #addQuickly(line: Buffer, offset: number): boolean {
    const originEnd = line.indexOf('"', lineStart.length);
    if (originEnd === -1 || line.length < originEnd + 100 || originEnd > 2_000) return false;
    if (line[0] !== lineStart[0] || !lineStart.equals(line.subarray(0, lineStart.length))) return false;
    let at = originEnd;
    for (let index = 0; index < timeStart.length; index++) if (line[at++] !== timeStart[index]) return false;
    for (let index = lineStart.length; index < originEnd; index++) {
      const byte = line[index]!;
      // An origin with an escape sequence or a byte other than printable ASCII is parsed as JSON instead.
      if (byte <= 0x20 || byte === 0x5c || byte >= 0x7f) return false;
    }
    let time = 0;
    const digitsAt = at;
    for (; line[at]! >= 0x30 && line[at]! <= 0x39; at++) time = time * 10 + line[at]! - 0x30;
    // A number of up to 15 digits is exact.
    if (line[at] !== 0x2c || at === digitsAt || at - digitsAt > 15 || line.at(-1) === 0x0d) return false;
    this.#makeRoom(originEnd);
    const end = line.copy(this.#scratch, 0, lineStart.length, originEnd);
    this.#add(end, time, line, offset);
    return true;
  }

  /** Adds the line of an entry whose origin is `#scratch[0, originEnd)`. Of two entries with equal times, the later line is kept. */
  #add(originEnd: number, fetchedAt: number, line: Uint8Array, offset: number): void {
    this.entries++;
    const known = this.#origins.find(this.#scratch, 0, originEnd);
    if (known >= 0 && this.#times[known]! > fetchedAt) return;
    const number = known >= 0 ? known : this.#origins.add(this.#scratch, 0, originEnd);
    if (number >= this.#times.length) this.#enlarge();
    this.#positions[number] = this.#lines.keep(line, offset);
    this.#lengths[number] = line.byteLength;
    this.#times[number] = fetchedAt;
  }

  #write(origin: string): number {
    this.#makeRoom(origin.length * 3);
    return this.#scratch.write(origin, "utf8");
  }

  #makeRoom(bytes: number): void {
    if (bytes > this.#scratch.length) this.#scratch = Buffer.alloc(bytes * 2);
  }

  #enlarge(): void {
    const length = this.#times.length * 2;
    const [positions, lengths, times] = [this.#positions, this.#lengths, this.#times];
    (this.#positions = new Float64Array(length)).set(positions);
    (this.#lengths = new Uint32Array(length)).set(lengths);
    (this.#times = new Float64Array(length)).set(times);
  }
}

/** First byte of a redirect's copy, before the origin of its target; no line of an archive begins with this byte. */
const redirectStart = Buffer.from("\0");
const lineStart = Buffer.from('{"origin":"');
const timeStart = Buffer.from('","fetchedAt":');

/** The lines of a regular file. They are read again from the file, which stays open until `close` and must not change. */
export function linesOfFile({ fd, stat }: OpenFile): LineStore {
  return {
    keep: (_line, offset) => offset,
    read(position, length) {
      if (!isUnchanged(fstatSync(fd), stat)) throw new ArchiveError("it was changed while it was read");
      const line = Buffer.allocUnsafe(length);
      for (let at = 0; at < length;) {
        const count = readSync(fd, line, at, length - at, position + at);
        if (count === 0) throw new ArchiveError("it was truncated while it was read");
        at += count;
      }
      return line;
    },
    close: () => closeSync(fd),
  };
}

function isUnchanged(now: Stats, before: Stats): boolean {
  return now.size === before.size && now.mtimeMs === before.mtimeMs;
}

/** Copies of lines, in memory and in a temporary file. */
export function copiedLines(): LineStore {
  const bodies = new KeptBodies(keptBytes);
  return {
    keep: (line) => bodies.keep(line),
    read: (position, length) => bodies.read(position, length),
    close: () => bodies.close(),
  };
}
