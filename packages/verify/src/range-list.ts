// Reads an operator's file of address ranges: its prefixes and date, or the reason why the file cannot be used.
//
// Formats: Google's, which the majority of operators use, `{ creationTime, prefixes: [{ ipv4Prefix } | { ipv6Prefix }] }`; Google's with
// the members that the draft JAFAR adds; Ahrefs', `{ ips: [{ ip_address }] }`; a JSON list of strings; and lines of text, in which `#` or
// `;` begins a comment.
import { checkArgument } from "./errors.ts";
import { AddressReader } from "./address.ts";
import { type Prefix, PrefixTable } from "./prefix-table.ts";

/** The prefixes of a file. */
export interface RangeList {
  readonly table: PrefixTable;
  /** The creation time that the file states, in milliseconds since 1970; undefined if it states none. */
  readonly createdAtMs: number | undefined;
  /**
   * The number of ignored entries: entries without a valid prefix of the stated family, entries with prefixes of both families, and entries
   * whose prefix is wider than any crawler's. An address that no prefix contains may be in an ignored entry.
   */
  readonly ignored: number;
}

/** Why a file cannot be used. */
export type RangeProblem =
  | "too-long"
  | "not-json"
  | "not-ranges"
  | "unknown-version"
  | "too-many-prefixes"
  | "no-prefixes";

/** The result of reading a file. */
export type ReadRanges =
  | { readonly ranges: RangeList; readonly problem?: undefined }
  | { readonly ranges?: undefined; readonly problem: RangeProblem; readonly message: string };

/** The maximum number of characters of a file. */
export const mostFileCharacters: number = 8 * 1_048_576;
/** The maximum number of entries of a file; the longest published file has about 10,000. */
export const mostPrefixes = 200_000;

/** The shortest prefix lengths, in bits, that are accepted for each family. No crawler has a larger part of the internet. */
const shortest = { 4: 8, 6: 19 } as const;

/** The major version of JAFAR that is known. */
const knownMajor = "1";

/** Reads the text of a file. Never throws; linear in the text, and O(n log n) in the number of entries. */
export function readRanges(text: string): ReadRanges {
  checkArgument(typeof text === "string", "The text of a file is a string");
  if (text.length > mostFileCharacters) return fault("too-long", `is longer than ${mostFileCharacters} characters`);
  const plain = text.replace(/^\uFEFF/, "");
  if (!/^\s*[[{]/.test(plain)) return listOf(linesIn(plain), undefined);
  let value: unknown;
  try {
    value = JSON.parse(plain);
  } catch {
    return fault("not-json", "begins like JSON but is not valid JSON");
  }
  if (Array.isArray(value)) return listOf(value, undefined);
  const { formatVersion, creationTime, prefixes, ips } = value as Record<string, unknown>;
  if (formatVersion !== undefined && majorOf(formatVersion) !== knownMajor) {
    return fault("unknown-version", "has a formatVersion that is not known");
  }
  const entries = Array.isArray(prefixes) ? prefixes : ips;
  if (!Array.isArray(entries)) return fault("not-ranges", 'has neither a list "prefixes" nor a list "ips"');
  return listOf(entries, typeof creationTime === "string" ? instantOf(creationTime) : undefined);
}

function fault(problem: RangeProblem, message: string): ReadRanges {
  return { problem, message };
}

function majorOf(version: unknown): string | undefined {
  if (typeof version === "number") return String(Math.trunc(version));
  return typeof version === "string" ? /^(\d{1,9})(?:\.|$)/.exec(version)?.[1] : undefined;
}

/** The text of each line that is not empty, without its comment and without white space at its ends. */
function linesIn(text: string): readonly string[] {
  const found: string[] = [];
  for (const line of text.split(/\r\n?|\n/)) {
    const end = line.search(/[#;]/);
    const word = (end < 0 ? line : line.slice(0, end)).trim();
    if (word !== "") found.push(word);
    if (found.length > mostPrefixes) break;
  }
  return found;
}

function listOf(entries: readonly unknown[], createdAtMs: number | undefined): ReadRanges {
  if (entries.length > mostPrefixes) return fault("too-many-prefixes", `has more than ${mostPrefixes} entries`);
  const reader = new AddressReader();
  const prefixes: Prefix[] = [];
  let ignored = 0;
  for (const entry of entries) {
    const prefix = prefixOfEntry(entry, reader);
    if (prefix === undefined || prefix.length < shortest[prefix.family]) ignored++;
    else prefixes.push(prefix);
  }
  if (prefixes.length === 0) return fault("no-prefixes", "has no prefix that can be used");
  return { ranges: { table: new PrefixTable(prefixes), createdAtMs, ignored } };
}

/** The prefix of an entry; undefined for an entry with prefixes of both families, or without a valid prefix of the stated family. */
function prefixOfEntry(entry: unknown, reader: AddressReader): Prefix | undefined {
  if (typeof entry === "string") return parsePrefix(entry, reader);
  if (typeof entry !== "object" || entry === null) return undefined;
  const { ipv4Prefix, ipv6Prefix, ip_address: address } = entry as Record<string, unknown>;
  const given = [ipv4Prefix, ipv6Prefix, address].filter((each) => each !== undefined);
  if (given.length !== 1 || typeof given[0] !== "string") return undefined;
  const prefix = parsePrefix(given[0], reader);
  if (ipv4Prefix !== undefined && prefix?.family !== 4) return undefined;
  return ipv6Prefix !== undefined && !given[0].includes(":") ? undefined : prefix;
}

/** Parses a prefix or an address; undefined for any other text. An IPv4-mapped prefix is IPv4: ::ffff:192.0.2.0/120 is 192.0.2.0/24. */
export function parsePrefix(text: string, reader: AddressReader = new AddressReader()): Prefix | undefined {
  checkArgument(typeof text === "string", "A prefix is a string");
  const slash = text.indexOf("/");
  const address = slash < 0 ? text : text.slice(0, slash);
  const digits = slash < 0 ? undefined : text.slice(slash + 1);
  if (/[[\]%]/.test(address) || (digits !== undefined && !/^(?:0|[1-9]\d{0,2})$/.test(digits))) return undefined;
  const family = reader.read(address);
  const colon = address.indexOf(":");
  // A single colon precedes a port.
  if (family === 0 || (colon >= 0 && colon === address.lastIndexOf(":"))) return undefined;
  const isMapped = family === 4 && colon >= 0;
  const written = digits === undefined ? (family === 4 ? 32 : 128) : Number(digits) - (isMapped ? 96 : 0);
  if (written < 0 || written > (family === 4 ? 32 : 128)) return undefined;
  const [one, two, three, four] = reader.words;
  return { family, words: family === 4 ? [0, 0, 0, four!] : [one!, two!, three!, four!], length: written };
}

const time = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?)?(?:Z|[+-]00:?00)?$/;

/**
 * The instant of a text like "2026-11-01T14:46:05.000000", which is read as UTC, in milliseconds since 1970. Undefined for any other text,
 * including a time with another zone.
 */
function instantOf(text: string): number | undefined {
  const parts = time.exec(text.slice(0, 40));
  if (parts === null) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0));
  const ms = Date.UTC(year!, month! - 1, day, hour, minute, second);
  const date = new Date(ms);
  return date.getUTCMonth() === month! - 1 && date.getUTCDate() === day ? ms : undefined;
}
