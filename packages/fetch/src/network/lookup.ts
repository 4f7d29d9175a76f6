// Resolves a host name to addresses, with the system's resolver, or with c-ares and a limit on simultaneous queries.
import { lookup as systemLookupOf, promises as dns } from "node:dns";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { devNull, networkInterfaces } from "node:os";
import { join } from "node:path";
import { Semaphore } from "../common/semaphore.ts";
import { addressOf, createGuard } from "./guard.ts";
import { codeOf } from "../common/failures.ts";
import { type Checks, aBoolean, aText, readOptions, texts, wholeNumber } from "../common/options.ts";

/** An address that a resolver returned. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * Resolves a host name, never an IP literal. Rejects with an error that has a `code` of Node (ENOTFOUND, ESERVFAIL, …). The guard
 * checks the returned addresses.
 */
export interface Lookup {
  /** `holder`, if given, stops its timers while the query waits for its turn. */
  (hostname: string, holder?: Holder): Promise<readonly ResolvedAddress[]>;
  /** Cancels all queries. */
  close?(): void;
}

/** The owner of timers that a lookup stops. */
export interface Holder {
  /** Stops the timers while `wait` is pending. */
  hold(wait: Promise<void>): Promise<void>;
}

/** A query for a name, shared by all lookups of the name. */
interface Question {
  readonly found: Promise<readonly ResolvedAddress[]>;
  /** Pending while the query waits for its turn; undefined once it is sent. */
  turn: Promise<void> | undefined;
}

/** The system's resolver (getaddrinfo). It runs on libuv's four threads: a few unresponsive names block all other lookups. */
export const systemLookup: Lookup = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookupOf(hostname, { all: true, order: "verbatim" }, (error, addresses) => {
      if (error) reject(causeOf(error));
      else resolve(addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 })));
    });
  });

/** Options of `createDirectLookup`. */
export interface DirectLookupOptions {
  /**
   * Largest number of names that are queried at once; with IPv6, two queries for each name. Default 200: a larger number caused false
   * timeouts.
   */
  readonly concurrency?: number;
  /** Timeout of the first attempt of a query; the second attempt waits longer. Default 1,500. */
  readonly timeoutMs?: number;
  /** Name servers as "address:port". Default: the system's. */
  readonly servers?: readonly string[];
  /** Whether IPv6 addresses are also queried. Default: whether an interface has a public IPv6 address. */
  readonly ipv6?: boolean;
  /** Path of the hosts file. Default: the system's. */
  readonly hostsFile?: string;
}

/** Milliseconds that the IPv6 query has left once IPv4 addresses are known (RFC 8305 §3, resolution delay). */
const resolutionDelayMs = 50;

const checks: Checks<DirectLookupOptions> = {
  concurrency: wholeNumber(1),
  timeoutMs: wholeNumber(1, 2_147_483_647),
  servers: texts,
  ipv6: aBoolean,
  hostsFile: aText,
};

/**
 * A lookup that queries name servers directly (c-ares), except for "localhost" and names in the hosts file. Simultaneous lookups of a name
 * share one query. Throws `ERR_INVALID_OPTION` for invalid options.
 */
export function createDirectLookup(given: DirectLookupOptions = {}): Lookup {
  const direct = new DirectLookup(readOptions(given, checks));
  const lookup = (hostname: string, holder?: Holder) => direct.lookup(hostname, holder);
  return Object.assign(lookup, { close: () => direct.close() });
}

class DirectLookup {
  readonly #limiter: Semaphore;
  readonly #resolver: dns.Resolver;
  readonly #asksIPv6: boolean;
  readonly #hostsFile: string | undefined;
  /** Pending queries, by name. */
  readonly #questions = new Map<string, Question>();
  #hosts: ReadonlyMap<string, readonly ResolvedAddress[]> | undefined;
  #readingHosts: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: DirectLookupOptions) {
    this.#limiter = new Semaphore(options.concurrency ?? 200);
    this.#resolver = new dns.Resolver({ timeout: options.timeoutMs ?? 1_500, tries: 2 });
    if (options.servers !== undefined) this.#resolver.setServers(options.servers);
    this.#asksIPv6 = options.ipv6 ?? hasPublicIPv6();
    this.#hostsFile = options.hostsFile;
  }

  async lookup(hostname: string, holder: Holder | undefined): Promise<readonly ResolvedAddress[]> {
    const name = (hostname.endsWith(".") ? hostname.slice(0, -1) : hostname).toLowerCase();
    if (this.#hosts === undefined) await (this.#readingHosts ??= this.#readHostsOnce());
    const known = this.#hosts?.get(name);
    if (known !== undefined) return known;
    // RFC 6761 §6.3: localhost is never resolved over the network.
    if (name === "localhost" || name.endsWith(".localhost")) return [{ address: "127.0.0.1", family: 4 }];
    const { found, turn } = this.#questionOf(name);
    if (turn !== undefined && holder !== undefined) await holder.hold(turn);
    return found;
  }

  close(): void {
    this.#isClosed = true;
    this.#resolver.cancel();
  }

  async #readHostsOnce(): Promise<void> {
    try {
      this.#hosts = await readHosts(this.#hostsFile ?? systemHostsFile());
    } finally {
      this.#readingHosts = undefined;
    }
  }

  #questionOf(name: string): Question {
    let question = this.#questions.get(name);
    if (question === undefined) {
      const turn = this.#limiter.enter();
      const made: Question = { found: this.#askInTurn(name, turn), turn };
      void turn?.then(() => (made.turn = undefined));
      this.#questions.set(name, (question = made));
    }
    return question;
  }

  async #askInTurn(name: string, turn: Promise<void> | undefined): Promise<readonly ResolvedAddress[]> {
    if (turn !== undefined) await turn;
    try {
      if (this.#isClosed) throw Object.assign(new Error(`the lookup of ${name} was cancelled`), { code: "ECANCELLED" });
      return await this.#ask(name);
    } finally {
      this.#limiter.leave();
      this.#questions.delete(name);
    }
  }

  async #ask(name: string): Promise<readonly ResolvedAddress[]> {
    const first = resolvedOf(this.#resolver.resolve4(name), 4);
    if (!this.#asksIPv6) {
      return first.catch((error: unknown) => {
        throw causeOf(error);
      });
    }
    const second = resolvedOf(this.#resolver.resolve6(name), 6);
    const [v4, v6] = await Promise.allSettled([first, withDelayAfter(first, second)]);
    const found = [...(v6.status === "fulfilled" ? v6.value : []), ...(v4.status === "fulfilled" ? v4.value : [])];
    if (found.length > 0) return found;
    throw v4.status === "rejected"
      ? causeOf(v4.reason)
      : Object.assign(new Error(`no address for ${name}`), { code: "ENODATA" });
  }
}

async function resolvedOf(list: Promise<string[]>, family: 4 | 6): Promise<readonly ResolvedAddress[]> {
  return (await list).map((address) => ({ address, family }));
}

/** The addresses of `second`; none when `second` fails, or is still pending one resolution delay after `first` resolved. */
async function withDelayAfter(
  first: Promise<readonly ResolvedAddress[]>,
  second: Promise<readonly ResolvedAddress[]>,
): Promise<readonly ResolvedAddress[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly ResolvedAddress[]>((resolve) => {
    const startDelay = (): void => {
      timer = setTimeout(resolve, resolutionDelayMs, []);
    };
    first.then(startDelay, () => undefined);
  });
  try {
    return await Promise.race([second.catch(() => []), late]);
  } finally {
    clearTimeout(timer);
  }
}

function systemHostsFile(): string {
  if (process.platform !== "win32") return "/etc/hosts";
  return join(process.env["SystemRoot"] ?? "C:\\Windows", "System32", "drivers", "etc", "hosts");
}

/** Treats an unreadable hosts file as empty, but throws when no file descriptor is left: a later attempt may succeed. */
async function readHosts(path: string): Promise<ReadonlyMap<string, readonly ResolvedAddress[]>> {
  return readFile(path, "utf8").then(hostsOf, (error: unknown) => {
    if (descriptorCodes.has(codeOf(error))) throw error;
    return new Map();
  });
}

const descriptorCodes = new Set(["EMFILE", "ENFILE"]);

/** Codes of c-ares and getaddrinfo when they cannot open a socket for a query. Errors with other causes have these codes too. */
const vagueCodes = new Set(["ECONNREFUSED", "EAI_AGAIN", "EAI_SYSTEM", "EFILE", "ESERVFAIL"]);

/** The resolver's error, or the system's error when this process has no file descriptor left. */
function causeOf(error: unknown): unknown {
  if (!vagueCodes.has(codeOf(error))) return error;
  try {
    closeSync(openSync(devNull, "r"));
    return error;
  } catch (cause) {
    return descriptorCodes.has(codeOf(cause)) ? cause : error;
  }
}

/** Parses a hosts file into addresses by name, in lower case. Invalid lines are skipped. */
export function hostsOf(text: string): ReadonlyMap<string, readonly ResolvedAddress[]> {
  const hosts = new Map<string, ResolvedAddress[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = (line.split("#", 1)[0] ?? "").split(/[ \t\r]+/).filter((part) => part !== "");
    const octets = addressOf(address);
    if (octets === undefined) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      const list = hosts.get(key) ?? [];
      list.push({ address, family: octets.length === 4 ? 4 : 6 });
      hosts.set(key, list);
    }
  }
  return hosts;
}

function hasPublicIPv6(): boolean {
  const guard = createGuard();
  return Object.values(networkInterfaces()).some((list) =>
    list?.some(({ address, family }) => family === "IPv6" && guard.refuseAddress(address) === undefined),
  );
}
