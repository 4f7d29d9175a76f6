// Reads `--verify` and its flags into settings. Mistakes are thrown as UsageErrors.
import { type AskedText, UsageError } from "@robots-stream/engine";
import { shownWordOf } from "@robots-stream/engine/internal";
import { flag, type FlagValues, given } from "../flag.ts";
import { oneOf } from "../values.ts";

const ways = ["ranges", "dns", "all"] as const;

function proxiesOf(list: string): readonly string[] {
  const proxies = list.split(",").map((word) => word.trim());
  const wrong = proxies.find((proxy) => !/^[\da-f:.]+(?:\/\d{1,3})?$/i.test(proxy));
  if (wrong === undefined) return proxies;
  const what = `--trusted-proxy ${shownWordOf(wrong, 60)}: must be an address or a prefix`;
  throw new UsageError("wrong-value", what, "for example: --trusted-proxy 10.0.0.0/8,2001:db8::1");
}

export const verifyFlags = [
  flag({
    name: "verify",
    value: "HOW",
    takes: (word) => (ways as readonly string[]).includes(word),
    choices: ways,
    about:
      "Check, by the client's address, whether each client is the crawler that its header names. With ranges: by the operators' address lists, which the command robots-stream ranges update fetches. With dns: by host names, with DNS look-ups for each address. With all: both.",
    otherwise: "ranges, if --verify has no value",
    read: (text, name) => (text === "" ? "ranges" : oneOf(ways)(text, name)),
  }),
  flag({
    name: "address-field",
    value: "NAME",
    about: "Field with the client's address, or with a list like X-Forwarded-For.",
    otherwise: "the address of a log; client, client_ip, remote_addr, ip, …",
  }),
  flag({
    name: "trusted-proxy",
    value: "ADDRESSES",
    isRepeatable: true,
    about:
      "Addresses or prefixes of your proxies, with commas. In a list of addresses, the rightmost address that is not a proxy is the client's.",
    otherwise: "none: the rightmost address is the client's",
    read: proxiesOf,
  }),
  flag({
    name: "ranges",
    value: "DIR",
    file: { use: "reads" },
    about: "Folder with the lists of crawlers' addresses.",
    otherwise: "a folder in the cache",
  }),
];

/** Describes the field from which readers take the client's address. */
export function addressOf({ addressField }: VerifySettings): AskedText {
  return { name: "address", field: addressField, flag: "--address-field", isRequired: true };
}

/**
 * Reads the flags; undefined without `--verify`. Throws a `UsageError` for an invalid value, and for one of the other flags without
 * `--verify`.
 */
export function verifySettingsOf(values: FlagValues) {
  const flags = given(values, verifyFlags);
  const way = flags.get("verify");
  if (way === undefined) {
    const other = flags.first("address-field", "trusted-proxy", "ranges");
    if (other !== undefined) throw new UsageError("wrong-value", `--${other} needs --verify`);
    return undefined;
  }
  return {
    usesRanges: way !== "dns",
    usesDns: way !== "ranges",
    addressField: flags.get("address-field"),
    proxies: flags.get("trusted-proxy").flat(),
    rangesPath: flags.get("ranges"),
  };
}

/** How clients are verified. */
export type VerifySettings = Readonly<NonNullable<ReturnType<typeof verifySettingsOf>>>;
