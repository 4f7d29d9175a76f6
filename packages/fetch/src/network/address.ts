// Parses the text of an IP address into octets (RFC 4291 §2.2), and tests whether an address is in a set of blocks.
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import type { AddressBlocks } from "./guard-maker.ts";

/** Returns 4 octets for IPv4, 16 for IPv6, undefined for any other text. Ignores the zone of an IPv6 address ("%eth0"). */
export function octetsOf(address: string): Uint8Array | undefined {
  if (isIPv4(address)) return octetsOfIPv4(address);
  return isIPv6(address) ? octetsOfIPv6(withoutZone(address)) : undefined;
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

/** A set of address blocks, in two lists of node:net: one for IPv4, one for IPv6. */
export class NodeAddressBlocks implements AddressBlocks {
  readonly #ipv4 = new BlockList();
  readonly #ipv6 = new BlockList();

  add(text: string): boolean {
    const [address = "", digits, ...more] = text.split("/");
    const bare = withoutZone(address);
    const family = isIP(bare);
    const width = family === 4 ? 32 : 128;
    if (family === 0 || more.length > 0 || (digits !== undefined && !/^\d{1,3}$/.test(digits))) return false;
    const bits = digits === undefined ? width : Number(digits);
    if (bits > width) return false;
    if (family === 4) this.#ipv4.addSubnet(bare, bits, "ipv4");
    else this.#ipv6.addSubnet(bare, bits, "ipv6");
    return true;
  }

  has(address: string): boolean {
    const bare = withoutZone(address);
    const family = isIP(bare);
    if (family === 4) return this.#ipv4.check(bare, "ipv4");
    return family === 6 && this.#ipv6.check(bare, "ipv6");
  }
}

function withoutZone(address: string): string {
  return isIPv6(address) ? address.replace(/%.*/su, "") : address;
}
