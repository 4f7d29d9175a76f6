// Reads the values of `--base` (for all files, for some files, or for a host that a log names) and finds the base origin of each file.
import { realpathSync } from "node:fs";
import { type Base, type HostBases, namedHostOf } from "@robots-stream/logs";
import { UsageError } from "@robots-stream/engine";
import { baseOf, shownWordOf } from "@robots-stream/engine/internal";
import { findFiles } from "./found-files.ts";

/** The base of some files. */
export interface FileBase {
  /** A file, a folder or a pattern, as on the command line. */
  readonly path: string;
  readonly base: Base;
}

/** The values of `--base`. */
export interface Bases {
  /** The base of the files that `fileBases` does not name. */
  readonly base: Base | undefined;
  readonly fileBases: readonly FileBase[];
  /** The origins of hosts; undefined when no value names a host. */
  readonly hostBases: HostBases | undefined;
}

/** Prefix of a host in a value: `host:www=https://www.shop.example`. A file whose name begins like this needs its folder: `./host:www`. */
const hostMark = "host:";

/**
 * Reads the values: `ORIGIN`, `FILE=ORIGIN` for a file, a folder or a pattern, or `host:NAME=ORIGIN`. Throws a `UsageError` for a value
 * without an http or https origin, with an empty FILE or with a NAME that is not a host; for two values for all files; and for two
 * different origins of one host.
 */
export function basesOf(values: readonly string[]): Bases {
  const fileBases: FileBase[] = [];
  const hosts = new Map<string, Base>();
  let base: Base | undefined;
  for (const value of values) {
    // An origin contains no "=", but the name of a file may. If no scheme follows the "=", the value is a mistyped origin.
    const isOfFile = /=[a-z][a-z\d+.-]{0,30}:[^=]*$/i.test(value) && !/^https?:/i.test(value);
    const equals = isOfFile ? value.lastIndexOf("=") : -1;
    const path = value.slice(0, Math.max(equals, 0));
    if (equals >= 0 && path === "") {
      const hint = "for example: --base 'logs/shop.example*=https://shop.example'";
      throw new UsageError("wrong-value", `--base ${shownWordOf(value, 100)}: names no file before =`, hint);
    }
    if (path.startsWith(hostMark))
      addHost(hosts, path, baseOf(value.slice(equals + 1), `--base ${shownWordOf(path, 100)}=`)!);
    else if (equals >= 0) {
      fileBases.push({ path, base: baseOf(value.slice(equals + 1), `--base ${shownWordOf(path, 100)}=`)! });
    } else if (base === undefined) base = baseOf(value, "--base ");
    else {
      throw new UsageError(
        "repeated-flag",
        "--base is given twice for all files",
        "name the files of each: --base 'logs/shop.example*=https://shop.example'",
      );
    }
  }
  return { base, fileBases, hostBases: hosts.size === 0 ? undefined : hosts };
}

/**
 * Adds the origin `base` of the host in `written` (`host:NAME`). Throws a `UsageError` when NAME is not a host, and when the host already
 * has another origin.
 */
function addHost(hosts: Map<string, Base>, written: string, base: Base): void {
  // A dot at the end of a host name does not change the host.
  const host = written
    .slice(hostMark.length)
    .toLowerCase()
    .replace(/(?<=[^.])\.(?=:\d{1,5}$|$)/, "");
  if (!/^(?:[^\s/?#@\\:[\]*]+|\[[\da-f:.]+\])(?::\d{1,5})?$/.test(host)) {
    throw new UsageError(
      "wrong-value",
      `--base ${shownWordOf(written, 100)}: is not a host, with or without a port`,
      "for example: --base host:www=https://www.shop.example",
    );
  }
  if (namedHostOf(host).host === undefined) {
    throw new UsageError(
      "wrong-value",
      `--base ${shownWordOf(written, 100)}: is a placeholder, which names no host`,
      "for the records that name no host: --base https://www.shop.example",
    );
  }
  const before = hosts.get(host);
  if (before !== undefined && !isSame(before, base)) {
    throw new UsageError("repeated-flag", `--base is given twice for the host ${shownWordOf(host, 100)}`);
  }
  hosts.set(host, base);
}

/** The bases of the files of a run, by path. */
export interface FoundBases {
  readonly baseOfFile: ReadonlyMap<string, Base>;
  /** Sentences about bases that apply to no file. */
  readonly notes: readonly string[];
}

/**
 * Finds the base of each file. The path of a base selects the same files as the same path on the command line. The path of a file itself
 * takes precedence over folders and patterns. Throws a `UsageError` for a file with two different bases.
 */
export function findBases(fileBases: readonly FileBase[], files: readonly string[]): FoundBases {
  const notes: string[] = [];
  const places = new Map(files.map((path) => [placeOf(path), path]));
  const found = new Map<string, { readonly from: FileBase; readonly isExact: boolean }>();
  for (const from of fileBases) {
    const named = filesOf(from.path);
    const isExact = named.length === 1 && named[0] === from.path;
    const own = named.flatMap((path) => places.get(placeOf(path)) ?? []);
    if (own.length === 0) notes.push(`--base ${shownOf(from)}: applies to no file of this run`);
    for (const path of own) {
      const before = found.get(path);
      if (before === undefined || (isExact && !before.isExact)) found.set(path, { from, isExact });
      else if (isExact === before.isExact && !isSame(before.from.base, from.base)) {
        throw new UsageError(
          "wrong-value",
          `${shownWordOf(path)}: has two bases: --base ${shownOf(before.from)} and --base ${shownOf(from)}`,
          `name the file itself: --base ${shownWordOf(path)}=ORIGIN`,
        );
      }
    }
  }
  return { baseOfFile: new Map([...found].map(([path, { from }]) => [path, from.base])), notes };
}

function shownOf({ path, base }: FileBase): string {
  return shownWordOf(`${path}=`, 200) + shownWordOf(`${base.scheme}://${base.host}`, 200);
}

function isSame(one: Base, other: Base): boolean {
  return one.scheme === other.scheme && one.host === other.host;
}

/** The files that the path of a base selects; none if nothing exists at the path. */
function filesOf(path: string): readonly string[] {
  try {
    return findFiles([path], () => false).files;
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

/** The real path of a file, so that different paths of one file are equal; the path itself if there is no file. */
function placeOf(path: string): string {
  try {
    return path === "-" ? path : realpathSync(path);
  } catch {
    return path;
  }
}
