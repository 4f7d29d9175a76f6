// Encodes the user-agent lines that chose the rules of a crawler as numbers, which a matcher keeps instead of the file (RFC 9309 §2.2.1).
//
// A binding has an entry for each user-agent line and other record from the first user-agent line of a run to the last line before the
// run's first rule:
//   kind, with FIRST in the first entry of a run · line number · index of the product token that the line names, or a negative number ·
//   length of the value · the value, one number per byte
// Only a line that names the crawler has a value.
import { textOf } from "../read/bytes.ts";
import { ALLOW, DISALLOW, OTHER, USER_AGENT, knownRecords } from "../read/keys.ts";
import { endColumn, kindOfRow, lineColumn, rowSize, startColumn } from "../read/parsed-file.ts";
import { EVERYBODY } from "../read/token.ts";
import type { BindingGroup, BindingUserAgent, Join } from "../read/types.ts";

const FIRST = 1 << 16;
const lineAt = 1;
const tokenAt = 2;
const lengthAt = 3;
const headSize = 4;

/** The entries of a binding, one after another. */
export type Binding = readonly number[];

/**
 * Returns the binding for several runs of user-agent lines. `chosen` has one row of each run, ascending. Either all these rows name a
 * product token, or all name `*`. `names`: as `nameRows` returns them. Linear in the rows of these runs.
 */
export function bindingOf(
  rows: Int32Array,
  bytes: Uint8Array,
  names: readonly number[],
  chosen: readonly number[],
): Binding {
  const binding: number[] = [];
  for (const row of chosen) {
    // An element of `names` plus `added` is the index of the product token. For `*` the index is 0.
    const added = names[row / rowSize] === EVERYBODY ? -EVERYBODY : 0;
    let first = FIRST;
    for (let at = firstOfRun(rows, row); at < rows.length && !isRule(rows[at]!); at += rowSize) {
      const token = names[at / rowSize]! + added;
      const start = rows[at + startColumn]!;
      const end = token < 0 ? start : rows[at + endColumn]!;
      binding.push(kindOfRow(rows[at]!) | first, rows[at + lineColumn]!, token, end - start);
      for (let from = start; from < end; from++) binding.push(bytes[from]!);
      first = 0;
    }
  }
  // A copy has no room for more numbers.
  return binding.slice();
}

/** The row of the first user-agent line in the run that contains `row`. */
function firstOfRun(rows: Int32Array, row: number): number {
  let first = row;
  for (let before = row - rowSize; before >= 0 && !isRule(rows[before]!); before -= rowSize) {
    if (kindOfRow(rows[before]!) === USER_AGENT) first = before;
  }
  return first;
}

function isRule(column: number): boolean {
  const kind = kindOfRow(column);
  return kind === ALLOW || kind === DISALLOW;
}

function nextOf(binding: Binding, at: number): number {
  return at + headSize + binding[at + lengthAt]!;
}

/**
 * The index of the product token that chose the group of the rule on line number `line`: the first product token that the run of
 * user-agent lines above this line names. For a line above all runs, the result is the first product token of the first run.
 */
export function tokenOfLine(binding: Binding, line: number): number {
  let token = -1;
  let isOpen = false;
  for (let at = 0; at < binding.length && (token < 0 || binding[at + lineAt]! <= line); at = nextOf(binding, at)) {
    if ((binding[at]! & FIRST) !== 0) isOpen = true;
    if (isOpen && binding[at + tokenAt]! >= 0) {
      token = binding[at + tokenAt]!;
      isOpen = false;
    }
  }
  return token;
}

/** The runs of user-agent lines as frozen objects; `nameOf` returns the product token for an index. */
export function bindingGroupsOf(binding: Binding, nameOf: (token: number) => string): readonly BindingGroup[] {
  const groups: { fromLine: number; toLine: number; userAgents: BindingUserAgent[]; joins: Join[] }[] = [];
  let records: { name: string; line: number }[] = [];
  for (let at = 0; at < binding.length; at = nextOf(binding, at)) {
    const kind = binding[at]! & ~FIRST;
    const line = binding[at + lineAt]!;
    if (kind !== binding[at]) groups.push({ fromLine: line, toLine: line, userAgents: [], joins: [] });
    const group = groups.at(-1)!;
    if (kind !== USER_AGENT) {
      records.push(Object.freeze({ name: knownRecords[kind - OTHER]!.name, line }));
      continue;
    }
    if (line > group.toLine + 1) {
      group.joins.push(Object.freeze({ afterLine: group.toLine, beforeLine: line, records: Object.freeze(records) }));
    }
    records = [];
    group.toLine = line;
    const token = binding[at + tokenAt]!;
    if (token < 0) continue;
    const bytes = Uint8Array.from(binding.slice(at + headSize, nextOf(binding, at)));
    group.userAgents.push(Object.freeze({ line, value: textOf(bytes, 0, bytes.length), productToken: nameOf(token) }));
  }
  for (const group of groups) [group.userAgents, group.joins, group].forEach(Object.freeze);
  return Object.freeze(groups);
}
