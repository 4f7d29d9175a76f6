// Opens the verifier of a run from the settings, with the address lists in their folder.
import { UsageError } from "@robots-stream/engine";
import { shownWordOf, type UsedFiles } from "@robots-stream/engine/internal";
import {
  ClientAddresses,
  type CrawlerChecks,
  createVerifier,
  type DatedList,
  readRanges,
  type Verification,
  type Verifier,
} from "@robots-stream/verify";
import type { VerifySettings } from "./flags.ts";
import { HostLookup } from "./host-lookup.ts";
import { rangeFolderOf, storedRangesIn, textOfStored } from "./range-folder.ts";

/** Arguments of `openRecordVerifier` besides the settings. */
export interface VerifierSurroundings {
  readonly cacheText: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** The files that the command uses. A list that the command also writes is refused. */
  readonly used: Pick<UsedFiles, "checkOfFolder">;
  readonly say: (sentence: string) => void;
}

/** Opens the verifier. Throws a `UsageError` for a folder that cannot be read, and for a proxy that is not an address or prefix. */
export function openRecordVerifier(settings: VerifySettings, surroundings: VerifierSurroundings): RecordVerifier {
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
  return new RecordVerifier(createVerifier({ lists }), addresses, usesDns ? new HostLookup() : undefined, digest);
}

export class RecordVerifier {
  /** Hash of the lists, the proxies and the use of DNS; equal inputs give equal digests. */
  readonly digest: string;
  readonly #verifier: Verifier;
  readonly #addresses: ClientAddresses;
  readonly #lookup: HostLookup | undefined;

  constructor(verifier: Verifier, addresses: ClientAddresses, lookup: HostLookup | undefined, digest = "") {
    this.#verifier = verifier;
    this.#addresses = addresses;
    this.#lookup = lookup;
    this.digest = digest;
  }

  /** The verdict about a client. `field`: the text of the record's address field; `atMs`: the time of the record, or NaN. */
  verify(productToken: string, field: string, atMs: number): Verification {
    const address = this.#addresses.clientOf(field);
    return this.#verifier.verify({ productToken, address, atMs, hosts: this.#lookup?.findingOf(address) });
  }

  /** Looks up the host names of the clients whose address alone gives no verdict. Returns undefined when no look-up is needed. */
  prepare(clients: Iterable<readonly [productToken: string | undefined, field: string]>): Promise<void> | undefined {
    const lookup = this.#lookup;
    if (lookup === undefined) return undefined;
    const asked = new Set<string>();
    for (const [productToken, field] of clients) {
      const checks: CrawlerChecks | undefined =
        productToken === undefined ? undefined : this.#verifier.checksOf(productToken);
      if (checks?.hasHosts !== true) continue;
      const address = this.#addresses.clientOf(field);
      const { verdict, because } = checks.verify(address);
      if (verdict === "claimed" && because !== "no-address" && because !== "local-address") asked.add(address);
    }
    return asked.size === 0 ? undefined : lookup.find(asked);
  }
}
