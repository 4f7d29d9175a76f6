// Reads the text of an IP address as octets: IPv4 in dotted decimal without leading zeros, IPv6 as in RFC 4291 §2.2.
import { ipv4Of } from "./ipv4.ts";
import { ipv6GroupsOf } from "./ipv6.ts";

/** The 4 octets of an IPv4 address or the 16 of an IPv6 address; undefined for any other text, including an address with a zone. */
export function octetsOf(address: string): Uint8Array | undefined {
  if (address.includes(":")) {
    const groups = ipv6GroupsOf(address);
    return groups && Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
  }
  return ipv4Of(address) === address ? Uint8Array.from(address.split("."), Number) : undefined;
}
