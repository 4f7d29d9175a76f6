// Opens the verifier of a run from the settings: with the address lists in their folder, and with DNS look-ups of host names.
import { UsageError } from "@robots-stream/engine";
import { shownWordOf, type UsedFiles } from "@robots-stream/engine/internal";
import {
  ClientAddresses,
  createVerifier,
  type DatedList,
  readRanges,
  type Verification,
  addressText,
  findHosts,
  type HostFinding,
  parseAddress,
  publishedChecks,
  type Resolver,
} from "@robots-stream/verify";
import type { VerifySettings } from "./flags.ts";
import { rangeFolderOf, storedRangesIn, textOfStored } from "./range-folder.ts";
import { promises as dns } from "node:dns";

interface VerifierSurroundings {
  readonly cacheText: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** The files that the command uses. A list that the command also writes is refused. */
  readonly used: Pick<UsedFiles, "checkOfFolder">;
  readonly say: (sentence: string) => void;
}

/** Opens the verifier. Throws a `UsageError` for a folder that cannot be read, and for a proxy that is not an address or prefix. */
export function openRecordVerifier(settings: VerifySettings, surroundings: VerifierSurroundings) {
  const { usesRanges, usesDns, rangesPath, proxies } = settings;
  const { cacheText, env, used, say } = surroundings;
  const lists: DatedList[] = [];
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  if (usesRanges) {
    for (const stored of storedRangesIn(rangeFolderOf(rangesPath, cacheText, env), used)) {
      const text = textOfStored(stored);
      const read = readRanges(text);
      hash.update(`${stored.name} ${stored.fetchedAtMs ?? ""} ${text.length} ${text}`);
      if (read.ranges === undefined) say(`${shownWordOf(stored.path)}: ${read.message}; this list is not used`);
      else lists.push({ name: stored.name, ranges: read.ranges, fetchedAtMs: stored.fetchedAtMs });
    }
    if (lists.length === 0) {
      say("--verify: no address lists are stored, so no address can be verified");
      say("  to fetch the operators' lists: robots-stream ranges update");
    }
  }
  let addresses: ClientAddresses;
  try {
    addresses = new ClientAddresses(proxies);
  } catch {
    throw new UsageError("wrong-value", "--trusted-proxy: must be addresses or prefixes");
  }
  // Verdicts depend on the use of DNS, on the lists and on the proxies.
  const digest = `${usesDns ? "dns " : ""}${hash.update(proxies.join()).digest("hex")}`;
  const verifier = createVerifier({ lists });
  const lookup = usesDns ? new HostLookup() : undefined;
  return {
    /** Hash of the lists, the proxies and the use of DNS; equal inputs give equal digests. */
    digest,

    /** The verdict about a client. `field`: the text of the record's address field; `atMs`: the time of the record, or NaN. */
    verify(productToken: string, field: string, atMs: number): Verification {
      const address = addresses.clientOf(field);
      return verifier.verify({ productToken, address, atMs, hosts: lookup?.findingOf(address) });
    },

    /** Looks up the host names of the clients whose address alone gives no verdict. Returns undefined when no look-up is needed. */
    prepare(clients: Iterable<readonly [productToken: string | undefined, field: string]>): Promise<void> | undefined {
      if (lookup === undefined) return undefined;
      const asked = new Set<string>();
      for (const [productToken, field] of clients) {
        const checks = productToken === undefined ? undefined : verifier.checksOf(productToken);
        if (checks?.hasHosts !== true) continue;
        const address = addresses.clientOf(field);
        const { verdict, because } = checks.verify(address);
        if (verdict === "claimed" && because !== "no-address" && because !== "local-address") asked.add(address);
      }
      return asked.size === 0 ? undefined : lookup.find(asked);
    },
  };
}

export type RecordVerifier = ReturnType<typeof openRecordVerifier>;

const concurrency = 32;
/** Maximum number of addresses in memory. A further address evicts the oldest one. */
const mostAddresses = 100_000;

interface HostLookupOptions {
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
