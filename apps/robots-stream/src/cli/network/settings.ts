// Reads the flags of the network into its settings. Mistakes are thrown as UsageErrors.
import { UsageError } from "@robots-stream/engine";
import type { AccessPolicyName } from "@robots-stream/fetch";
import { type FlagValues, given } from "../flag.ts";
import { networkFlags, type ResolverName } from "./flags.ts";

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
export function networkSettingsOf(values: FlagValues): NetworkSettings {
  const flags = given(values, networkFlags);
  const userAgent = flags.get("user-agent");
  if (flags.has("ca") && flags.has("insecure-tls")) {
    throw new UsageError("wrong-value", "--ca and --insecure-tls cannot be combined");
  }
  return {
    userAgent,
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
