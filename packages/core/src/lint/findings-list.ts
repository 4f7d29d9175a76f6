// Collects findings: at most so many of each code, each with its column; gives them in line order.
import { textOf } from "../bytes.ts";
import { type Finding, type FindingArgs, type FindingCode, findingSeverities } from "./findings.ts";

/** Of each code this many are kept; the rest is counted. */
export const mostOfOneCode = 100;

/** Bytes of a text in the data of a finding. */
const mostShownBytes = 200;

/** Where something stands: its line, where that begins in the bytes, and its own place there. */
export interface Place {
  readonly line: number;
  readonly lineStart: number;
  readonly at: number;
}

interface Tally {
  count: number;
  /** Where the first finding that was left out would have stood. */
  leftOutLine: number;
}

/** Findings of one file. */
export class FindingsList {
  readonly bytes: Uint8Array;
  readonly #found: Finding[] = [];
  readonly #tallies = new Map<FindingCode, Tally>();

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Adds a finding; its data is only made when the finding is kept. */
  add<Code extends FindingCode>(code: Code, place: Place, argsOf: () => FindingArgs[Code]): void {
    const { line, lineStart, at } = place;
    let tally = this.#tallies.get(code);
    if (tally === undefined) this.#tallies.set(code, (tally = { count: 0, leftOutLine: 0 }));
    tally.count++;
    if (tally.count > mostOfOneCode) {
      // Not everything is found in line order.
      tally.leftOutLine = tally.leftOutLine === 0 ? line : Math.min(tally.leftOutLine, line);
      return;
    }
    const column = at === lineStart ? 1 : textOf(this.bytes, lineStart, at).length + 1;
    this.#found.push({ code, severity: findingSeverities[code], line, column, args: argsOf() } as Finding);
  }

  /** A range of the file's bytes as text for a finding's data, cut when it is long. */
  shown(start: number, end: number): string {
    return shownOf(this.bytes, start, end);
  }

  /** All findings, by line, column and code; what was left out is a finding of its own. */
  inOrder(): Finding[] {
    for (const [code, { count, leftOutLine }] of this.#tallies) {
      if (count <= mostOfOneCode) continue;
      const args = { code, count: count - mostOfOneCode };
      const severity = findingSeverities["more-findings"];
      this.#found.push({ code: "more-findings", severity, line: leftOutLine, column: 1, args });
    }
    return this.#found.sort((a, b) => a.line - b.line || a.column - b.column || (a.code < b.code ? -1 : 1));
  }
}

/** A range of bytes as text for a finding's data, cut when it is long. */
function shownOf(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= mostShownBytes) return textOf(bytes, start, end);
  let cut = start + mostShownBytes;
  // Not inside a character, which has four bytes at most.
  for (let back = 0; back < 3 && (bytes[cut]! & 0xc0) === 0x80; back++) cut--;
  return `${textOf(bytes, start, cut)}…`;
}
