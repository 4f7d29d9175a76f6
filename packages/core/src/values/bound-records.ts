// Finds the other records of a file that bind a crawler, with their values as bytes (RFC 9309 §2.2.4).
import { names } from "../choose/binding.ts";
import { ALLOW, DISALLOW, OTHER, USER_AGENT } from "../read/keys.ts";
import { bytesOf } from "../read/kept.ts";
import { type RecordName, knownRecords } from "../read/known-records.ts";
import { checkParsed } from "../read/parse.ts";
import { endColumn, kindOfRow, lineColumn, rowSize, startColumn } from "../read/rows.ts";
import { integersOf, nameRows } from "../choose/rules.ts";
import { EVERYBODY } from "../read/token.ts";
import type { RobotsTxt, TokenMatch } from "../read/types.ts";

/** A line of another record that binds a crawler. */
export interface BoundRecord {
  readonly name: RecordName;
  /** Line number in the file, from 1. */
  readonly line: number;
  /** The value as written, trimmed. */
  readonly value: Uint8Array;
  /** `"file"`: the line is before the first user-agent line. `"named"`: its group names the crawler. `"everybody"`: its group names `*`. */
  readonly scope: "file" | "named" | "everybody";
}

/** The index of Content-Usage in `knownRecords`. Like a rule, it ends a run of user-agent lines (draft-ietf-aipref-attach-05 §3). */
const usageRow = knownRecords.findIndex(({ name }) => name === "content-usage");

/** Whether the file has a line of one of the `wanted` records. Linear in the lines; allocates nothing. */
export function holdsRecords(robots: RobotsTxt, wanted: ReadonlySet<RecordName>): boolean {
  checkParsed(robots);
  const { rows } = robots;
  for (let at = 0; at < rows.length; at += rowSize) {
    const kind = kindOfRow(rows[at]!);
    if (kind >= OTHER && wanted.has(knownRecords[kind - OTHER]!.name)) return true;
  }
  return false;
}

/** A run of user-agent lines, which contains the names of one group. */
interface Run {
  isNamed: boolean;
  isEverybodys: boolean;
  /** Whether a line has ended the run, so that the next user-agent line begins another run. */
  isEnded: boolean;
}

/**
 * Returns the lines of the `wanted` records that bind a crawler, in line order. These are the lines before the first user-agent line and
 * the lines of the crawler's groups: the groups that name one of the product tokens or, if no group does, the groups for `*`. With
 * `productTokens` undefined, the result has only the lines before the first user-agent line. Groups end as `parseRobotsTxt` ends them, with
 * one exception: for Content-Usage records, a Content-Usage line also ends a run of user-agent lines. Linear in the file.
 */
export function boundRecordsOf(
  robots: RobotsTxt,
  productTokens: readonly string[] | undefined,
  tokenMatch: TokenMatch,
  wanted: ReadonlySet<RecordName>,
): BoundRecord[] {
  checkParsed(robots);
  const { bytes } = bytesOf(robots.content);
  const rows = integersOf(robots.rows);
  nameRows(rows, robots.dialect, bytes, productTokens ?? [], tokenMatch);
  // The scope of a record is found after the last line, because user-agent lines below the record may belong to its run.
  const found: { readonly record: Omit<BoundRecord, "scope">; readonly run: Run | undefined }[] = [];
  let group: Run | undefined;
  let usageGroup: Run | undefined;
  let sawNamed = false;
  for (let at = 0; at < rows.length; at += rowSize) {
    const kind = kindOfRow(rows[at]!);
    if (kind === USER_AGENT) {
      const name = names[at / rowSize]!;
      sawNamed ||= name >= 0;
      group = runWith(group, name);
      usageGroup = runWith(usageGroup, name);
    } else if (kind === ALLOW || kind === DISALLOW) {
      if (group !== undefined) group.isEnded = true;
      if (usageGroup !== undefined) usageGroup.isEnded = true;
    } else {
      const isUsage = kind - OTHER === usageRow;
      if (isUsage && usageGroup !== undefined) usageGroup.isEnded = true;
      const { name } = knownRecords[kind - OTHER]!;
      if (!wanted.has(name)) continue;
      const value = bytes.slice(rows[at + startColumn], rows[at + endColumn]);
      found.push({ record: { name, line: rows[at + lineColumn]!, value }, run: isUsage ? usageGroup : group });
    }
  }
  return found.flatMap(({ record, run }): BoundRecord[] => {
    if (run === undefined) return [{ ...record, scope: "file" }];
    const binds = productTokens !== undefined && (sawNamed ? run.isNamed : run.isEverybodys);
    return binds ? [{ ...record, scope: sawNamed ? "named" : "everybody" }] : [];
  });
}

/** Returns the run of a user-agent line: `run`, or a new run if `run` has ended. `name` is the element of `names` for the line. */
function runWith(run: Run | undefined, name: number): Run {
  const current = run === undefined || run.isEnded ? { isNamed: false, isEverybodys: false, isEnded: false } : run;
  if (name >= 0) current.isNamed = true;
  else if (name === EVERYBODY) current.isEverybodys = true;
  return current;
}
