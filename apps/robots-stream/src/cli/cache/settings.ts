// The flags of the cache, their settings, and the place of the cache. Messages of UsageErrors never quote a URL, because a URL may contain a password.
import { UsageError } from "@robots-stream/engine";
import type { AccessPolicyName } from "@robots-stream/fetch";
import { notTogether } from "../command-line.ts";
import { flag, type FlagValues, type Given, given } from "../flag.ts";
import { age, sizeFrom } from "../values.ts";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { printableOf } from "@robots-stream/engine/internal";

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
export function cacheSettingsOf(values: FlagValues) {
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

export type CacheSettings = Readonly<ReturnType<typeof cacheSettingsOf>>;

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

/** Where the cache keeps fetched robots.txt files. */
export type CachePlace =
  | { readonly kind: "none" }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "redis"; readonly url: string };

/** The database file in a cache's folder. While the database is open, SQLite keeps its log and index files in the same folder. */
const fileName = "robots.sqlite";

/**
 * The place that `--cache` names, else the place that the variable ROBOTS_STREAM_CACHE names, else the user's cache folder; "none" if there
 * is no such folder. Throws a `UsageError` for a URL or a similar text that is not the address of a Redis server; the message omits the
 * text, which may contain a password.
 */
export function cachePlaceOf(
  text: string | undefined,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): CachePlace {
  const said = text ?? (env["ROBOTS_STREAM_CACHE"] || undefined);
  if (said === undefined) {
    const folder = userCacheFolder(env, platform);
    return folder === undefined ? { kind: "none" } : { kind: "file", path: join(folder, fileName) };
  }
  if (said === "none") return { kind: "none" };
  if (isRedisUrl(said)) return { kind: "redis", url: said };
  const where = text === undefined ? "ROBOTS_STREAM_CACHE" : "--cache";
  if (isServerLike(said, platform)) {
    throw new UsageError(
      "wrong-value",
      `${where}: this is not the URL of a Redis or Valkey server`,
      "for example: --cache redis://localhost:6379/0; for a folder of that name: --cache ./NAME",
    );
  }
  // The scheme needs two characters, because one letter and a colon are a Windows drive.
  const [, scheme] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(said) ?? [];
  if (scheme !== undefined) {
    throw new UsageError(
      "wrong-value",
      `${where}: ${printableOf(scheme, 20)}:// is not supported as a cache`,
      "for example: --cache redis://localhost:6379/0",
    );
  }
  return { kind: "file", path: join(resolve(said), fileName) };
}

/**
 * Whether a text is a URL `redis://[user[:password]@]host[:port][/database]`, or the same with `rediss:`. The query and the fragment must
 * not contain an `@`.
 */
function isRedisUrl(text: string): boolean {
  if (!/^rediss?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password, hostname, pathname, search, hash } = new URL(text);
  try {
    decodeURIComponent(username + password);
  } catch {
    return false;
  }
  return hostname !== "" && /^\/?\d*$/.test(pathname) && !`${search}${hash}`.includes("@");
}

/**
 * Whether a text was probably meant as the address of a server: it begins with the scheme of a Redis server, or has a colon and an @ where
 * a URL has its user and password. If such a text became the name of a folder, the folder's name would contain the password.
 */
function isServerLike(text: string, platform: NodeJS.Platform): boolean {
  if (/^["'\s\p{Cc}]*(?:redis|valkey)s?\s*:/iu.test(text)) return true;
  const isDrive = platform === "win32" && /^[a-z]:/i.test(text);
  return !isDrive && /(?:^|\/\/)[^/\\]*:[^/\\]*@/.test(text);
}

/**
 * The folder for caches by the conventions of the system: XDG base directories, macOS's Library, or Windows's AppData. Undefined if
 * neither a variable of the environment nor a home directory determines the folder.
 */
function userCacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  if (platform === "win32") {
    const local = env["LOCALAPPDATA"] ?? (env["USERPROFILE"] && join(env["USERPROFILE"], "AppData", "Local"));
    return local === undefined || local === "" ? undefined : join(local, "robots-stream", "Cache");
  }
  const home = env["HOME"] || homeOf();
  if (platform === "darwin") return home === undefined ? undefined : join(home, "Library", "Caches", "robots-stream");
  // The XDG specification requires that a relative path is ignored.
  const base = env["XDG_CACHE_HOME"];
  if (base !== undefined && isAbsolute(base)) return join(base, "robots-stream");
  return home === undefined ? undefined : join(home, ".cache", "robots-stream");
}

function homeOf(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}

/** The text of a place for messages, without control characters; a URL is shown without user and password. */
export function shownPlace(place: CachePlace): string {
  if (place.kind === "none") return "none";
  if (place.kind === "file") return printableOf(place.path, 500);
  const { protocol, host, pathname } = new URL(place.url);
  return printableOf(`${protocol}//${host}${pathname}`, 200);
}
