// Finds the host names of an address that resolve to the same address: forward-confirmed reverse DNS.
import { checkArgument } from "./errors.ts";
import type { HostNames } from "./checks.ts";
import { addressText, parseAddress } from "./address.ts";

/** DNS look-ups. A look-up rejects if DNS gave no answer, and returns an empty list for a name or an address that does not exist. */
export interface Resolver {
  /** The host names of an address (PTR). The address is in the form of RFC 5952, without port, brackets and zone; never IPv4-mapped. */
  namesOf(address: string): Promise<readonly string[]>;
  /** The addresses of a host name: IPv4 (A) or IPv6 (AAAA). */
  addressesOf(host: string, family: 4 | 6): Promise<readonly string[]>;
}

/** The result of a look-up: the confirmed host names of an address, or that DNS gave no answer. */
export type HostFinding =
  | {
      readonly isAnswered: true;
      readonly hosts: readonly string[];
      /** The time of the DNS look-up, in milliseconds since 1970. Default: the look-up is assumed to be as old as the request. */
      readonly askedAtMs?: number | undefined;
    }
  | { readonly isAnswered: false };

/** The maximum number of names of one address that are checked. The owner of an address may give the address any number of names. */
const mostNames = 10;
/** The maximum number of characters of a name (RFC 1035 §2.3.4). */
const longestName = 253;

/**
 * Whether a host name, in any letter case, belongs to an operator: the name ends with the domain `suffix` on a label boundary, and begins
 * with `begins`.
 */
export function isHostOf(host: string, names: HostNames): boolean {
  const { suffix, begins = "" } = Object(names) as HostNames;
  checkArgument(typeof host === "string" && typeof suffix === "string", "A host name and the suffix are strings");
  const name = host.replace(/\.$/, "").toLowerCase();
  return (name === suffix || name.endsWith(`.${suffix}`)) && name.startsWith(begins);
}

/**
 * Looks up the names of an address, and the addresses of each name that is under one of the operators' domains. Returns the names whose
 * addresses include `address`; no names, without a look-up, if `address` is not an address. Never rejects; makes at most 11 look-ups.
 */
export async function findHosts(
  address: string,
  operators: readonly HostNames[],
  resolver: Resolver,
): Promise<HostFinding> {
  const asked = parseAddress(address);
  checkArgument(Array.isArray(operators), "The operators' host names are a list");
  checkArgument(
    typeof (resolver as Partial<Resolver> | undefined)?.namesOf === "function",
    "A resolver has the functions namesOf and addressesOf",
  );
  if (asked === undefined) return { isAnswered: true, hosts: [] };
  const plain = addressText(asked.family, asked.words);
  try {
    const names = await resolver.namesOf(plain);
    const hosts: string[] = [];
    for (const name of names.slice(0, mostNames)) {
      const host = name.replace(/\.$/, "").toLowerCase();
      if (host.length > longestName || !operators.some((each) => isHostOf(host, each))) continue;
      const addresses = await resolver.addressesOf(host, asked.family);
      if (addresses.some((each) => plainTextOf(each) === plain)) hosts.push(host);
    }
    return { isAnswered: true, hosts };
  } catch {
    return { isAnswered: false };
  }
}

/** The one spelling of the address in a text; undefined for any other text. */
function plainTextOf(text: string): string | undefined {
  const address = parseAddress(text);
  return address === undefined ? undefined : addressText(address.family, address.words);
}
