// Determines the place of the cache from `--cache`, an environment variable or the conventions of the system.
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { UsageError } from "@robots-stream/engine";
import { printableOf } from "@robots-stream/engine/internal";

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
