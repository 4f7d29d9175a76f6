// Rows → groups and records as objects, for programs that read a file rather than match URLs against it (RFC 9309 §2.1).
import { oneByteTextOf, textOf } from "./bytes.ts";
import type { Dialect } from "./dialect.ts";
import { ALLOW, DISALLOW, OTHER, USER_AGENT } from "./keys.ts";
import { patternOf } from "./encode.ts";
import { bytesOf } from "./kept.ts";
import { knownRecords } from "./known-records.ts";
import {
  ESCAPABLE_MARK,
  type ParsedFile,
  REFUSED_MARK,
  endColumn,
  kindOfRow,
  lineColumn,
  rowSize,
  startColumn,
} from "./rows.ts";
import { EVERYBODY, NOBODY, tokenLengthOf } from "./token.ts";
import type { Group, OtherRecord, Rule, UserAgentLine } from "./types.ts";

/** A group that rows are added to. */
interface OpenGroup {
  readonly userAgents: UserAgentLine[];
  readonly rules: Rule[];
  readonly records: OtherRecord[];
}

/** Groups and records as objects. A run of user-agent lines is ended by a rule alone, never by an other record. */
export function contentsOf(file: ParsedFile): { groups: readonly Group[]; records: readonly OtherRecord[] } {
  const { rows, dialect } = file;
  const values = new Values(file);
  const groups: OpenGroup[] = [];
  const records: OtherRecord[] = [];
  let group: OpenGroup | undefined;
  let sawRule = false;
  for (let at = 0; at < rows.length; at += rowSize) {
    const column = rows[at]!;
    const kind = kindOfRow(column);
    const line = rows[at + lineColumn]!;
    const start = rows[at + startColumn]!;
    const end = rows[at + endColumn]!;
    const isEscapable = (column & ESCAPABLE_MARK) !== 0;
    if (kind === ALLOW || kind === DISALLOW) {
      sawRule = true;
      // A rule before the first user-agent line is in no group (§2.2.2).
      if (group === undefined || (column & REFUSED_MARK) !== 0) continue;
      const pattern = values.patternAt(start, end, isEscapable, dialect);
      group.rules.push({ type: kind === ALLOW ? "allow" : "disallow", pattern, line });
    } else if (kind === USER_AGENT) {
      if (group === undefined || sawRule) {
        group = { userAgents: [], rules: [], records: [] };
        groups.push(group);
        sawRule = false;
      }
      const productToken = values.productTokenAt(start, end, dialect);
      group.userAgents.push({ value: values.textAt(start, end, isEscapable), productToken, line });
    } else {
      const type = knownRecords[kind - OTHER]!;
      const scope = type.scope === "file" || group === undefined ? "file" : "group";
      const record: OtherRecord = { name: type.name, value: values.textAt(start, end, isEscapable), line, scope };
      records.push(record);
      if (scope === "group") group?.records.push(record);
    }
  }
  return { groups, records };
}

/** The values of a file as strings: parts of one string, in which a character is a byte, where they hold only ASCII. */
class Values {
  readonly #bytes: Uint8Array;
  readonly #oneByteText: string;

  constructor({ content }: ParsedFile) {
    const { bytes, size } = bytesOf(content);
    this.#bytes = bytes;
    const isAscii = typeof content === "string" && content.length === size;
    this.#oneByteText = isAscii ? content : oneByteTextOf(bytes, size);
  }

  /** A value as written. Only lines with {@link ESCAPABLE_MARK} hold bytes of 0x80 and above. */
  textAt(start: number, end: number, isEscapable: boolean): string {
    return isEscapable ? textOf(this.#bytes, start, end) : this.#oneByteText.slice(start, end);
  }

  /** A path pattern as it is compared. */
  patternAt(start: number, end: number, isEscapable: boolean, dialect: Dialect): string {
    if (isEscapable || dialect.normalizes) return patternOf(this.#bytes, start, end, dialect);
    return this.#oneByteText.slice(start, end);
  }

  /** What a user-agent value names: `*`, or the leading product token, which may be empty. */
  productTokenAt(start: number, end: number, dialect: Dialect): string {
    const length = tokenLengthOf(this.#bytes, start, end, dialect);
    if (length === EVERYBODY) return "*";
    return length === NOBODY ? "" : this.#oneByteText.slice(start, start + length);
  }
}
