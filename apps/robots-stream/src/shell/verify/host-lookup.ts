// Addresses in, the host names that resolve to them again out: each address is looked up once, a limited number at a time, within a limit
// of memory.
import { promises as dns } from "node:dns";
import {
  addressText,
  findHosts,
  type HostFinding,
  parseAddress,
  publishedChecks,
  type Resolver,
} from "@robots-stream/verify";

/** Look-ups at the same time. */
const concurrency = 32;
/** The most addresses in memory; beyond that, the oldest are removed. */
const mostAddresses = 100_000;

/** How to ask. */
export interface HostLookupOptions {
  /** Name servers as "address:port". Default: the system's. */
  readonly servers?: readonly string[];
  /** Time for the first attempt of a query; the second waits longer. */
  readonly timeoutMs?: number;
}

/** Looks up the host names of addresses. */
export class HostLookup {
  /** Addresses that were looked up. */
  asked = 0;
  readonly #found = new Map<string, HostFinding>();
  readonly #resolver: Resolver;
  readonly #queries: dns.Resolver;
  /** Only names under these domains are looked up again. */
  readonly #hosts = publishedChecks.flatMap(({ hosts }) => hosts);

  constructor({ servers, timeoutMs = 2_000 }: HostLookupOptions = {}) {
    const queries = (this.#queries = new dns.Resolver({ timeout: timeoutMs, tries: 2 }));
    if (servers !== undefined) queries.setServers(servers);
    this.#resolver = {
      // Not `reverse`, which says that there is no name when a server fails or is silent.
      namesOf: (address) => orNone(queries.resolvePtr(reverseNameOf(address))),
      addressesOf: (host, family) => orNone(family === 4 ? queries.resolve4(host) : queries.resolve6(host)),
    };
  }

  /** What is known about an address; undefined when it was not looked up. */
  findingOf(address: string): HostFinding | undefined {
    return this.#found.get(plainOf(address));
  }

  /** Looks up the addresses that are not known. Never rejects. */
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

/** An address without port and brackets, in one spelling; any other text unchanged. */
function plainOf(text: string): string {
  if (!text.includes(":")) return text;
  const address = parseAddress(text);
  return address === undefined ? text : addressText(address.family, address.words);
}

/** The name under which DNS has the host names of an address (RFC 1035 §3.5, RFC 3596 §2.5). */
function reverseNameOf(address: string): string {
  const { family, words } = parseAddress(address)!;
  if (family === 4) return `${addressText(4, words).split(".").toReversed().join(".")}.in-addr.arpa`;
  const digits = words.map((word) => word.toString(16).padStart(8, "0")).join("");
  return `${digits.split("").toReversed().join(".")}.ip6.arpa`;
}

/** The answer; empty when the name server says that the name does not exist. */
async function orNone(answer: Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await answer;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTFOUND" || code === "ENODATA") return [];
    throw error;
  }
}
