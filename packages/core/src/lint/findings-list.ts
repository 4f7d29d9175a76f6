// Collects the findings of a file into a list in line order, with a limit for each code.
import { textOf } from "../read/bytes.ts";
import { type Finding, type FindingArgs, type FindingCode, findingSeverities } from "./findings.ts";

/** The maximum number of findings of each code that are kept; further findings are only counted. */
export const mostOfOneCode = 100;

/** The maximum number of bytes of each text from the file in a finding's data. */
const mostShownBytes = 200;

/** A position in the file: the line number, the byte offset of the line's start, and the byte offset of the position. */
export interface Place {
  readonly line: number;
  readonly lineStart: number;
  readonly at: number;
}

interface Tally {
  count: number;
  /** The smallest line number of a finding that was left out; 0 if none was. */
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

  /** Adds a finding; `argsOf`, which computes its data, is called only when the finding is kept. */
  add<Code extends FindingCode>(code: Code, place: Place, argsOf: () => FindingArgs[Code]): void {
    const { line, lineStart, at } = place;
    let tally = this.#tallies.get(code);
    if (tally === undefined) this.#tallies.set(code, (tally = { count: 0, leftOutLine: 0 }));
    tally.count++;
    if (tally.count > mostOfOneCode) {
      // Findings are not added in line order, so the smallest line number is kept.
      tally.leftOutLine = tally.leftOutLine === 0 ? line : Math.min(tally.leftOutLine, line);
      return;
    }
    const column = at === lineStart ? 1 : textOf(this.bytes, lineStart, at).length + 1;
    this.#found.push({ code, severity: findingSeverities[code], line, column, args: argsOf() } as Finding);
  }

  /** A range of the file's bytes as a string for a finding's data; a long range is cut. */
  shown(start: number, end: number): string {
    return shownOf(this.bytes, start, end);
  }

  /**
   * All findings, sorted by line, column and code. For each code over the limit, one `more-findings` finding has the number of findings
   * left out. Must be called only once.
   */
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

/** A range of bytes as a string for a finding's data; a long range is cut. */
function shownOf(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= mostShownBytes) return textOf(bytes, start, end);
  let cut = start + mostShownBytes;
  // Moves the cut to the start of a character, which has at most four bytes.
  for (let back = 0; back < 3 && (bytes[cut]! & 0xc0) === 0x80; back++) cut--;
  return `${textOf(bytes, start, cut)}…`;
}
