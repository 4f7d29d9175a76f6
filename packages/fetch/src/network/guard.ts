// Refuses connections to ports of other services (Fetch standard, "bad port"), and to hosts and addresses that are not public (RFC 6890
// special-purpose addresses, RFC 6761 names), and returns the reason. Imports no Node module.
import { FetchError } from "../common/errors.ts";
import { octetsOf } from "@robots-stream/url/internal";

/**
 * `false` allows only public addresses, and `true` every address. A list of blocks ("127.0.0.0/8", "::1") allows the addresses in these
 * blocks in addition to public addresses.
 */
export type AllowPrivate = boolean | readonly string[];

/** Refuses connections. Each method returns the reason of a refusal, or undefined when the connection is allowed. */
export interface Guard {
  /**
   * Takes the host of a URL: IPv6 in brackets, a trailing dot allowed. Judges a host name by the name only. If `allowPrivate` lists blocks,
   * no name is refused: the addresses to which the name resolves are checked later.
   */
  refuseHost(hostname: string): string | undefined;
  /**
   * Takes a host that a proxy or the platform resolves. Its addresses are not checked later, so a local name is refused unless a block of
   * `allowPrivate` contains its usual address.
   */
  refuseHostOfProxy(hostname: string): string | undefined;
  /** Takes the text of an address, as a resolver returns it. */
  refuseAddress(address: string): string | undefined;
}

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

const ipv4: Table<string> = tableOf([
  ["0.0.0.0/8", "this network (RFC 1122)"],
  ["10.0.0.0/8", "private (RFC 1918)"],
  ["100.64.0.0/10", "carrier-grade NAT (RFC 6598)"],
  ["127.0.0.0/8", "loopback (RFC 1122)"],
  ["168.63.129.16/32", "metadata service of a cloud"],
  ["169.254.0.0/16", "link-local (RFC 3927), metadata services"],
  ["172.16.0.0/12", "private (RFC 1918)"],
  ["192.0.0.0/24", "protocol assignments (RFC 6890)"],
  ["192.0.2.0/24", "documentation (RFC 5737)"],
  ["192.88.99.0/24", "6to4 relay (RFC 7526)"],
  ["192.168.0.0/16", "private (RFC 1918)"],
  ["198.18.0.0/15", "benchmarking (RFC 2544)"],
  ["198.51.100.0/24", "documentation (RFC 5737)"],
  ["203.0.113.0/24", "documentation (RFC 5737)"],
  ["224.0.0.0/4", "multicast (RFC 5771)"],
  ["240.0.0.0/4", "reserved or broadcast (RFC 1112)"],
]);

/** Refused blocks inside 2000::/3, the public block. Outside 2000::/3, only addresses in the blocks of `embedding` can be public. */
const ipv6: Table<string> = tableOf([
  ["2001::/32", "Teredo (RFC 4380)"],
  ["2001:2::/48", "benchmarking (RFC 5180)"],
  ["2001:10::/28", "ORCHID (RFC 4843)"],
  ["2001:20::/28", "ORCHIDv2 (RFC 7343)"],
  ["2001:db8::/32", "documentation (RFC 3849)"],
  ["3fff::/20", "documentation (RFC 9637)"],
]);

/** IPv6 blocks whose addresses embed an IPv4 address, and the offset of its first octet. The guard judges the embedded address. */
const embedding: Table<number> = tableOf([
  ["::ffff:0:0/96", 12],
  ["64:ff9b::/96", 12],
  ["2002::/16", 2],
]);

/** Reasons, for messages only, why IPv6 addresses outside the public block are refused. */
const named: Table<string> = tableOf([
  ["::1/128", "loopback (RFC 4291)"],
  ["::/96", "unspecified or IPv4-compatible (RFC 4291)"],
  ["::ffff:0:0:0/96", "IPv4-translated (RFC 2765)"],
  ["64:ff9b:1::/48", "local NAT64 (RFC 8215)"],
  ["fc00::/7", "unique local (RFC 4193)"],
  ["fe80::/10", "link-local (RFC 4291)"],
  ["fec0::/10", "site-local (RFC 3879)"],
  ["ff00::/8", "multicast (RFC 4291)"],
]);

/** Host names of this machine or its local network, and the usual address of each. */
const refusedNames: ReadonlyMap<string, string> = new Map([
  ["localhost", "127.0.0.1"],
  ["metadata.google.internal", "169.254.169.254"],
]);

/** The usual address of a refused name; undefined for every other name. */
function refusedAddressOf(hostname: string): string | undefined {
  const name = nameOf(hostname);
  return refusedNames.get(name.endsWith(".localhost") ? "localhost" : name);
}

function nameOf(hostname: string): string {
  return (hostname.endsWith(".") ? hostname.slice(0, -1) : hostname).toLowerCase();
}

function bareOf(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

/** Makes a guard. Throws `ERR_INVALID_OPTION` for a list entry that is neither an address nor a block. */
export function createGuard(allowPrivate: AllowPrivate = false): Guard {
  if (allowPrivate === true) {
    const free = (): undefined => undefined;
    return { refuseHost: free, refuseHostOfProxy: free, refuseAddress: free };
  }
  const allowed = allowedBlocksOf(allowPrivate);
  const refuseAddress = (address: string): string | undefined => {
    const octets = addressOf(address);
    if (octets === undefined) return `${JSON.stringify(address)} is not an address`;
    if (allowed?.has(octets) === true) return undefined;
    const why = refusalOf(octets);
    return why === undefined ? undefined : `${address} is not public: ${why}`;
  };
  const refuseHostOfProxy = (hostname: string): string | undefined => {
    const bare = bareOf(hostname);
    if (addressOf(bare) !== undefined) return refuseAddress(bare);
    const address = refusedAddressOf(bare);
    if (address === undefined || allowed?.has(addressOf(address)!) === true) return undefined;
    return `${nameOf(bare)} is a name of this machine or its local network`;
  };
  return {
    refuseAddress,
    refuseHostOfProxy,
    refuseHost(hostname) {
      // With a list of blocks, the resolved addresses decide: a caller that allows 127.0.0.0/8 may write "localhost".
      const isName = allowed !== undefined && addressOf(bareOf(hostname)) === undefined;
      return isName ? undefined : refuseHostOfProxy(hostname);
    },
  };
}

/** The allowed blocks; undefined when there are none. */
function allowedBlocksOf(allowPrivate: AllowPrivate): AddressBlocks | undefined {
  if (allowPrivate !== false && !Array.isArray(allowPrivate)) {
    throw new FetchError("ERR_INVALID_OPTION", "allowPrivate must be true, false or a list of texts");
  }
  const listed: readonly unknown[] = allowPrivate === false ? [] : allowPrivate;
  if (listed.length === 0) return undefined;
  const allowed = new AddressBlocks();
  for (const text of listed) {
    if (typeof text === "string" && allowed.add(text)) continue;
    const shown = typeof text === "string" ? JSON.stringify(text) : `a ${typeof text}`;
    throw new FetchError("ERR_INVALID_OPTION", `allowPrivate: ${shown} is neither an address nor a block of addresses`);
  }
  return allowed;
}

/** The rows of a table, each with its block. */
type Table<T> = readonly (readonly [block: AddressBlocks, value: T])[];

const publicIPv6 = blockOf("2000::/3");

/** The reason why an address is not public; undefined for a public address. */
function refusalOf(octets: Uint8Array): string | undefined {
  if (octets.length === 4) return valueIn(ipv4, octets);
  const offset = valueIn(embedding, octets);
  if (offset !== undefined) return valueIn(ipv4, octets.subarray(offset, offset + 4));
  if (publicIPv6.has(octets)) return valueIn(ipv6, octets);
  return valueIn(named, octets) ?? "outside the public block 2000::/3";
}

function valueIn<T>(table: Table<T>, octets: Uint8Array): T | undefined {
  return table.find(([block]) => block.has(octets))?.[1];
}

function tableOf<T>(rows: readonly (readonly [block: string, value: T])[]): Table<T> {
  return rows.map(([block, value]) => [blockOf(block), value]);
}

function blockOf(text: string): AddressBlocks {
  const block = new AddressBlocks();
  if (!block.add(text)) throw new RangeError(`no address block: ${text}`);
  return block;
}

/** The table of https://fetch.spec.whatwg.org/#bad-port. */
export const badPorts: ReadonlySet<string> = new Set(
  (
    "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139 143 " +
    "161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 " +
    "4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080"
  ).split(" "),
);

/** The reason to refuse the port of a URL, or undefined. The scheme's default port, which `URL` omits, is allowed: 21 for ftp. */
export function refusePort({ port }: URL): string | undefined {
  return badPorts.has(port) ? `port ${port} belongs to another service (Fetch standard, bad port)` : undefined;
}
