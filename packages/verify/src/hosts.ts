// An address and a look-up of names in, the host names out that lead back to the address: forward-confirmed reverse DNS.
import type { HostNames } from "./checks.ts";
import { parseAddress } from "./address.ts";

/** Look-ups of DNS. Each rejects when it got no answer; a name or an address that does not exist is an empty list. */
export interface Resolver {
  /** The host names of an address (PTR). */
  namesOf(address: string): Promise<readonly string[]>;
  /** The addresses of a host name: IPv4 (A) or IPv6 (AAAA). */
  addressesOf(host: string, family: 4 | 6): Promise<readonly string[]>;
}

/** The host names of an address: the confirmed names, or that DNS gave no answer. */
export type HostFinding =
  | {
      readonly isAnswered: true;
      readonly hosts: readonly string[];
      /** When DNS was asked, in milliseconds since 1970. Default: at the time of the request. */
      readonly askedAtMs?: number | undefined;
    }
  | { readonly isAnswered: false };

/** Most names of one address that are looked at: the owner of an address may give it any number. */
const mostNames = 10;
/** Longest name (RFC 1035 §2.3.4). */
const longestName = 253;

/** Whether a host is one of an operator's: its domain on a label boundary, in any case of letters. */
export function isHostOf(host: string, { suffix, begins = "" }: HostNames): boolean {
  const name = host.replace(/\.$/, "").toLowerCase();
  return (name === suffix || name.endsWith(`.${suffix}`)) && name.startsWith(begins);
}

/**
 * Looks up the names of an address, and the addresses of those names that are under one of the operators' domains. Never rejects; asks at
 * most 11 questions.
 */
export async function findHosts(
  address: string,
  operators: readonly HostNames[],
  resolver: Resolver,
): Promise<HostFinding> {
  const asked = parseAddress(address);
  if (asked === undefined) return { isAnswered: true, hosts: [] };
  const words = asked.words.join();
  try {
    const names = await resolver.namesOf(address);
    const hosts: string[] = [];
    for (const name of names.slice(0, mostNames)) {
      const host = name.replace(/\.$/, "").toLowerCase();
      if (host.length > longestName || !operators.some((each) => isHostOf(host, each))) continue;
      const addresses = await resolver.addressesOf(host, asked.family);
      if (addresses.some((each) => isSame(each, asked.family, words))) hosts.push(host);
    }
    return { isAnswered: true, hosts };
  } catch {
    return { isAnswered: false };
  }
}

function isSame(text: string, family: 4 | 6, words: string): boolean {
  const address = parseAddress(text);
  return address?.family === family && address.words.join() === words;
}
