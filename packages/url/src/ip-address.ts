// Reads IP addresses: IPv4 and IPv6 in hosts, by the URL standard (§3.5), and the text of an address as octets.

/** Whether the last label of a host is a number. Such a host is a valid IPv4 address or a failure, never a name. */
export function endsInNumber(host: string): boolean {
  const end = host.endsWith(".") ? host.length - 1 : host.length;
  const label = host.slice(host.lastIndexOf(".", end - 1) + 1, end);
  return (label !== "" && !/[^0-9]/.test(label)) || (/^0[xX]/.test(label) && !/[^0-9A-Fa-f]/.test(label.slice(2)));
}

/**
 * The IPv4 address in its usual form; undefined if it has more than four parts, or if a part is not a number or too large.
 * Parts may be hexadecimal (`0x7f`) or octal (`0177`); the last part fills all remaining octets (`127.1`).
 */
export function ipv4Of(host: string): string | undefined {
  const parts = (host.endsWith(".") ? host.slice(0, -1) : host).split(".", 5);
  if (parts.length > 4) return undefined;
  const numbers = parts.map(numberOf);
  const last = numbers.pop()!;
  // Comparisons with NaN are false, so a part that is not a number is also refused here.
  if (!(last < 256 ** (4 - numbers.length)) || !numbers.every((number) => number < 256)) return undefined;
  let address = last;
  for (const [at, number] of numbers.entries()) address += number * 256 ** (3 - at);
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join(".");
}

/** The value of a decimal, octal or hexadecimal number; NaN for other text. The value may be inexact if it is too large for an address. */
function numberOf(part: string): number {
  if (/^0[xX]/.test(part)) return part.length === 2 ? 0 : valueOf(part, 2, 16);
  if (part.length > 1 && part.startsWith("0")) return valueOf(part, 1, 8);
  return part === "" ? Number.NaN : valueOf(part, 0, 10);
}

function valueOf(part: string, start: number, radix: number): number {
  let value = 0;
  for (let at = start; at < part.length; at++) {
    const code = part.charCodeAt(at);
    const digit = code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57;
    if (digit < 0 || digit >= radix || (code > 0x39 && digit < 10)) return Number.NaN;
    value = value * radix + digit;
  }
  return value;
}

/** The length of the longest address: six groups of four digits with their colons, and a dotted IPv4 address. */
const longestAddress = 6 * 5 + 15;

/** The IPv6 address, compressed and in lower case; undefined for other text, including an address with a zone (`%eth0`). */
export function ipv6Of(text: string): string | undefined {
  const groups = ipv6GroupsOf(text);
  return groups && serialize(groups);
}

/** The eight groups of an IPv6 address; undefined for other text, including an address with a zone. */
function ipv6GroupsOf(text: string): number[] | undefined {
  if (text.length > longestAddress) return undefined;
  const [head, tail, ...more] = withoutDots(text).split("::");
  if (head === undefined || more.length > 0) return undefined;
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const given = before.length + after.length;
  // A "::" replaces at least one group.
  if (tail === undefined ? given !== 8 : given > 7) return undefined;
  const groups = [...before, ...Array.from({ length: 8 - given }, () => "0"), ...after];
  return groups.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))
    ? groups.map((group) => parseInt(group, 16))
    : undefined;
}

/**
 * Replaces an IPv4 address at the end by two groups. A malformed IPv4 address is kept, and the check of the groups in `ipv6GroupsOf` refuses
 * it.
 */
function withoutDots(text: string): string {
  const start = text.lastIndexOf(":") + 1;
  const parts = text.slice(start).split(".");
  // Unlike an IPv4 host, an IPv4 address within an IPv6 address has four decimal parts without leading zeros.
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part) && Number(part) < 256))
    return text;
  const [a, b, c, d] = parts.map(Number) as [number, number, number, number];
  return `${text.slice(0, start)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/**
 * The groups in lower-case hexadecimal. The longest sequence of at least two zero groups becomes `::`; of equally long sequences, the
 * first.
 */
function serialize(groups: readonly number[]): string {
  let runStart = 0;
  let runLength = 1;
  for (let start = 0; start < 8; start++) {
    let end = start;
    while (end < 8 && groups[end] === 0) end++;
    if (end - start > runLength) {
      runStart = start;
      runLength = end - start;
    }
  }
  const hex = groups.map((group) => group.toString(16));
  if (runLength === 1) return hex.join(":");
  return `${hex.slice(0, runStart).join(":")}::${hex.slice(runStart + runLength).join(":")}`;
}

/** The 4 octets of an IPv4 address or the 16 of an IPv6 address; undefined for any other text, including an address with a zone. */
export function octetsOf(address: string): Uint8Array | undefined {
  if (address.includes(":")) {
    const groups = ipv6GroupsOf(address);
    return groups && Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
  }
  return ipv4Of(address) === address ? Uint8Array.from(address.split("."), Number) : undefined;
}
