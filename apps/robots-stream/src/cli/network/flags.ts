// Defines the flags of the network, for every command that fetches robots.txt files, and reads them into settings.
import { isIP } from "node:net";
import type { AccessPolicyName } from "@robots-stream/fetch";
import { UsageError } from "@robots-stream/engine";
import { shownWordOf } from "@robots-stream/engine/internal";
import { flag, rowsWithout, type FlagValues, given } from "../flag.ts";
import { oneOf, secondsFrom, sizeFrom, wholeFrom } from "../values.ts";

/** Copy of the access policies' names, because @robots-stream/fetch is loaded only for a fetch. A test compares the two lists. */
export const accessPolicyNames: readonly AccessPolicyName[] = ["google", "google-2024", "rfc9309", "yandex"];

/** Ways to resolve host names. */
export type ResolverName = "direct" | "system";

const resolverNames: readonly ResolverName[] = ["direct", "system"];

/** Whether the word after `--allow-private` is a list of address blocks (it begins with an address) and not an input file. */
function isBlockList(word: string): boolean {
  return isIP(/^[^,/]*/.exec(word)![0]) !== 0;
}

/** Reads the blocks of addresses of `--allow-private`; true without a list: all private addresses. */
function blocksOf(text: string): boolean | readonly string[] {
  if (text === "") return true;
  const blocks = text.split(",").map((block) => block.trim());
  for (const block of blocks) {
    const [, address = "", bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(block) ?? [];
    const family = isIP(address);
    if (family !== 0 && (bits === undefined || Number(bits) <= (family === 4 ? 32 : 128))) continue;
    throw new UsageError(
      "wrong-value",
      `--allow-private ${shownWordOf(block, 60)}: is neither an address nor a block of addresses`,
      "for example: --allow-private 10.0.0.0/8,::1",
    );
  }
  return blocks;
}

function headerOf(text: string): string {
  if (/^[\x20-\x7e]*[\x21-\x7e][\x20-\x7e]*$/.test(text)) return text;
  throw new UsageError("wrong-value", "--user-agent must be printable ASCII and not empty");
}

/** Every flag, in the order of the help. */
export const networkFlags = [
  flag({
    name: "user-agent",
    value: "HEADER",
    about: "User-Agent header of requests.",
    otherwise: "robots-stream (+its address)",
    read: headerOf,
  }),
  flag({
    name: "access-policy",
    value: "NAME",
    choices: accessPolicyNames,
    about: `How statuses, failures and outages are interpreted: ${accessPolicyNames.join(", ")}.`,
    otherwise: "google",
    read: oneOf(accessPolicyNames),
    usual: "google",
  }),
  flag({ name: "soft-404", about: 'Treat a 5xx response whose page says "not found" as 404.' }),
  flag({
    name: "timeout",
    value: "SECONDS",
    about: "Longest time for one origin, redirects included.",
    otherwise: "20",
    mayChange: true,
    read: secondsFrom(0.001),
  }),
  flag({
    name: "connect-timeout",
    value: "SECONDS",
    about: "Longest time to resolve the name of one server and connect, TLS included.",
    otherwise: "5",
    mayChange: true,
    read: secondsFrom(0.001),
  }),
  flag({
    name: "headers-timeout",
    value: "SECONDS",
    about: "Longest time from the connection until the response begins.",
    otherwise: "the value of --timeout if given, else 10",
    mayChange: true,
    read: secondsFrom(0.001),
  }),
  flag({
    name: "retry-wait",
    value: "SECONDS",
    about: "Repeat a request after 429 or 503, up to twice, if its Retry-After is at most SECONDS; 0: never.",
    otherwise: "60",
    mayChange: true,
    read: secondsFrom(0),
  }),
  flag({
    name: "max-redirects",
    value: "N",
    about: "Maximum number of redirects to follow for one origin.",
    otherwise: "5",
    read: wholeFrom(0, 100),
  }),
  flag({
    name: "max-header-bytes",
    value: "SIZE",
    about: "Maximum size of one response's headers.",
    otherwise: "64K",
    read: sizeFrom("256", "16M"),
    usual: 65_536,
  }),
  flag({
    name: "concurrency",
    value: "N",
    about: "Maximum number of origins fetched at the same time.",
    otherwise: "256",
    mayChange: true,
    read: wholeFrom(1, 65_536),
    usual: 256,
  }),
  flag({
    name: "per-address",
    value: "N",
    about: "Maximum number of requests to one IP address at the same time.",
    otherwise: "8",
    mayChange: true,
    read: wholeFrom(1, 65_536),
    usual: 8,
  }),
  flag({
    name: "allow-private",
    value: "BLOCKS",
    takes: isBlockList,
    // An address with too few parts, or with other characters after it.
    resembles: (word) => /^(?:\d+\.[\d.]+|[\da-f]*:[\da-f:.]*)\w*(?:[,/]|$)/i.test(word),
    about: "Also connect to private addresses: to all, or only to BLOCKS, like 10.0.0.0/8,127.0.0.1.",
    otherwise: "origins there are unreachable",
    read: blocksOf,
    usual: false,
  }),
  flag({
    name: "resolver",
    value: "NAME",
    choices: resolverNames,
    about: `How host names are resolved: ${resolverNames.join(", ")}. direct queries name servers, many at the same time; system is slower.`,
    otherwise: "direct",
    mayChange: true,
    read: oneOf(resolverNames),
    usual: "direct",
  }),
  flag({
    name: "proxy",
    value: "URL|none",
    about:
      "Connect through this proxy: http(s)://[user:password@]host:port. The proxy resolves host names, and must itself refuse private addresses.",
    otherwise: "http_proxy, https_proxy, all_proxy, no_proxy",
    mayChange: true,
  }),
  flag({
    name: "ca",
    value: "FILE",
    file: { use: "reads" },
    about: "Trust only the certificates (PEM) in FILE.",
    otherwise: "the system's",
    mayChange: true,
  }),
  flag({ name: "insecure-tls", about: "Accept any certificate." }),
];

/** For commands that fetch from one or two origins. */
export const fewOriginsFlags = rowsWithout(networkFlags, "concurrency");

/** Reads the flags. Throws a `UsageError` for the first invalid value. */
export function networkSettingsOf(values: FlagValues) {
  const flags = given(values, networkFlags);
  if (flags.has("ca") && flags.has("insecure-tls")) {
    throw new UsageError("wrong-value", "--ca and --insecure-tls cannot be combined");
  }
  return {
    userAgent: flags.get("user-agent"),
    accessPolicy: flags.get("access-policy"),
    soft404: flags.get("soft-404"),
    timeoutMs: flags.get("timeout"),
    connectTimeoutMs: flags.get("connect-timeout"),
    headersTimeoutMs: flags.get("headers-timeout"),
    retryWaitMs: flags.get("retry-wait"),
    maxRedirects: flags.get("max-redirects"),
    maxHeaderBytes: flags.get("max-header-bytes"),
    concurrency: flags.get("concurrency"),
    perAddress: flags.get("per-address"),
    allowPrivate: flags.get("allow-private"),
    resolver: flags.get("resolver"),
    proxy: flags.get("proxy"),
    caPath: flags.get("ca"),
    insecureTls: flags.get("insecure-tls"),
  };
}

/**
 * Settings for fetching robots.txt files. For an undefined member, the default of @robots-stream/fetch applies. Exception: if
 * `headersTimeoutMs` is undefined and `timeoutMs` is defined, `timeoutMs` also limits the time for headers. Without `proxy`, the proxy
 * variables of the environment apply.
 */
export type NetworkSettings = Readonly<ReturnType<typeof networkSettingsOf>>;
