// Rows → groups and records as objects, for who wants to read a file instead of asking it (RFC 9309 §2.1).
import { textOf } from "./bytes.ts";
import { ALLOW, DISALLOW, OTHER, USER_AGENT } from "./keys.ts";
import { patternOf } from "./encode.ts";
import { bytesOf } from "./kept.ts";
import { knownRecords } from "./known-records.ts";
import { type ParsedFile, REFUSED_MARK, kindOfRow, rowSize } from "./rows.ts";
import { EVERYBODY, NOBODY, tokenLengthOf } from "./token.ts";
import type { Group, OtherRecord, Rule, UserAgentLine } from "./types.ts";

function userAgentLineOf(file: ParsedFile, bytes: Uint8Array, at: number): UserAgentLine {
  const { rows, dialect } = file;
  const start = rows[at + 2]!;
  const length = tokenLengthOf(bytes, start, rows[at + 3]!, dialect);
  const productToken = length === EVERYBODY ? "*" : length === NOBODY ? "" : textOf(bytes, start, start + length);
  return { value: textOf(bytes, start, rows[at + 3]!), productToken, line: rows[at + 1]! };
}

/** Groups and records as objects. A run of user-agent lines is ended by a rule alone, never by an other record. */
export function contentsOf(file: ParsedFile): { groups: readonly Group[]; records: readonly OtherRecord[] } {
  const { bytes } = bytesOf(file.content);
  const { rows, dialect } = file;
  const groups: { userAgents: UserAgentLine[]; rules: Rule[]; records: OtherRecord[] }[] = [];
  const records: OtherRecord[] = [];
  let sawRule = false;
  for (let at = 0; at < rows.length; at += rowSize) {
    const kind = kindOfRow(rows[at]!);
    const line = rows[at + 1]!;
    let group = groups.at(-1);
    if (kind === USER_AGENT) {
      if (group === undefined || sawRule) {
        group = { userAgents: [], rules: [], records: [] };
        groups.push(group);
        sawRule = false;
      }
      group.userAgents.push(userAgentLineOf(file, bytes, at));
    } else if (kind === ALLOW || kind === DISALLOW) {
      sawRule = true;
      if ((rows[at]! & REFUSED_MARK) !== 0) continue;
      // A rule before any user-agent line belongs to nobody (§2.2.2).
      group?.rules.push({
        type: kind === ALLOW ? "allow" : "disallow",
        pattern: patternOf(bytes, rows[at + 2]!, rows[at + 3]!, dialect),
        line,
      });
    } else {
      const type = knownRecords[kind - OTHER]!;
      const scope = type.scope === "file" || group === undefined ? "file" : "group";
      const record: OtherRecord = { name: type.name, value: textOf(bytes, rows[at + 2]!, rows[at + 3]!), line, scope };
      records.push(record);
      if (scope === "group") group?.records.push(record);
    }
  }
  return { groups, records };
}
