// Finds the host names of addresses, and keeps only names that resolve back to the address. Caches the results; concurrency and memory are
// bounded.
import { promises as dns } from "node:dns";
import {
  addressText,
  findHosts,
  type HostFinding,
  parseAddress,
  publishedChecks,
  type Resolver,
} from "@robots-stream/verify";

/** Maximum number of look-ups at the same time. */
const concurrency = 32;
/** Maximum number of addresses in memory. A further address evicts the oldest one. */
const mostAddresses = 100_000;

export interface HostLookupOptions {
  /** Name servers as "address:port". Default: the name servers of the system. */
  readonly servers?: readonly string[];
  /** Time limit for the first attempt of a query. The second attempt has a longer limit. */
  readonly timeoutMs?: number;
}

export class HostLookup {
  /** Number of addresses that were looked up. */
  asked = 0;
  readonly #found = new Map<string, HostFinding>();
  readonly #resolver: Resolver;
  readonly #queries: dns.Resolver;
  /** Only host names under these domains are resolved back to addresses. */
  readonly #hosts = publishedChecks.flatMap(({ hosts }) => hosts);

  constructor({ servers, timeoutMs = 2_000 }: HostLookupOptions = {}) {
    const queries = (this.#queries = new dns.Resolver({ timeout: timeoutMs, tries: 2 }));
    if (servers !== undefined) queries.setServers(servers);
    this.#resolver = {
      // Not `reverse`, which reports "no name" also when a server fails or does not answer.
      namesOf: (address) => orNone(queries.resolvePtr(reverseNameOf(address))),
      addressesOf: (host, family) => orNone(family === 4 ? queries.resolve4(host) : queries.resolve6(host)),
    };
  }

  /** The result for an address; undefined when the address was not looked up. */
  findingOf(address: string): HostFinding | undefined {
    return this.#found.get(plainOf(address));
  }

  /** Looks up the addresses that have no result yet. Never rejects. */
  async find(addresses: Iterable<string>): Promise<void> {
    const open = [...new Set(Array.from(addresses, plainOf))].filter((address) => !this.#found.has(address));
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < open.length) {
        const address = open[next++]!;
        this.asked++;
        const finding = await findHosts(address, this.#hosts, this.#resolver);
        if (this.#found.size >= mostAddresses) this.#found.delete(this.#found.keys().next().value!);
        this.#found.set(address, finding.isAnswered ? { ...finding, askedAtMs: Date.now() } : finding);
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, open.length) }, work));
  }

  /** Cancels the queries. */
  close(): void {
    this.#queries.cancel();
  }
}

/** Normalizes an address: without port and brackets, in one spelling. Returns any other text unchanged. */
function plainOf(text: string): string {
  if (!text.includes(":")) return text;
  const address = parseAddress(text);
  return address === undefined ? text : addressText(address.family, address.words);
}

/** The DNS name of an address's PTR records (RFC 1035 §3.5, RFC 3596 §2.5). */
function reverseNameOf(address: string): string {
  const { family, words } = parseAddress(address)!;
  if (family === 4) return `${addressText(4, words).split(".").toReversed().join(".")}.in-addr.arpa`;
  const digits = words.map((word) => word.toString(16).padStart(8, "0")).join("");
  return `${digits.split("").toReversed().join(".")}.ip6.arpa`;
}

/** Resolves to the answer, or to an empty list when the name server reports that the name or record does not exist. */
async function orNone(answer: Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await answer;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTFOUND" || code === "ENODATA") return [];
    throw error;
  }
}
