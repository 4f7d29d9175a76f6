// The text of an IP address → its octets, and the address it carries inside (RFC 4291 §2.2, RFC 6052, RFC 3056).
import { isIPv4, isIPv6 } from "node:net";

/** 4 octets of IPv4 or 16 of IPv6; undefined for anything else. A zone ("%eth0") is dropped. */
export function octetsOf(address: string): Uint8Array | undefined {
  if (isIPv4(address)) return octetsOfIPv4(address);
  if (!isIPv6(address)) return undefined;
  const zone = address.indexOf("%");
  return octetsOfIPv6(zone === -1 ? address : address.slice(0, zone));
}

function octetsOfIPv4(address: string): Uint8Array {
  return Uint8Array.from(address.split("."), Number);
}

function octetsOfIPv6(address: string): Uint8Array {
  const octets = new Uint8Array(16);
  const [before = "", after] = address.split("::");
  const head = groupOctetsOf(before);
  octets.set(head, 0);
  if (after !== undefined) {
    const tail = groupOctetsOf(after);
    octets.set(tail, 16 - tail.length);
  }
  return octets;
}

function groupOctetsOf(groups: string): number[] {
  if (groups === "") return [];
  return groups.split(":").flatMap((group) => {
    if (group.includes(".")) return [...octetsOfIPv4(group)];
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/** A block of addresses: its first address and how many leading bits count. */
export interface AddressBlock {
  readonly octets: Uint8Array;
  readonly bits: number;
}

/** "10.0.0.0/8", "fd00::/8" or a single address → a block; undefined for anything else. */
export function blockOf(text: string): AddressBlock | undefined {
  const slash = text.indexOf("/");
  const octets = octetsOf(slash === -1 ? text : text.slice(0, slash));
  if (octets === undefined) return undefined;
  const width = octets.length * 8;
  if (slash === -1) return { octets, bits: width };
  const digits = text.slice(slash + 1);
  const bits = /^\d{1,3}$/.test(digits) ? Number(digits) : Number.NaN;
  return bits <= width ? { octets, bits } : undefined;
}

/** Whether the address lies in the block. Addresses of the other family never do. */
export function isInBlock(octets: Uint8Array, block: AddressBlock): boolean {
  if (octets.length !== block.octets.length) return false;
  const whole = block.bits >> 3;
  for (let i = 0; i < whole; i++) if (octets[i] !== block.octets[i]) return false;
  const rest = block.bits & 7;
  if (rest === 0) return true;
  const mask = 0xff << (8 - rest);
  return ((octets[whole] ?? 0) & mask) === ((block.octets[whole] ?? 0) & mask);
}
