// A host's text in, its IPv4 address or the finding that it is a name out: URL standard §3.5, "ends in a number" checker and IPv4 parser.

/** True when the URL standard reads the host as an IPv4 address, or refuses it: its last label is a number. */
export function endsInNumber(host: string): boolean {
  const end = host.endsWith(".") ? host.length - 1 : host.length;
  const label = host.slice(host.lastIndexOf(".", end - 1) + 1, end);
  return (label !== "" && !/[^0-9]/.test(label)) || (/^0[xX]/.test(label) && !/[^0-9A-Fa-f]/.test(label.slice(2)));
}

/**
 * The address in its usual form, or undefined where there are more than four parts, a part is no number or too large.
 * Parts may be hexadecimal (`0x7f`) or octal (`0177`); the last one fills all octets that are left (`127.1`).
 */
export function ipv4Of(host: string): string | undefined {
  const parts = (host.endsWith(".") ? host.slice(0, -1) : host).split(".", 5);
  if (parts.length > 4) return undefined;
  const numbers = parts.map(numberOf);
  const last = numbers.pop()!;
  // No comparison with NaN holds, so a part that is no number is refused here too.
  if (!(last < 256 ** (4 - numbers.length)) || !numbers.every((number) => number < 256)) return undefined;
  let address = last;
  for (const [at, number] of numbers.entries()) address += number * 256 ** (3 - at);
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join(".");
}

/** Value of a decimal, octal or hexadecimal number; inexact or infinite where it is too large to be an address, NaN for other text. */
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
