// The flags that speak about the cache in, its settings out; or the mistake, in words that help and without a password.
import { notTogether } from "../command-line.ts";
import { shownWordOf, UsageError } from "@robots-stream/engine/internal";
import type { ParsedFlags } from "../../commands/decide/flags.ts";
import { bytesOfSize, msOfTime } from "../values.ts";

/** What the flags say about the cache. */
export interface CacheSettings {
  /** The value of `--cache`: a folder, a URL or "none"; undefined without the flag. */
  readonly text: string | undefined;
  readonly maxBytes: number | undefined;
  /** What `--max-age` says. */
  readonly maxAgeMs: number | undefined;
  readonly isOffline: boolean;
  readonly isRefreshed: boolean;
}

/** What `--cache-max-bytes` allows. */
const minBytes = 1_048_576;
const maxBytes = 1_099_511_627_776;

/** Reads the values of the flags. Throws a `UsageError` for the first one that cannot be, or not with another. */
export function cacheSettingsOf(values: ParsedFlags["values"]): CacheSettings {
  const last = (name: Parameters<typeof values.get>[0]): string | undefined => values.get(name)?.at(-1);
  refuseTogether(values);
  const text = last("cache");
  if (text === "") throw new UsageError("wrong-value", "--cache must not be empty", "without a cache: --cache none");
  const maxAge = last("max-age");
  return {
    text,
    maxBytes: cacheBytesOf(last("cache-max-bytes")),
    maxAgeMs: maxAge === undefined ? undefined : timeOf("max-age", maxAge),
    isOffline: values.has("offline"),
    isRefreshed: values.has("refresh"),
  };
}

const cacheFlags = ["cache", "cache-max-bytes", "max-age", "offline", "refresh"] as const;

/** Pairs of which one says that the other does nothing. */
function refuseTogether(values: ParsedFlags["values"]): void {
  const given = cacheFlags.find((name) => values.has(name));
  if (values.has("robots") && given !== undefined) {
    throw notTogether("robots", given, "saved files are asked, and neither the network nor the cache");
  }
  if (values.has("offline") && values.has("refresh"))
    throw notTogether("offline", "refresh", "one asks nobody, the other all");
  if (values.has("max-age") && values.has("offline"))
    throw notTogether("offline", "max-age", "offline, any age will do");
  if (values.has("max-age") && values.has("refresh"))
    throw notTogether("refresh", "max-age", "nothing is taken from the cache");
  if (values.get("cache")?.at(-1) === "none") {
    const other = cacheFlags.slice(1).find((name) => values.has(name));
    if (other !== undefined) throw new UsageError("wrong-value", `--${other} needs a cache, and --cache none says no`);
  }
}

/** Reads `--cache-max-bytes`. */
export function cacheBytesOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const bytes = bytesOfSize(text);
  if (bytes >= minBytes && bytes <= maxBytes) return bytes;
  throw new UsageError(
    "wrong-value",
    `--cache-max-bytes ${shownWordOf(text, 60)}: must be a size from 1M to 1024G, like 500M or 2G`,
  );
}

/** Reads a time like "30m". */
export function timeOf(flag: "max-age" | "older-than", text: string): number {
  const ms = msOfTime(text);
  if (ms >= 0 && ms <= 3_650 * 86_400_000) return ms;
  throw new UsageError("wrong-value", `--${flag} ${shownWordOf(text, 60)}: must be a time like 90s, 30m, 12h or 7d`);
}
