// Recognizes and parses IPv4 addresses in hosts (URL standard §3.5, "ends in a number" checker and IPv4 parser).

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
