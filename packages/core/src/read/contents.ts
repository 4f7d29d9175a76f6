// Builds groups and records as objects from rows, for programs that read a file instead of matching URLs (RFC 9309 §2.1).
import { oneByteTextOf, textOf } from "./bytes.ts";
import type { Dialect } from "./dialect.ts";
import { ALLOW, DISALLOW, knownRecords, OTHER, USER_AGENT } from "./keys.ts";
import { patternOf } from "./encode.ts";
import {
  type ParsedFile,
  endColumn,
  ESCAPABLE_MARK,
  kindOfRow,
  lineColumn,
  REFUSED_MARK,
  rowSize,
  startColumn,
} from "./parsed-file.ts";
import { EVERYBODY, NOBODY, tokenLengthOf } from "./token.ts";
import type { Group, OtherRecord, Rule, UserAgentLine } from "./types.ts";

/** A group that is being built. */
interface OpenGroup {
  readonly userAgents: UserAgentLine[];
  readonly rules: Rule[];
  readonly records: OtherRecord[];
}

/** The groups and records of a file as objects. Only a rule ends a run of user-agent lines; other records do not. */
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

/** The values of a file as strings. Values of ASCII alone are slices of one string that has one character per byte. */
class Values {
  readonly #bytes: Uint8Array;
  readonly #oneByteText: string;

  constructor({ bytes }: ParsedFile) {
    this.#bytes = bytes;
    this.#oneByteText = oneByteTextOf(bytes, bytes.length);
  }

  /** A value as written in the file. Only lines with {@link ESCAPABLE_MARK} contain bytes of 0x80 and above. */
  textAt(start: number, end: number, isEscapable: boolean): string {
    return isEscapable ? textOf(this.#bytes, start, end) : this.#oneByteText.slice(start, end);
  }

  /** A path pattern in the form that is compared with targets. */
  patternAt(start: number, end: number, isEscapable: boolean, dialect: Dialect): string {
    if (isEscapable || dialect.normalizes) return patternOf(this.#bytes, start, end, dialect);
    return this.#oneByteText.slice(start, end);
  }

  /** The name in a user-agent value: `*`, or the leading product token, which may be empty. */
  productTokenAt(start: number, end: number, dialect: Dialect): string {
    const length = tokenLengthOf(this.#bytes, start, end, dialect);
    if (length === EVERYBODY) return "*";
    return length === NOBODY ? "" : this.#oneByteText.slice(start, start + length);
  }
}
