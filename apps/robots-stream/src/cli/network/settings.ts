// Reads the flags of the network into its settings. Mistakes are thrown as UsageErrors.
import { isIP } from "node:net";
import type { AccessPolicyName } from "@robots-stream/fetch";
import { choiceOf } from "../command-line.ts";
import { UsageError } from "@robots-stream/engine";
import { shownWordOf } from "@robots-stream/engine/internal";
import { numberOf, sizeOf, wholeOf } from "../values.ts";
import { type NetworkFlagName, type ResolverName, accessPolicyNames, resolverNames } from "./flags.ts";

/**
 * Settings for fetching robots.txt files. For an undefined member, the default of @robots-stream/fetch applies. Exception: if
 * `headersTimeoutMs` is undefined and `timeoutMs` is defined, `timeoutMs` also limits the time for headers.
 */
export interface NetworkSettings {
  readonly userAgent: string | undefined;
  readonly accessPolicy: AccessPolicyName;
  readonly soft404: boolean;
  readonly timeoutMs: number | undefined;
  readonly connectTimeoutMs: number | undefined;
  readonly headersTimeoutMs: number | undefined;
  readonly retryWaitMs: number | undefined;
  readonly maxRedirects: number | undefined;
  readonly maxHeaderBytes: number;
  readonly concurrency: number;
  readonly perAddress: number;
  /** Private addresses and address blocks that may be fetched from; true for all, false for none. */
  readonly allowPrivate: boolean | readonly string[];
  readonly resolver: ResolverName;
  /** A URL or "none"; undefined: the proxy variables of the environment apply. */
  readonly proxy: string | undefined;
  readonly caPath: string | undefined;
  readonly insecureTls: boolean;
}

/** Reads the flags. Throws a `UsageError` for the first invalid value. */
export function networkSettingsOf(
  values: Pick<ReadonlyMap<NetworkFlagName, readonly string[]>, "get" | "has">,
): NetworkSettings {
  const last = (name: NetworkFlagName): string | undefined => values.get(name)?.at(-1);
  const msOf = (name: NetworkFlagName, min: number): number | undefined => {
    const text = last(name);
    return text === undefined ? undefined : Math.ceil(numberOf(name, text, min, 86_400) * 1_000);
  };
  const whole = (name: NetworkFlagName, otherwise: string, min: number, max: number): number =>
    wholeOf(name, last(name) ?? otherwise, min, max);
  const userAgent = last("user-agent");
  if (userAgent !== undefined && !/^[\x20-\x7e]*[\x21-\x7e][\x20-\x7e]*$/.test(userAgent)) {
    throw new UsageError("wrong-value", "--user-agent must be printable ASCII and not empty");
  }
  const caPath = last("ca");
  if (caPath !== undefined && values.has("insecure-tls")) {
    throw new UsageError("wrong-value", "--ca and --insecure-tls cannot be combined");
  }
  const maxRedirects = last("max-redirects");
  return {
    userAgent,
    accessPolicy: choiceOf("access-policy", last("access-policy") ?? "google", accessPolicyNames),
    soft404: values.has("soft-404"),
    timeoutMs: msOf("timeout", 0.001),
    connectTimeoutMs: msOf("connect-timeout", 0.001),
    headersTimeoutMs: msOf("headers-timeout", 0.001),
    retryWaitMs: msOf("retry-wait", 0),
    maxRedirects: maxRedirects === undefined ? undefined : wholeOf("max-redirects", maxRedirects, 0, 100),
    maxHeaderBytes: sizeOf("max-header-bytes", last("max-header-bytes"), { least: "256", most: "16M" }) ?? 65_536,
    concurrency: whole("concurrency", "256", 1, 65_536),
    perAddress: whole("per-address", "8", 1, 65_536),
    allowPrivate: allowPrivateOf(last("allow-private")),
    resolver: choiceOf("resolver", last("resolver") ?? "direct", resolverNames),
    proxy: last("proxy"),
    caPath,
    insecureTls: values.has("insecure-tls"),
  };
}

function allowPrivateOf(text: string | undefined): boolean | readonly string[] {
  if (text === undefined) return false;
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
