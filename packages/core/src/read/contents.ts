// Builds groups and records as objects from rows, for programs that read a file instead of matching URLs (RFC 9309 §2.1).
import { oneByteTextOf, textOf } from "./bytes.ts";
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
  const { bytes, rows, dialect } = file;
  // Values of ASCII alone are slices of one string that has one character per byte. Only lines with ESCAPABLE_MARK have other bytes.
  const text = oneByteTextOf(bytes, bytes.length);
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
    const value = isEscapable ? textOf(bytes, start, end) : text.slice(start, end);
    if (kind === ALLOW || kind === DISALLOW) {
      sawRule = true;
      // A rule before the first user-agent line is in no group (§2.2.2).
      if (group === undefined || (column & REFUSED_MARK) !== 0) continue;
      const isCompared = !isEscapable && !dialect.normalizes;
      const pattern = isCompared ? value : patternOf(bytes, start, end, dialect);
      group.rules.push({ type: kind === ALLOW ? "allow" : "disallow", pattern, line });
    } else if (kind === USER_AGENT) {
      if (group === undefined || sawRule) {
        group = { userAgents: [], rules: [], records: [] };
        groups.push(group);
        sawRule = false;
      }
      const length = tokenLengthOf(bytes, start, end, dialect);
      const productToken = length === EVERYBODY ? "*" : length === NOBODY ? "" : text.slice(start, start + length);
      group.userAgents.push({ value, productToken, line });
    } else {
      const type = knownRecords[kind - OTHER]!;
      const scope = type.scope === "file" || group === undefined ? "file" : "group";
      const record: OtherRecord = { name: type.name, value, line, scope };
      records.push(record);
      if (scope === "group") group?.records.push(record);
    }
  }
  return { groups, records };
}
