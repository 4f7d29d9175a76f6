// The text between a host's brackets in, the IPv6 address in its shortest form out: URL standard §3.5, IPv6 parser and serializer.

/** Eight groups of four digits, the last two of them as a dotted IPv4 address. */
const longestAddress = 6 * 5 + 15;

/** The address, compressed and in lower case, or undefined for what is none; a zone (`%eth0`) makes it none. */
export function ipv6Of(text: string): string | undefined {
  const groups = text.length > longestAddress ? undefined : groupsOf(text);
  return groups && serialize(groups);
}

function groupsOf(text: string): number[] | undefined {
  const [head, tail, ...more] = withoutDots(text).split("::");
  if (head === undefined || more.length > 0) return undefined;
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const given = before.length + after.length;
  // A "::" stands for at least one group.
  if (tail === undefined ? given !== 8 : given > 7) return undefined;
  const groups = [...before, ...Array.from({ length: 8 - given }, () => "0"), ...after];
  return groups.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))
    ? groups.map((group) => parseInt(group, 16))
    : undefined;
}

/** An IPv4 address at the end becomes two groups; one that is badly formed stays and is refused with its group. */
function withoutDots(text: string): string {
  const start = text.lastIndexOf(":") + 1;
  const parts = text.slice(start).split(".");
  // Here, unlike in a host of its own, the address has four decimal parts without leading zeros.
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part) && Number(part) < 256))
    return text;
  const [a, b, c, d] = parts.map(Number) as [number, number, number, number];
  return `${text.slice(0, start)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** Groups in lower-case hexadecimal; the longest run of at least two zeros, the first among equals, becomes `::`. */
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
