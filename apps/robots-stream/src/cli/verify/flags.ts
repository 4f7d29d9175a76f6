// Reads `--verify` and its flags into settings. Mistakes are thrown as UsageErrors.
import { type AskedText, UsageError } from "@robots-stream/engine";
import { shownWordOf } from "@robots-stream/engine/internal";
import type { FlagShape, FlagValues } from "../command-line.ts";
import { choiceOf, lastOf } from "../command-line.ts";

export type VerifyFlagName = "verify" | "address-field" | "trusted-proxy" | "ranges";

const ways = ["ranges", "dns", "all"] as const;

export const verifyFlags: readonly FlagShape<VerifyFlagName>[] = [
  {
    name: "verify",
    value: "HOW",
    takes: (word) => (ways as readonly string[]).includes(word),
    choices: ways,
    about:
      "Check, by the client's address, whether each client is the crawler that its header names. With ranges: by the operators' address lists, which the command robots-stream ranges update fetches. With dns: by host names, with DNS look-ups for each address. With all: both.",
    otherwise: "ranges, if --verify has no value",
  },
  {
    name: "address-field",
    value: "NAME",
    about: "Field with the client's address, or with a list like X-Forwarded-For.",
    otherwise: "the address of a log; client, client_ip, remote_addr, ip, …",
  },
  {
    name: "trusted-proxy",
    value: "ADDRESSES",
    isRepeatable: true,
    about:
      "Addresses or prefixes of your proxies, with commas. In a list of addresses, the rightmost address that is not a proxy is the client's.",
    otherwise: "none: the rightmost address is the client's",
  },
  {
    name: "ranges",
    value: "DIR",
    file: { use: "reads" },
    about: "Folder with the lists of crawlers' addresses.",
    otherwise: "a folder in the cache",
  },
];

/** How clients are verified. */
export interface VerifySettings {
  readonly usesRanges: boolean;
  readonly usesDns: boolean;
  readonly addressField: string | undefined;
  readonly proxies: readonly string[];
  readonly rangesPath: string | undefined;
}

/** Describes the field from which readers take the client's address. */
export function addressOf({ addressField }: VerifySettings): AskedText {
  return { name: "address", field: addressField, flag: "--address-field", isRequired: true };
}

/**
 * Reads the flags; undefined without `--verify`. Throws a `UsageError` for an invalid value, and for one of the other flags without
 * `--verify`.
 */
export function verifySettingsOf(values: FlagValues<VerifyFlagName>): VerifySettings | undefined {
  if (!values.has("verify")) {
    const other = (["address-field", "trusted-proxy", "ranges"] as const).find((name) => values.has(name));
    if (other !== undefined) throw new UsageError("wrong-value", `--${other} needs --verify`);
    return undefined;
  }
  const text = lastOf(values, "verify") ?? "";
  const way = text === "" ? "ranges" : choiceOf("verify", text, ways);
  const proxies = (values.get("trusted-proxy") ?? []).flatMap((list) => list.split(",").map((word) => word.trim()));
  for (const proxy of proxies) {
    if (/^[\da-f:.]+(?:\/\d{1,3})?$/i.test(proxy)) continue;
    const what = `--trusted-proxy ${shownWordOf(proxy, 60)}: must be an address or a prefix`;
    throw new UsageError("wrong-value", what, "for example: --trusted-proxy 10.0.0.0/8,2001:db8::1");
  }
  return {
    usesRanges: way !== "dns",
    usesDns: way !== "ranges",
    addressField: lastOf(values, "address-field"),
    proxies,
    rangesPath: lastOf(values, "ranges"),
  };
}
