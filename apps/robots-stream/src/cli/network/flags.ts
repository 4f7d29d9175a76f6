// Defines the flags of the network, for every command that fetches robots.txt files.
import { isIP } from "node:net";
import type { AccessPolicyName } from "@robots-stream/fetch";
import { type FlagShape, notTogether } from "../command-line.ts";

/** Copy of the access policies' names, because @robots-stream/fetch is loaded only for a fetch. A test compares the two lists. */
export const accessPolicyNames: readonly AccessPolicyName[] = ["google", "google-2024", "rfc9309", "yandex"];

/** Ways to resolve host names. */
export type ResolverName = "direct" | "system";

export const resolverNames: readonly ResolverName[] = ["direct", "system"];

/** Whether the word after `--allow-private` is a list of address blocks (it begins with an address) and not an input file. */
function isBlockList(word: string): boolean {
  return isIP(/^[^,/]*/.exec(word)![0]) !== 0;
}

export type NetworkFlagName =
  | "user-agent"
  | "access-policy"
  | "soft-404"
  | "timeout"
  | "connect-timeout"
  | "headers-timeout"
  | "retry-wait"
  | "max-redirects"
  | "max-header-bytes"
  | "concurrency"
  | "per-address"
  | "allow-private"
  | "resolver"
  | "proxy"
  | "ca"
  | "insecure-tls";

/** Every flag, in the order of the help. */
export const networkFlags: readonly FlagShape<NetworkFlagName>[] = [
  {
    name: "user-agent",
    value: "HEADER",
    about: "User-Agent header of requests.",
    otherwise: "robots-stream (+its address)",
  },
  {
    name: "access-policy",
    value: "NAME",
    choices: accessPolicyNames,
    about: `How statuses, failures and outages are interpreted: ${accessPolicyNames.join(", ")}.`,
    otherwise: "google",
  },
  { name: "soft-404", about: 'Treat a 5xx response whose page says "not found" as 404.' },
  { name: "timeout", value: "SECONDS", about: "Longest time for one origin, redirects included.", otherwise: "20" },
  {
    name: "connect-timeout",
    value: "SECONDS",
    about: "Longest time to resolve the name of one server and connect, TLS included.",
    otherwise: "5",
  },
  {
    name: "headers-timeout",
    value: "SECONDS",
    about: "Longest time from the connection until the response begins.",
    otherwise: "the value of --timeout if given, else 10",
  },
  {
    name: "retry-wait",
    value: "SECONDS",
    about: "Repeat a request after 429 or 503, up to twice, if its Retry-After is at most SECONDS; 0: never.",
    otherwise: "60",
  },
  { name: "max-redirects", value: "N", about: "Maximum number of redirects to follow for one origin.", otherwise: "5" },
  { name: "max-header-bytes", value: "SIZE", about: "Maximum size of one response's headers.", otherwise: "64K" },
  { name: "concurrency", value: "N", about: "Maximum number of origins fetched at the same time.", otherwise: "256" },
  {
    name: "per-address",
    value: "N",
    about: "Maximum number of requests to one IP address at the same time.",
    otherwise: "8",
  },
  {
    name: "allow-private",
    value: "BLOCKS",
    takes: isBlockList,
    // An address with too few parts, or with other characters after it.
    resembles: (word) => /^(?:\d+\.[\d.]+|[\da-f]*:[\da-f:.]*)\w*(?:[,/]|$)/i.test(word),
    about: "Also connect to private addresses: to all, or only to BLOCKS, like 10.0.0.0/8,127.0.0.1.",
    otherwise: "origins there are unreachable",
  },
  {
    name: "resolver",
    value: "NAME",
    choices: resolverNames,
    about: `How host names are resolved: ${resolverNames.join(", ")}. direct queries name servers, many at the same time; system is slower.`,
    otherwise: "direct",
  },
  {
    name: "proxy",
    value: "URL|none",
    about:
      "Connect through this proxy: http(s)://[user:password@]host:port. The proxy resolves host names, and must itself refuse private addresses.",
    otherwise: "http_proxy, https_proxy, all_proxy, no_proxy",
  },
  {
    name: "ca",
    value: "FILE",
    file: { use: "reads" },
    about: "Trust only the certificates (PEM) in FILE.",
    otherwise: "the system's",
  },
  { name: "insecure-tls", about: "Accept any certificate." },
];

/** Throws a `UsageError` for a flag of the network together with `--robots`, because a run with `--robots` fetches nothing. */
export function refuseWithSaved(values: Pick<ReadonlyMap<NetworkFlagName | "robots", unknown>, "has">): void {
  const given = values.has("robots") ? networkFlags.find(({ name }) => values.has(name)) : undefined;
  if (given !== undefined) throw notTogether("robots", given.name, "saved files replace the network");
}
