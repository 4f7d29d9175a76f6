// Directives → RobotsTxt: the rows a matcher reads, and groups and records as data for who wants them (RFC 9309 §2.1).
import { isBlank, isTokenByte, lowerKeyOf, textOf, utf8Of } from "./bytes.ts";
import { type Dialect, type DialectName, dialectOf } from "./dialect.ts";
import { ALLOW, DISALLOW, DirectiveCursor, NONE, OTHER, SITEMAP, USER_AGENT } from "./directives.ts";
import { patternOf } from "./rules.ts";
import { longestRecordName, recordRowOf, recordTypes, sitemapRow } from "./records.ts";
import type { Group, OtherRecord, RobotsTxt, Rule, UserAgentLine } from "./types.ts";

/** Columns of a row: kind and mark, line number, range of the value. Other records have kind `OTHER + row in the table`. */
export const rowSize = 4;
/** Added to a kind when the value may need escaping. */
export const ESCAPABLE_MARK: number = 1 << 16;
/** Added to a kind when the line holds a `*`. */
export const STAR_MARK: number = 1 << 17;
const kindMask: number = ESCAPABLE_MARK - 1;

/** How to read a file. */
export interface ParseOptions {
  /** Default `"google"`. */
  readonly dialect?: DialectName;
}

/** A parsed file: its bytes and one row of four numbers for each line that means something. */
export class ParsedRobots implements RobotsTxt {
  /** Own copy of the bytes. */
  readonly bytes: Uint8Array;
  readonly rows: Int32Array;
  readonly dialect: Dialect;
  #contents: { readonly groups: readonly Group[]; readonly records: readonly OtherRecord[] } | undefined;

  constructor(bytes: Uint8Array, rows: Int32Array, dialect: Dialect) {
    this.bytes = bytes;
    this.rows = rows;
    this.dialect = dialect;
  }

  get groups(): readonly Group[] {
    return (this.#contents ??= contentsOf(this)).groups;
  }

  get records(): readonly OtherRecord[] {
    return (this.#contents ??= contentsOf(this)).records;
  }

  toJSON(): { groups: readonly Group[]; records: readonly OtherRecord[] } {
    return { groups: this.groups, records: this.records };
  }
}

// One growing buffer for all calls: parsing is synchronous and its rows are copied out at the end.
let scratch: Int32Array = new Int32Array(1024 * rowSize);
const scratchKeptRows = 64 * 1024;

/**
 * Parses a robots.txt. Total: any bytes and any string parse, nothing throws; a string is read as its UTF-8 bytes.
 * The bytes are copied. Linear in the input; no limit of size (callers cut at 512,000 bytes, RFC 9309 §2.5).
 */
export function parseRobotsTxt(input: string | Uint8Array, options?: ParseOptions): RobotsTxt {
  const bytes = typeof input === "string" ? utf8Of(input) : new Uint8Array(input);
  return parseBytes(bytes, dialectOf(options?.dialect ?? "google"));
}

/** Parses bytes that nobody will change. */
function parseBytes(bytes: Uint8Array, dialect: Dialect): ParsedRobots {
  const cursor = new DirectiveCursor(bytes, dialect);
  let rows = scratch;
  let size = 0;
  while (cursor.next()) {
    let kind: number = cursor.kind;
    if (kind === NONE) continue;
    if (kind === SITEMAP) kind = OTHER + sitemapRow;
    else if (kind === OTHER) {
      const length = cursor.keyEnd - cursor.keyStart;
      const row = length > longestRecordName ? -1 : recordRowOf(lowerKeyOf(bytes, cursor.keyStart, cursor.keyEnd));
      if (row < 0) continue;
      kind += row;
    } else if (dialect.refusesRelativePatterns && kind !== USER_AGENT && cursor.valueStart < cursor.valueEnd) {
      const first = bytes[cursor.valueStart];
      if (first !== 0x2f && first !== 0x2a) continue;
    }
    if (size === rows.length) rows = scratch = grown(rows);
    if (cursor.escapable) kind |= ESCAPABLE_MARK;
    rows[size] = cursor.starred ? kind | STAR_MARK : kind;
    rows[size + 1] = cursor.line;
    rows[size + 2] = cursor.valueStart;
    rows[size + 3] = cursor.valueEnd;
    size += rowSize;
  }
  const robots = new ParsedRobots(bytes, rows.slice(0, size), dialect);
  if (scratch.length > scratchKeptRows * rowSize) scratch = new Int32Array(1024 * rowSize);
  return robots;
}

function grown(rows: Int32Array): Int32Array {
  const larger = new Int32Array(rows.length * 2);
  larger.set(rows);
  return larger;
}

/** The kind in a row's first column without its mark. */
export function kindOfRow(column: number): number {
  return column & kindMask;
}

/** What a user-agent value names: everybody, or a product token of this many leading bytes (RFC 9309 §2.2.1). */
export const EVERYBODY = -1;
/** The value names nobody at all, not even an empty token. */
export const NOBODY = -2;

/** Length of the product token at the start of a user-agent value, {@link EVERYBODY} or {@link NOBODY}. */
export function tokenLengthOf(bytes: Uint8Array, start: number, end: number, dialect: Dialect): number {
  // Google-only: "* text" is everybody too.
  if (bytes[start] === 0x2a && start < end) {
    if (end === start + 1 || (dialect.cutsTokens && isBlank(bytes[start + 1]!))) return EVERYBODY;
  }
  let at = start;
  while (at < end && isTokenByte(bytes[at]!)) at++;
  // Google-only: a token is cut at the first other byte, and may be empty.
  return dialect.cutsTokens || (at === end && at > start) ? at - start : NOBODY;
}

function userAgentLineOf(robots: ParsedRobots, at: number): UserAgentLine {
  const { bytes, rows, dialect } = robots;
  const start = rows[at + 2]!;
  const length = tokenLengthOf(bytes, start, rows[at + 3]!, dialect);
  const productToken = length === EVERYBODY ? "*" : length === NOBODY ? "" : textOf(bytes, start, start + length);
  return { value: textOf(bytes, start, rows[at + 3]!), productToken, line: rows[at + 1]! };
}

/** Groups and records as objects. A run of user-agent lines is ended by a rule alone, never by an other record. */
function contentsOf(robots: ParsedRobots): { groups: readonly Group[]; records: readonly OtherRecord[] } {
  const { bytes, rows } = robots;
  const groups: { userAgents: UserAgentLine[]; rules: Rule[]; records: OtherRecord[] }[] = [];
  const records: OtherRecord[] = [];
  for (let at = 0; at < rows.length; at += rowSize) {
    const kind = kindOfRow(rows[at]!);
    const line = rows[at + 1]!;
    let group = groups.at(-1);
    if (kind === USER_AGENT) {
      if (group === undefined || group.rules.length > 0) {
        group = { userAgents: [], rules: [], records: [] };
        groups.push(group);
      }
      group.userAgents.push(userAgentLineOf(robots, at));
    } else if (kind === ALLOW || kind === DISALLOW) {
      // A rule before any user-agent line belongs to nobody (§2.2.2).
      group?.rules.push({ type: kind === ALLOW ? "allow" : "disallow", pattern: patternOf(robots, at), line });
    } else {
      const type = recordTypes[kind - OTHER]!;
      const scope = type.scope === "file" || group === undefined ? "file" : "group";
      const record: OtherRecord = { name: type.name, value: textOf(bytes, rows[at + 2]!, rows[at + 3]!), line, scope };
      records.push(record);
      if (scope === "group") group?.records.push(record);
    }
  }
  return { groups, records };
}
