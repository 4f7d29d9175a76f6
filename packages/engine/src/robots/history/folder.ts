// Reads a folder of saved robots.txt files as observations. The names of the files contain the host and perhaps the time.
import { hint, option, optionText } from "../../common/caller-words.ts";
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { reasonOf, UsageError } from "../../common/errors.ts";
import { readFileStart } from "../../files/open-file.ts";
import type { UsedFiles } from "../../files/used-files.ts";
import { locateUrl } from "../../common/target.ts";
import { type Period, periodOf } from "../../common/times.ts";
import { printableOf, shownWordOf } from "../../common/text.ts";
import { FirstTold } from "../first-told.ts";
import { checkFileOfFolder } from "../saved-kind.ts";
import type { SeenRobots } from "./seen-robots.ts";

export interface FolderOptions {
  readonly from: "robots" | "robotsHistory" | "candidate";
  /** True: only files with a time in their names are read. False: only files without one. */
  readonly isDated: boolean;
  /** Whether a file whose name has no scheme applies to https only, so that no site counts twice; false by default. */
  readonly isOnce?: boolean | undefined;
  /** Limit of the bytes read from each file. */
  readonly maxBytes: number;
  readonly used: UsedFiles;
  readonly say: (sentence: string) => void;
}

/** The parts of a file's name. The file applies to each of `origins`. */
interface SavedName {
  readonly name: string;
  readonly origins: readonly string[];
  /** The time in the name: a date alone stands for an unknown second of that day. */
  readonly time: Period | undefined;
  /** The HTTP status in the name; undefined for a file whose content is read. */
  readonly status: number | undefined;
}

/**
 * Adds the files of a folder to `seen`. A file whose name has no scheme applies to https and http, or to https (`isOnce`). Files whose names have another form are
 * ignored, and `say` is called with the name of the first one and the number of the others. Throws a `UsageError` for a folder that cannot
 * be read or has no file to add.
 */
export function readFolder(seen: SeenRobots, path: string, options: FolderOptions): void {
  const { from, isDated, isOnce = false, maxBytes, used, say } = options;
  const shown = optionText(from, shownWordOf(path));
  const entries = entriesOf(path, shown);
  const names = entries.map(({ name }) => name).toSorted();
  const visible = names.filter((name) => !name.startsWith("."));
  const schemes = isOnce ? ["https"] : ["https", "http"];
  const all = visible.flatMap((name) => savedNameOf(name, schemes) ?? []);
  const saved = all.filter((each) => isDated === (each.time !== undefined));
  const known = new Set(saved.map(({ name }) => name));
  const check = used.checkOfFolder(path, shown, (name) => known.has(name));
  for (const entry of entries) if (known.has(entry.name)) check?.(entry.name, entry.isSymbolicLink());
  if (saved.length === 0) {
    const example = isDated ? "example.com@2026-03-01T00:00:00Z.txt" : "example.com.txt";
    const [kind, other] = isDated ? (["without", "robots"] as const) : (["with", "robotsHistory"] as const);
    throw new UsageError(
      "unusable-robots",
      `${shown}: no file has a name like ${example}`,
      all.length === 0 || from === "candidate" ? undefined : hint`files ${kind} a time: ${option(other, "DIR")}`,
    );
  }
  const ignored = visible.filter((name) => !known.has(name));
  if (ignored.length > 0) {
    const more = ignored.length > 1 ? ` and ${ignored.length - 1} more` : "";
    say(
      `${printableOf(ignored[0]!)}${more} in ${shownWordOf(path)}: ignored, not named after an origin${isDated ? " and a time" : ""}`,
    );
  }
  const told = new FirstTold(say);
  const tell = (sentence: string): void => told.tell(sentence);
  for (const { name, origins, time, status } of saved) {
    const body = status === undefined ? bodyOf(join(path, name), shown, maxBytes, tell) : undefined;
    for (const origin of origins) {
      if (body !== undefined) seen.addFile(origin, time, body);
      else if (status !== undefined) seen.addStatus(origin, time, status);
    }
  }
  if (told.left > 0) say(`${shown}: ${told.left} more web pages or binary files allow every URL`);
}

function entriesOf(path: string, shown: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    throw new UsageError("unusable-robots", `${shown}: ${reasonOf(error)}`);
  }
}

function bodyOf(path: string, shown: string, maxBytes: number, warn: (sentence: string) => void): Uint8Array {
  try {
    const bytes = readFileStart(path, maxBytes + 1);
    checkFileOfFolder(path, bytes, warn);
    return bytes;
  } catch (error) {
    throw new UsageError("unusable-robots", `${shown}: ${printableOf(path)}: ${reasonOf(error)}`);
  }
}

/** The form of names: `https@example.com@8443@2026-03-01T00:00:00Z.txt`; scheme, port and time are optional. */
const savedName =
  /^(?:(?<scheme>https?)@)?(?<host>\[[0-9a-f.-]+\]|[^@]+?)(?:@(?<port>\d{1,5}))?(?:@(?<time>\d{4}-\d\d-\d\d(?:T\d\d(?::?\d\d(?::?\d\d(?:[.,]\d{1,9})?)?)?(?:Z|[+-]\d\d:?\d\d)?)?))?\.(?:txt|(?<status>[45]\d\d))$/i;

/** The parts of a file's name; undefined for a name of another form. `unnamed`: the schemes of a name without one. */
function savedNameOf(name: string, unnamed: readonly string[]): SavedName | undefined {
  const { scheme, host = "", port, time: written, status } = savedName.exec(name)?.groups ?? {};
  if (host === "") return undefined;
  const time = written === undefined ? undefined : periodOf(written);
  if (written !== undefined && time === undefined) return undefined;
  const authority = (host.startsWith("[") ? host.replaceAll("-", ":") : host) + (port === undefined ? "" : `:${port}`);
  const schemes = scheme === undefined ? unnamed : [scheme.toLowerCase()];
  const origins = schemes.flatMap((each) => {
    const located = locateUrl(`${each}://${authority}/`);
    return typeof located === "string" ? [] : [located.origin];
  });
  if (origins.length === 0) return undefined;
  return {
    name,
    origins,
    time,
    status: status === undefined ? undefined : Number(status),
  };
}
