// The flags of the cache, and their settings. Messages of UsageErrors never quote a URL, because a URL may contain a password.
import { UsageError } from "@robots-stream/engine";
import type { AccessPolicyName } from "@robots-stream/fetch";
import { notTogether } from "../command-line.ts";
import { flag, type FlagValues, type Given, given } from "../flag.ts";
import { age, sizeFrom } from "../values.ts";

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

export const cacheMaxBytesFlag = flag({
  name: "cache-max-bytes",
  value: "SIZE",
  about: "Maximum size of the cache; the oldest fetches are removed first.",
  otherwise: "1G",
  mayChange: true,
  read: sizeFrom("1M", "1024G"),
});

/** For commands that use the cache as a folder. */
export const cacheFolderFlag = flag({
  name: "cache",
  value: "DIR",
  about: "Folder of the cache.",
  otherwise: "$ROBOTS_STREAM_CACHE, else the user's folder for caches",
});

/** The flags of the cache, in the order of the help. */
export const cacheFlags = [
  flag({
    name: "cache",
    value: "DIR|URL|none",
    about: "Where to keep fetched robots.txt files between runs: a folder, redis://host:port, or none.",
    otherwise: "$ROBOTS_STREAM_CACHE, else the user's folder for caches",
    mayChange: true,
    read(text) {
      if (text === "")
        throw new UsageError("wrong-value", "--cache must not be empty", "without a cache: --cache none");
      return text;
    },
  }),
  flag({
    name: "cache-required",
    about:
      "Stop with exit code 3 if the cache fails. For a cache that processes share, so that each origin is requested once.",
    otherwise: "a warning, and every process requests for itself",
    mayChange: true,
  }),
  cacheMaxBytesFlag,
  flag({
    name: "max-age",
    value: "AGE",
    about:
      "Use only cache entries younger than this: 90s, 30m, 12h, 7d. Origins that were unreachable are fetched again sooner.",
    otherwise: "until the time that the server sets, at most --max-fresh",
    mayChange: true,
    read: age,
  }),
  flag({
    name: "max-fresh",
    value: "AGE",
    about:
      "Maximum time for which a server's max-age keeps a cache entry fresh. More than 24h needs --access-policy google.",
    otherwise: "24h",
    mayChange: true,
    read: age,
  }),
  flag({
    name: "offline",
    about:
      "Use only the cache, with entries of any age. Origins without a readable entry are unreachable (code not-cached).",
  }),
  flag({ name: "refresh", about: "Fetch every origin again, and store the results in the cache.", mayChange: true }),
];

/** Reads the flags. Throws a `UsageError` for the first invalid value and for flags that exclude each other. */
export function cacheSettingsOf(values: FlagValues): CacheSettings {
  const flags = given(values, cacheFlags);
  refuseTogether(flags, values.has("robots"));
  return {
    text: flags.get("cache"),
    isRequired: flags.get("cache-required"),
    maxBytes: flags.get("cache-max-bytes"),
    maxAgeMs: flags.get("max-age"),
    maxFreshMs: flags.get("max-fresh"),
    isOffline: flags.get("offline"),
    isRefreshed: flags.get("refresh"),
  };
}

/** Throws a `UsageError` for two flags that cannot be combined, because one flag makes the other useless. */
function refuseTogether(flags: Given<(typeof cacheFlags)[number]>, isSaved: boolean): void {
  const names = cacheFlags.map(({ name }) => name);
  const one = flags.first(...names);
  if (isSaved && one !== undefined) throw notTogether("robots", one, "saved files replace the network and the cache");
  if (flags.has("offline") && flags.has("refresh"))
    throw notTogether("offline", "refresh", "--offline sends no requests, --refresh fetches every origin");
  if (flags.has("max-age") && flags.has("offline"))
    throw notTogether("offline", "max-age", "--offline uses entries of any age");
  if (flags.has("max-age") && flags.has("refresh"))
    throw notTogether("refresh", "max-age", "--refresh uses no cache entries");
  for (const name of ["offline", "max-age"] as const) {
    if (flags.has("max-fresh") && flags.has(name))
      throw notTogether(name, "max-fresh", `--${name} uses entries whether they are fresh or not`);
  }
  if (flags.get("cache") === "none") {
    const other = flags.first(...names.slice(1));
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
