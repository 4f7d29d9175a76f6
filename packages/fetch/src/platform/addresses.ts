// Parses IP addresses and address blocks without node:net. The platform's URL parser decides which texts are addresses.
import type { AddressBlocks, AddressReader } from "../network/guard-maker.ts";

/** Returns 4 octets for IPv4 in dotted decimal, 16 for IPv6, undefined for any other text. */
function octetsOf(address: string): Uint8Array | undefined {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(address)) {
    // Only the canonical form: the URL parser reads "010.0.0.1" as octal.
    return URL.parse(`http://${address}`)?.hostname === address
      ? Uint8Array.from(address.split("."), Number)
      : undefined;
  }
  if (!address.includes(":")) return undefined;
  const hostname = URL.parse(`http://[${address}]`)?.hostname;
  return hostname === undefined || !/^\[[^[\]]*\]$/.test(hostname) ? undefined : octetsOfIPv6(hostname.slice(1, -1));
}

/** Parses the form that the URL serializer writes: no dotted decimal, at most one "::". */
function octetsOfIPv6(address: string): Uint8Array {
  const octets = new Uint8Array(16);
  const [before = "", after] = address.split("::");
  octets.set(octetsOfGroups(before), 0);
  if (after !== undefined) {
    const tail = octetsOfGroups(after);
    octets.set(tail, octets.length - tail.length);
  }
  return octets;
}

function octetsOfGroups(groups: string): number[] {
  if (groups === "") return [];
  return groups.split(":").flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

interface Block {
  readonly octets: Uint8Array;
  /** The block contains the addresses whose first `bits` bits equal those of `octets`. */
  readonly bits: number;
}

/** A list of blocks, searched linearly. */
class OctetBlocks implements AddressBlocks {
  readonly #blocks: Block[] = [];

  add(text: string): boolean {
    const [address = "", digits, ...more] = text.split("/");
    const octets = octetsOf(address);
    if (octets === undefined || more.length > 0 || (digits !== undefined && !/^\d{1,3}$/.test(digits))) return false;
    const width = octets.length * 8;
    const bits = digits === undefined ? width : Number(digits);
    if (bits > width) return false;
    this.#blocks.push({ octets, bits });
    return true;
  }

  has(address: string): boolean {
    const octets = octetsOf(address);
    return octets !== undefined && this.#blocks.some((block) => isIn(octets, block));
  }
}

function isIn(octets: Uint8Array, { octets: start, bits }: Block): boolean {
  if (octets.length !== start.length) return false;
  for (let left = bits, at = 0; left > 0; left -= 8, at++) {
    const mask = left >= 8 ? 0xff : (0xff << (8 - left)) & 0xff;
    if (((octets[at]! ^ start[at]!) & mask) !== 0) return false;
  }
  return true;
}

/** Reads addresses on any platform. */
export const platformAddresses: AddressReader = { octetsOf, createBlocks: () => new OctetBlocks() };
