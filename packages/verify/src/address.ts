// Parses the text of an IP address to numbers (RFC 4291 §2.2, without leading zeros in IPv4). An IPv4-mapped IPv6 address is IPv4.
import { checkArgument } from "./errors.ts";

/** An IP address as four unsigned 32-bit words. An IPv4 address is in the last word; the other words are 0. */
export interface Address {
  readonly family: 4 | 6;
  readonly words: readonly [number, number, number, number];
}

const zero = 0x30;
const nine = 0x39;
const dot = 0x2e;
const colon = 0x3a;
const percent = 0x25;
const bracketOpen = 0x5b;

/** Length of the longest IPv4 address with a port. */
const longestIPv4 = "255.255.255.255:65535".length;
/** Longest text that may be an address, with brackets, zone and port. */
const longestText = 100;

/**
 * The address in a text; undefined for any other text. A port, brackets and a zone (`[fe80::1%eth0]:443`) are allowed and left out of the
 * result.
 */
export function parseAddress(text: string): Address | undefined {
  checkArgument(typeof text === "string", "An address is a string");
  const reader = new AddressReader();
  const family = reader.read(text);
  if (family === 0) return undefined;
  const [one, two, three, four] = reader.words;
  return { family, words: family === 4 ? [0, 0, 0, four!] : [one!, two!, three!, four!] };
}

/** Reads one address after another without an object for each. */
export class AddressReader {
  /** The words of the last address. Of an IPv4 address, only the last word is valid. */
  readonly words: Uint32Array = new Uint32Array(4);
  readonly #groups = new Uint16Array(8);

  /** Reads a text; returns the family 4 or 6, or 0 when the text is not an address. */
  read(text: string): 0 | 4 | 6 {
    const { length } = text;
    const first = text.charCodeAt(0);
    if (first >= zero && first <= nine && length <= longestIPv4) {
      const end = this.#readIPv4(text, 0, length);
      if (end === length || (end > 0 && text.charCodeAt(end) === colon && isPort(text, end + 1))) return 4;
    }
    if (length > longestText) return 0;
    let start = 0;
    let end = length;
    if (first === bracketOpen) {
      start = 1;
      end = text.indexOf("]");
      if (end < 0) return 0;
      if (end + 1 < length && (text.charCodeAt(end + 1) !== colon || !isPort(text, end + 2))) return 0;
    }
    if (!this.#readIPv6(text, start, end)) return 0;
    return isMapped(this.words) ? 4 : 6;
  }

  /** Reads dotted decimals; returns the offset after them, or -1. */
  #readIPv4(text: string, start: number, end: number): number {
    let word = 0;
    let at = start;
    for (let part = 0; part < 4; part++) {
      let value = at < end ? text.charCodeAt(at++) - zero : 10;
      if (value < 0 || value > 9) return -1;
      let code = at < end ? text.charCodeAt(at) : 0;
      if (code >= zero && code <= nine) {
        // Some parsers read a leading zero as octal, so such numbers are refused.
        if (value === 0) return -1;
        value = value * 10 + code - zero;
        code = ++at < end ? text.charCodeAt(at) : 0;
        if (code >= zero && code <= nine) {
          value = value * 10 + code - zero;
          if (value > 255) return -1;
          code = ++at < end ? text.charCodeAt(at) : 0;
        }
      }
      word = (word << 8) | value;
      if (part < 3) {
        if (code !== dot) return -1;
        at++;
      }
    }
    this.words[3] = word;
    return at;
  }

  /**
   * Reads groups up to `end` or a zone into `words`; returns false if the text is not an IPv6 address. A slice or a search for each group
   * would take twice as long as this loop over the characters.
   */
  #readIPv6(text: string, start: number, end: number): boolean {
    const groups = this.#groups;
    let count = 0;
    let gap = -1;
    let at = start;
    if (text.charCodeAt(at) === colon) {
      if (text.charCodeAt(at + 1) !== colon) return false;
      gap = 0;
      at += 2;
    }
    let groupStart = at;
    let value = 0;
    let code = 0;
    for (; at < end; at++) {
      code = text.charCodeAt(at);
      const digit = code < 128 ? hexDigits[code]! : -1;
      if (digit >= 0) {
        value = (value << 4) | digit;
        continue;
      }
      if (code !== colon) break;
      const digits = at - groupStart;
      if (digits > 4 || count === 8) return false;
      if (digits > 0) groups[count++] = value;
      else if (gap < 0) gap = count;
      else return false;
      value = 0;
      groupStart = at + 1;
    }
    const digits = at - groupStart;
    if (at < end && code === dot) {
      if (count > 6) return false;
      const wordEnd = this.#readIPv4(text, groupStart, end);
      if (wordEnd < 0 || (wordEnd < end && text.charCodeAt(wordEnd) !== percent && !hasPort(text, wordEnd, end))) {
        return false;
      }
      groups[count++] = this.words[3]! >>> 16;
      groups[count++] = this.words[3]! & 0xffff;
    } else {
      if ((at < end && code !== percent) || digits > 4) return false;
      // An address may end with "::", not with a single colon.
      if (digits === 0 ? gap !== count : count === 8) return false;
      if (digits > 0) groups[count++] = value;
    }
    if (gap < 0 ? count !== 8 : count > 7) return false;
    this.#joinGroups(count, gap);
    return true;
  }

  /** Joins `count` groups to words. The gap (`::`) before the group `gap` becomes zeros; -1 for an address without a gap. */
  #joinGroups(count: number, gap: number): void {
    const groups = this.#groups;
    if (gap >= 0) {
      const missing = 8 - count;
      for (let at = 7; at >= gap + missing; at--) groups[at] = groups[at - missing]!;
      for (let at = gap; at < gap + missing; at++) groups[at] = 0;
    }
    const { words } = this;
    for (let word = 0; word < 4; word++) words[word] = (groups[word * 2]! << 16) | groups[word * 2 + 1]!;
  }
}

/** Whether the words of an IPv6 address are an IPv4-mapped address (::ffff:192.0.2.1), which is another spelling of IPv4. */
export function isMapped(words: ArrayLike<number>): boolean {
  return words[2] === 0xffff && words[1] === 0 && words[0] === 0;
}

/** The value of each hexadecimal digit, indexed by its character code; -1 for other characters. */
const hexDigits: Int8Array = new Int8Array(128).fill(-1);
for (let digit = 0; digit < 16; digit++) {
  hexDigits[digit.toString(16).charCodeAt(0)] = digit;
  hexDigits[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}

/** Whether a port follows up to the end of the text: some programs write ::ffff:192.0.2.1:443, without brackets. */
function hasPort(text: string, at: number, end: number): boolean {
  return end === text.length && text.charCodeAt(at) === colon && isPort(text, at + 1);
}

function isPort(text: string, start: number): boolean {
  const digits = text.length - start;
  if (digits < 1 || digits > 5) return false;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < zero || code > nine) return false;
  }
  return true;
}

/** An address as text in the form of RFC 5952. */
export function addressText(family: 4 | 6, words: ArrayLike<number>): string {
  if (family === 4) {
    const word = words[3]!;
    return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`;
  }
  const groups = Array.from({ length: 8 }, (_, at) =>
    at % 2 === 0 ? words[at >> 1]! >>> 16 : words[at >> 1]! & 0xffff,
  );
  let [gap, gapLength] = [-1, 1];
  for (let at = 0; at < 8; at++) {
    let length = 0;
    while (groups[at + length] === 0) length++;
    if (length > gapLength) [gap, gapLength] = [at, length];
    at += length;
  }
  const hex = groups.map((group) => group.toString(16));
  if (gap < 0) return hex.join(":");
  return `${hex.slice(0, gap).join(":")}::${hex.slice(gap + gapLength).join(":")}`;
}

/**
 * Whether an address is not on the internet (private, loopback, link-local, shared, documentation or multicast: RFC 6890). In a log, such
 * an address belongs to a proxy, not to a crawler.
 */
export function isLocalAddress(family: 4 | 6, words: ArrayLike<number>): boolean {
  if (family === 6 && !isMapped(words)) {
    const first = words[0]!;
    // Internet addresses are assigned from 2000::/3; 2001:db8::/32 is for documentation.
    return first >>> 29 !== 1 || first === 0x20010db8;
  }
  const word = words[3]!;
  const share = localShares[word >>> 24]!;
  return share === all || (share === some && isInLocalRange(word));
}

/** The IPv4 networks that are not on the internet, each with its prefix length in bits. */
const localRanges: readonly (readonly [network: number, length: number])[] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 3],
];

/** For each first byte of an IPv4 address, whether none (0), `some` or `all` of the addresses with this byte are in `localRanges`. */
const some = 1;
const all = 2;
const localShares: Uint8Array = new Uint8Array(256);
for (const [network, length] of localRanges) {
  const first = network >>> 24;
  if (length > 8) localShares[first] = some;
  else localShares.fill(all, first, first + (1 << (8 - length)));
}

const localNetworks = Uint32Array.from(localRanges, ([network]) => network);
const localShifts = Uint8Array.from(localRanges, ([, length]) => 32 - length);

function isInLocalRange(word: number): boolean {
  for (let at = 0; at < localNetworks.length; at++) {
    if ((word ^ localNetworks[at]!) >>> localShifts[at]! === 0) return true;
  }
  return false;
}
