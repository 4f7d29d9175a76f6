// Parses IPv6 addresses, such as that in a host's brackets, and serializes their shortest form (URL standard §3.5).

/** The length of the longest address: six groups of four digits with their colons, and a dotted IPv4 address. */
const longestAddress = 6 * 5 + 15;

/** The IPv6 address, compressed and in lower case; undefined for other text, including an address with a zone (`%eth0`). */
export function ipv6Of(text: string): string | undefined {
  const groups = ipv6GroupsOf(text);
  return groups && serialize(groups);
}

/** The eight groups of an IPv6 address; undefined for other text, including an address with a zone. */
export function ipv6GroupsOf(text: string): number[] | undefined {
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
