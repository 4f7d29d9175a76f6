// Reads the flags of the cache into its settings. Messages of UsageErrors never quote a URL, because a URL may contain a password.
import { UsageError } from "@robots-stream/engine";
import type { AccessPolicyName } from "@robots-stream/fetch";
import { type FlagValues, lastOf, notTogether } from "../command-line.ts";
import { sizeOf, timeOf } from "../values.ts";

export interface CacheSettings {
  /** The value of `--cache`: a folder, a URL or "none"; undefined without the flag. */
  readonly text: string | undefined;
  /** Whether the run stops if the cache fails, instead of continuing without it. */
  readonly isRequired: boolean;
  readonly maxBytes: number | undefined;
  readonly maxAgeMs: number | undefined;
  readonly maxFreshMs: number | undefined;
  readonly isOffline: boolean;
  readonly isRefreshed: boolean;
}

const cacheFlags = [
  "cache",
  "cache-required",
  "cache-max-bytes",
  "max-age",
  "max-fresh",
  "offline",
  "refresh",
] as const;

/** The flags of the cache, and `--robots`, which cannot be combined with them. */
export type CacheFlagName = (typeof cacheFlags)[number] | "robots";

/** Reads the flags. Throws a `UsageError` for the first invalid value and for flags that exclude each other. */
export function cacheSettingsOf(values: FlagValues<CacheFlagName>): CacheSettings {
  refuseTogether(values);
  const text = lastOf(values, "cache");
  if (text === "") throw new UsageError("wrong-value", "--cache must not be empty", "without a cache: --cache none");
  const maxAge = lastOf(values, "max-age");
  const maxFresh = lastOf(values, "max-fresh");
  return {
    text,
    isRequired: values.has("cache-required"),
    maxBytes: cacheBytesOf(lastOf(values, "cache-max-bytes")),
    maxAgeMs: maxAge === undefined ? undefined : timeOf("max-age", maxAge),
    maxFreshMs: maxFresh === undefined ? undefined : timeOf("max-fresh", maxFresh),
    isOffline: values.has("offline"),
    isRefreshed: values.has("refresh"),
  };
}

/** Throws a `UsageError` for two flags that cannot be combined, because one flag makes the other useless. */
function refuseTogether(values: FlagValues<CacheFlagName>): void {
  const given = cacheFlags.find((name) => values.has(name));
  if (values.has("robots") && given !== undefined) {
    throw notTogether("robots", given, "saved files replace the network and the cache");
  }
  if (values.has("offline") && values.has("refresh"))
    throw notTogether("offline", "refresh", "--offline sends no requests, --refresh fetches every origin");
  if (values.has("max-age") && values.has("offline"))
    throw notTogether("offline", "max-age", "--offline uses entries of any age");
  if (values.has("max-age") && values.has("refresh"))
    throw notTogether("refresh", "max-age", "--refresh uses no cache entries");
  for (const name of ["offline", "max-age"] as const) {
    if (values.has("max-fresh") && values.has(name))
      throw notTogether(name, "max-fresh", `--${name} uses entries whether they are fresh or not`);
  }
  if (values.get("cache")?.at(-1) === "none") {
    const other = cacheFlags.slice(1).find((name) => values.has(name));
    if (other !== undefined)
      throw new UsageError("wrong-value", `--${other} needs a cache, and --cache none turns it off`);
  }
}

const dayMs = 86_400_000;

/** Throws a `UsageError` when cache entries would stay fresh longer than the access policy allows (RFC 9309 §2.4). */
export function refuseLongFreshness({ maxFreshMs = 0 }: CacheSettings, accessPolicy: AccessPolicyName): void {
  if (maxFreshMs <= dayMs || accessPolicy !== "rfc9309") return;
  throw new UsageError(
    "wrong-value",
    "--max-fresh of more than 24h and --access-policy rfc9309 cannot be combined: RFC 9309 §2.4 limits caching to 24 hours",
  );
}

/** Converts the value of `--cache-max-bytes` to bytes; undefined without the flag. Throws a `UsageError` for an invalid value. */
export function cacheBytesOf(text: string | undefined): number | undefined {
  return sizeOf("cache-max-bytes", text, { least: "1M", most: "1024G" });
}
