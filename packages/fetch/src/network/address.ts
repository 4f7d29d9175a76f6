// Reads IP addresses, and tests whether an address is in a set of blocks. Imports no Node module.
import { octetsOf } from "@robots-stream/url/internal";

/** The 4 octets of an IPv4 address or the 16 of an IPv6 address, whose zone ("%eth0") is ignored; undefined for any other text. */
export function addressOf(text: string): Uint8Array | undefined {
  return octetsOf(text.replace(/^([^%]*:[^%]*)%[0-9A-Za-z.:-]+$/, "$1"));
}

interface Block {
  readonly octets: Uint8Array;
  /** The block contains the addresses whose first `bits` bits equal those of `octets`. */
  readonly bits: number;
}

/** A set of address blocks. An address can only be in blocks of its own family, even if it embeds an address of the other family. */
export class AddressBlocks {
  readonly #blocks: Block[] = [];

  /** Adds a block ("10.0.0.0/8", "fd00::/8") or a single address. Returns false, and adds nothing, for any other text. */
  add(text: string): boolean {
    const [address = "", digits, ...more] = text.split("/");
    const octets = addressOf(address);
    if (octets === undefined || more.length > 0 || (digits !== undefined && !/^\d{1,3}$/.test(digits))) return false;
    const width = octets.length * 8;
    const bits = digits === undefined ? width : Number(digits);
    if (bits > width) return false;
    this.#blocks.push({ octets, bits });
    return true;
  }

  /** Whether the address with these octets is in one of the blocks. Linear in their number. */
  has(octets: Uint8Array): boolean {
    return this.#blocks.some((block) => isIn(octets, block));
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
