// Decides whether a request comes from the crawler that its User-Agent header names. The evidence is the client's address, lists of
// addresses and answers of DNS.
import { checkArgument } from "./errors.ts";
import { AddressReader, isLocalAddress, isMapped } from "./address.ts";
import { type HostNames, type PublishedChecks, publishedChecks } from "./checks.ts";
import { type HostFinding, isHostOf } from "./hosts.ts";
import type { PrefixTable } from "./prefix-table.ts";
import type { RangeList } from "./range-list.ts";

/**
 * "verified": a check of the operator succeeded. "false": all checks of the operator were made and failed. "claimed": the operator
 * publishes checks, but none of them decides. "no-check": no check is known.
 */
export type Verdict = "verified" | "false" | "claimed" | "no-check";

/** The ground of a verdict. */
export type VerifiedBecause =
  /** verified: the address is in a list, or a host name of the operator resolves to the address. */
  | "range"
  | "host"
  /** false: the address is in none of the lists, and has none of the host names. */
  | "no-match"
  /**
   * claimed: the record has no address, has an address that is not on the internet (a proxy's), or has an address that ends in zeros, as in
   * logs with masked addresses.
   */
  | "no-address"
  | "local-address"
  | "masked-address"
  /** claimed: a list is missing; a list or the DNS look-up is too far in time from the record; or a list has ignored entries. */
  | "no-list"
  | "other-time"
  | "damaged-list"
  /** claimed: the address is in a list that customers of the operator share. */
  | "shared-range"
  /** claimed: DNS was not asked, or gave no answer. */
  | "dns-not-asked"
  | "dns-failed"
  /** no-check: the operator publishes no check; or nothing is known about the crawler. */
  | "none-published"
  | "not-known";

/** A verdict with its ground. Verifications are frozen; a verifier usually returns the same object for equal verifications. */
export interface Verification {
  readonly verdict: Verdict;
  readonly because: VerifiedBecause;
  /**
   * The name of the list that decided, the list's date in milliseconds since 1970, and the entry that has the address: "66.249.64.0/27".
   */
  readonly list?: string;
  readonly dateMs?: number;
  readonly entry?: string;
  /** The host name that decided. */
  readonly host?: string;
}

/** A list that the verifier uses. There may be several lists with the same name and different dates. */
export interface DatedList {
  /** The name of a `RangeFile`. */
  readonly name: string;
  readonly ranges: RangeList;
  /** The time at which the file was fetched, in milliseconds since 1970; undefined if it is not known. */
  readonly fetchedAtMs?: number | undefined;
}

/** A request to verify. */
export interface Claim {
  /** The product token of the crawler that the request's User-Agent header names, in any letter case. */
  readonly productToken: string;
  /** The client's address as text; "" or "-" if there is none. */
  readonly address: string;
  /** The time of the request, in milliseconds since 1970; undefined or NaN when it is not known. */
  readonly atMs?: number | undefined;
  /** The answer of DNS for the address; undefined if no look-up was made. */
  readonly hosts?: HostFinding | undefined;
}

/** The settings of a verifier. */
export interface VerifierOptions {
  readonly lists?: readonly DatedList[];
  /** The operators' checks; those of this package by default. */
  readonly checks?: readonly PublishedChecks[];
}

/** A list or a DNS look-up can prove a request's claim false only if it is at most this far from the request in time. */
const mostMsApart = 30 * 86_400_000;

const noCheck = Object.freeze({ verdict: "no-check", because: "not-known" } satisfies Verification);
const nonePublished = Object.freeze({ verdict: "no-check", because: "none-published" } satisfies Verification);
const noMatch = Object.freeze({ verdict: "false", because: "no-match" } satisfies Verification);

const claimedBecause = (because: VerifiedBecause): Verification => Object.freeze({ verdict: "claimed", because });
const noAddress = claimedBecause("no-address");
const localAddress = claimedBecause("local-address");
const maskedAddress = claimedBecause("masked-address");
const noList = claimedBecause("no-list");
const otherTime = claimedBecause("other-time");
const damagedList = claimedBecause("damaged-list");
const sharedRange = claimedBecause("shared-range");
const notAsked = claimedBecause("dns-not-asked");
const dnsFailed = claimedBecause("dns-failed");

/** Creates a verifier. */
export function createVerifier(options: VerifierOptions = {}): Verifier {
  return new Verifier(options);
}

/** Verifies requests. */
export class Verifier {
  /** By product token as its operator writes it, which is found without a conversion, and in lower case. */
  readonly #crawlers = new Map<string, CrawlerChecks>();

  constructor(options: VerifierOptions) {
    checkArgument(typeof options === "object" && options !== null, "The options of a verifier are an object");
    const { lists = [], checks = publishedChecks } = options;
    checkArgument(Array.isArray(lists) && Array.isArray(checks), "lists and checks are lists");
    const tables = lists.map(tableOf);
    for (const published of checks) {
      let file: CheckedFile | undefined;
      for (const { name, isShared = false } of published.files.toReversed()) {
        const versions = tables.filter((list) => list.name === name);
        file = { isShared, lists: versions, only: versions.length === 1 ? versions[0] : undefined, next: file };
      }
      const crawler = new CrawlerChecks(published, file);
      for (const productToken of published.productTokens) {
        this.#crawlers.set(productToken, crawler).set(productToken.toLowerCase(), crawler);
      }
    }
  }

  /**
   * The checks of a crawler, for a caller with many requests of this crawler; undefined if nothing is known about the crawler. The letter
   * case of the product token does not matter.
   */
  checksOf(productToken: string): CrawlerChecks | undefined {
    return this.#crawlers.get(productToken) ?? this.#crawlers.get(productToken.toLowerCase());
  }

  /** The verdict about a request. Never throws. */
  verify({ productToken, address, atMs, hosts }: Claim): Verification {
    return this.checksOf(productToken)?.verify(address, atMs, hosts) ?? noCheck;
  }
}

/** A list, with the verification of each entry that was found. */
interface DatedTable {
  readonly name: string;
  readonly table: PrefixTable;
  readonly isWhole: boolean;
  /** Two times at which the file had this content, in milliseconds since 1970: its own date and the time of fetching. NaN if unknown. */
  readonly createdMs: number;
  readonly fetchedMs: number;
  /** The verification of each entry, at the entry's index; made when a look-up first finds the entry. */
  readonly found: (Verification | undefined)[];
}

function tableOf({ name, ranges, fetchedAtMs = Number.NaN }: DatedList): DatedTable {
  // The array is filled, because V8 stores an array with wide gaps as a hash table.
  const found = Array.from({ length: ranges.table.prefixes.length }, () => undefined);
  return {
    name,
    table: ranges.table,
    isWhole: ranges.ignored === 0,
    createdMs: ranges.createdAtMs ?? Number.NaN,
    fetchedMs: fetchedAtMs,
    found,
  };
}

/**
 * One file of an operator, with its available versions and the next file. The files form a linked list, and a single version is stored in a
 * member of its own. Arrays would be further objects between the operator and the table, and a look-up has to load each of these objects
 * from memory.
 */
interface CheckedFile {
  readonly isShared: boolean;
  readonly lists: readonly DatedTable[];
  readonly only: DatedTable | undefined;
  readonly next: CheckedFile | undefined;
}

/** The checks of those crawlers of an operator that share the same lists. */
export class CrawlerChecks {
  readonly #hostNames: readonly HostNames[];
  /** The verdict if no list has the address and no DNS look-up was made. */
  readonly #withoutHosts: Verification;
  readonly #file: CheckedFile | undefined;
  /** Parses addresses; keeps the words of `#lastAddress`. */
  readonly #reader = new AddressReader();
  #lastAddress = "";
  #family: 0 | 4 | 6 = 0;
  readonly #byHost = new Map<string, Verification>();

  constructor(published: PublishedChecks, file: CheckedFile | undefined) {
    this.#hostNames = published.hosts;
    this.#withoutHosts = this.hasHosts ? notAsked : noMatch;
    this.#file = file;
  }

  /** Whether host names are among the checks, so that DNS can decide. */
  get hasHosts(): boolean {
    return this.#hostNames.length > 0;
  }

  /** The verdict about an address as text; the other arguments are those of a `Claim`. */
  verify(address: string, atMs: number = Number.NaN, hosts?: HostFinding): Verification {
    if (this.#file === undefined && this.#hostNames.length === 0) return nonePublished;
    // In logs, about half of the requests have the address of the request before.
    if (address !== this.#lastAddress) {
      this.#family = this.#reader.read(address);
      this.#lastAddress = address;
    }
    const family = this.#family;
    return family === 0 ? noAddress : this.verifyWords(family, this.#reader.words, atMs, hosts);
  }

  /** The verdict about an address as four words; an IPv4 address is in the last word. */
  verifyWords(family: 4 | 6, words: ArrayLike<number>, atMs: number, hosts?: HostFinding): Verification {
    let open: Verification | undefined;
    for (let file = this.#file; file !== undefined; file = file.next) {
      const list = file.only ?? nearestOf(file.lists, atMs);
      if (list === undefined) {
        open ??= noList;
        continue;
      }
      const entry = list.table.find(family, words);
      if (entry >= 0) {
        if (!file.isShared) return (list.found[entry] ??= foundIn(list, entry));
        open = sharedRange;
      } else if (!isNear(list, atMs) || (file.only === undefined && isInAnother(file.lists, list, atMs, family, words)))
        open ??= otherTime;
      else if (!list.isWhole) open ??= damagedList;
    }
    if (hosts?.isAnswered === true) {
      const host = this.#ownHostOf(hosts.hosts);
      if (host !== undefined) return this.#byHost.get(host) ?? this.#keepHost(host);
    }
    if (isLocalAddress(family, words)) return localAddress;
    if (open !== undefined) return open;
    if (isMasked(family, words)) return maskedAddress;
    return hosts === undefined ? this.#withoutHosts : this.#disprovedBy(hosts, atMs);
  }

  /** The first host name that is the operator's. */
  #ownHostOf(hosts: readonly string[]): string | undefined {
    return hosts.find((host) => this.#hostNames.some((name) => isHostOf(host, name)));
  }

  /** The verdict about an address that neither a list nor a host name confirms, after a DNS look-up. */
  #disprovedBy(hosts: HostFinding, atMs: number): Verification {
    if (!this.hasHosts) return noMatch;
    if (!hosts.isAnswered) return dnsFailed;
    // An address may have had another owner, and other names, at the time of the request.
    const { askedAtMs } = hosts;
    return askedAtMs === undefined || Math.abs(askedAtMs - atMs) <= mostMsApart ? noMatch : otherTime;
  }

  #keepHost(host: string): Verification {
    const verification = Object.freeze({ verdict: "verified", because: "host", host } satisfies Verification);
    if (this.#byHost.size === mostHosts) this.#byHost.clear();
    this.#byHost.set(host, verification);
    return verification;
  }
}

/** The maximum number of host names for which a verification is cached. An operator's crawlers have thousands of host names. */
const mostHosts = 100_000;

function foundIn(list: DatedTable, entry: number): Verification {
  const { name, table, createdMs, fetchedMs } = list;
  const dateMs = Number.isNaN(fetchedMs) ? createdMs : fetchedMs;
  const date = Number.isNaN(dateMs) ? {} : { dateMs };
  return Object.freeze({
    verdict: "verified",
    because: "range",
    list: name,
    ...date,
    entry: table.textOf(entry),
  } satisfies Verification);
}

/**
 * Whether another version of the list, also near to the request in time, has the address. That version may have been valid at the time of
 * the request.
 */
function isInAnother(
  lists: readonly DatedTable[],
  nearest: DatedTable,
  atMs: number,
  family: 4 | 6,
  words: ArrayLike<number>,
): boolean {
  return lists.some((list) => list !== nearest && isNear(list, atMs) && list.table.find(family, words) >= 0);
}

/** Whether the last byte (for IPv6 the last 64 bits) is zero, which is how logs usually mask addresses. */
function isMasked(family: 4 | 6, words: ArrayLike<number>): boolean {
  return family === 4 || isMapped(words) ? (words[3]! & 0xff) === 0 : words[2] === 0 && words[3] === 0;
}

/** The version of a list whose date is nearest to `atMs`; the latest version if `atMs` is NaN; undefined if there is no version. */
function nearestOf(lists: readonly DatedTable[], atMs: number): DatedTable | undefined {
  let nearest = lists[0];
  for (const list of lists) {
    if (nearest === undefined || distanceOf(list, atMs) < distanceOf(nearest, atMs)) nearest = list;
  }
  return nearest;
}

/**
 * A number that is smaller for a better version of a list: the milliseconds between the list and a request; for a request without a time,
 * the negative date of the list.
 */
function distanceOf({ createdMs, fetchedMs }: DatedTable, atMs: number): number {
  let least = Infinity;
  for (const ms of [createdMs, fetchedMs]) {
    if (!Number.isNaN(ms)) least = Math.min(least, Number.isNaN(atMs) ? -ms : Math.abs(ms - atMs));
  }
  return least;
}

/** Whether a list is near to a request in time; false if the date of either is unknown. */
function isNear({ createdMs, fetchedMs }: DatedTable, atMs: number): boolean {
  return Math.abs(fetchedMs - atMs) <= mostMsApart || Math.abs(createdMs - atMs) <= mostMsApart;
}
