// Reads and writes the folder of range files. Each version of a list is one file with the operator's unchanged bytes, named
// NAME@2026-11-22T10-00-00Z.json.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "@robots-stream/engine";
import { shownWordOf, type UsedFiles } from "@robots-stream/engine/internal";
import { mostFileCharacters } from "@robots-stream/verify";
import { cachePlaceOf } from "../cache/settings.ts";

/** A range file in the folder. */
export interface StoredRanges {
  /** The name of the list. */
  readonly name: string;
  /** When the list was fetched, in milliseconds since the epoch; undefined for a file without a time in its name. */
  readonly fetchedAtMs: number | undefined;
  readonly path: string;
}

/** Maximum number of versions of a list that are read: about three months of daily versions. */
const mostVersions = 100;

const fileName = /^([a-z0-9-]{1,60})(?:@(\d{4}-\d\d-\d\d)(?:T(\d\d)[-:](\d\d)[-:](\d\d)Z)?)?\.(?:json|txt)$/;

/**
 * The folder that `--ranges` names, else a folder beside the cache's database. Throws a `UsageError` when `--ranges` is empty, and when it
 * is absent and the cache is off or on a server.
 */
export function rangeFolderOf(
  rangesText: string | undefined,
  cacheText: string | undefined,
  env: NodeJS.ProcessEnv,
): string {
  if (rangesText === "") throw new UsageError("wrong-value", "--ranges must not be empty");
  if (rangesText !== undefined) return rangesText;
  const place = cachePlaceOf(cacheText, env);
  if (place.kind === "file") return join(dirname(place.path), "ranges");
  throw new UsageError(
    "wrong-value",
    "address lists need a folder, and the cache is off or on a server",
    "name a folder: --ranges DIR",
  );
}

/**
 * The files of a folder, sorted by the list's name and then from the newest version to the oldest. Returns at most `mostVersions` files of
 * each list, and none when the folder does not exist. Throws a `UsageError` for a folder that cannot be read. With `used`, also throws for
 * a file that the command also writes.
 */
export function storedRangesIn(folder: string, used?: Pick<UsedFiles, "checkOfFolder">): readonly StoredRanges[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new UsageError(
      "unreadable-input",
      `--ranges: the folder cannot be read (${String((error as NodeJS.ErrnoException).code)})`,
    );
  }
  const check = used?.checkOfFolder(folder, `--ranges ${shownWordOf(folder)}`, (name) => fileName.test(name));
  const found = names.flatMap((file): readonly StoredRanges[] => {
    const [, name, day, hour = "00", minute = "00", second = "00"] = fileName.exec(file) ?? [];
    if (name === undefined) return [];
    check?.(file, true);
    const ms = day === undefined ? undefined : Date.parse(`${day}T${hour}:${minute}:${second}Z`);
    return Number.isNaN(ms) ? [] : [{ name, fetchedAtMs: ms, path: join(folder, file) }];
  });
  const sorted = found.toSorted((one, other) =>
    one.name < other.name ? -1 : one.name > other.name ? 1 : (other.fetchedAtMs ?? 0) - (one.fetchedAtMs ?? 0),
  );
  const counts = new Map<string, number>();
  return sorted.filter(({ name }) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count <= mostVersions;
  });
}

/** The text of a stored file; "" for a file that cannot be read or is too long. */
export function textOfStored({ path }: StoredRanges): string {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= mostFileCharacters ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}

/**
 * Stores a version of a list. `fetchedAtMs`: when it was fetched, or for an imported list when it was published. When three consecutive
 * versions are equal, the middle version is removed, because this version adds no information. Throws a `UsageError` when the folder
 * cannot be written.
 */
export function storeRanges(folder: string, name: string, body: string, fetchedAtMs: number): void {
  const [last, before] = storedRangesIn(folder).filter((stored) => stored.name === name);
  const time = new Date(fetchedAtMs).toISOString().slice(0, 19).replaceAll(":", "-");
  const path = join(folder, `${name}@${time}Z.json`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const part = `${path}.${process.pid}.part`;
    writeFileSync(part, body, { mode: 0o600, flag: "wx" });
    renameSync(part, path);
    const isLater = (last?.fetchedAtMs ?? Infinity) < fetchedAtMs;
    if (isLater && before !== undefined && textOfStored(last!) === body && textOfStored(before) === body)
      rmSync(last!.path);
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    throw new UsageError(
      "unusable-output",
      `the folder of range files cannot be written (${code})`,
      "name another: --ranges DIR",
    );
  }
}
