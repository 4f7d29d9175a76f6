// Finds the files to read for the paths of a command line: replaces a folder by its files, and a pattern by the files that match.
import fs, { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { UsageError } from "@robots-stream/engine";
import { reasonOf, shownWordOf } from "@robots-stream/engine/internal";
import { type DatedFile, oldestFirst } from "./rotation.ts";

/** The files that the paths of a command line select. */
export interface FoundFiles {
  readonly files: readonly string[];
  /** Sentences about entries that are not read although they may have records. */
  readonly notes: readonly string[];
  /** Sentences with the names of the files that are read, in their order, and about hidden or written files that are not read. */
  readonly details: readonly string[];
}

/**
 * Finds the files of folders and patterns; other paths stay as they are, "-" included. A path is a pattern when no file has this name and
 * it contains `*`, `?`, `[` or `{`. Rotated logs are read from the oldest to the newest (`oldestFirst`).
 *
 * Skips files that are not regular, and files that this run writes (`isWritten`); in a folder, also hidden files and subfolders. A symbolic
 * link is followed when it leads to a file under the same folder (for a pattern: the folder before its first special character). For one
 * folder or pattern, a file with several links is read once. Throws a `UsageError` for a folder or a pattern without a file to read.
 */
export function findFiles(paths: readonly string[], isWritten: (path: string) => boolean): FoundFiles {
  const found = { files: [] as string[], notes: [] as string[], details: [] as string[] };
  for (const path of paths) {
    const kind = kindOf(path);
    if (kind === "file") found.files.push(path);
    else {
      const { files, notes, details } = filesAt(path, kind, isWritten);
      found.files.push(...files);
      found.notes.push(...notes);
      const count = files.length === 1 ? "1 file" : `${files.length} files, oldest first`;
      found.details.push(
        `${shownWordOf(path)}: ${count}`,
        ...files.map((file) => `  ${shownWordOf(file)}`),
        ...details,
      );
    }
  }
  return found;
}

type Kind = "file" | "folder" | "pattern";

function kindOf(path: string): Kind {
  if (path === "-" || path === "") return "file";
  try {
    return statSync(path).isDirectory() ? "folder" : "file";
  } catch {
    // The error of a path that cannot be read is thrown where it is opened.
    return special.test(path) ? "pattern" : "file";
  }
}

const special = /[*?[{]/;

function filesAt(path: string, kind: Exclude<Kind, "file">, isWritten: (path: string) => boolean): FoundFiles {
  const [notes, details]: [string[], string[]] = [[], []];
  const [shown, isFolder] = [shownWordOf(path), kind === "folder"];
  let [folders, links, hidden] = [0, 0, 0];
  // The real path of the folder under which all files must be; links that lead out of it are not followed.
  let root: string | undefined;

  /** The file of an entry, with its real path after all links; undefined for an entry that is not read. */
  const take = (entry: string): (DatedFile & { readonly place: string; readonly isLink: boolean }) | undefined => {
    if (isFolder && basename(entry).startsWith(".")) {
      hidden++;
      return undefined;
    }
    try {
      root ??= realpathSync(isFolder ? path : fixedFolderOf(path));
      const place = realpathSync(entry);
      if (place !== root && !place.startsWith(root.endsWith(sep) ? root : root + sep)) {
        links++;
        return undefined;
      }
      const stat = statSync(place);
      if (stat.isDirectory()) folders++;
      if (!stat.isFile()) return undefined;
      if (isWritten(entry)) {
        details.push(`${shownWordOf(entry)}: is written by this run, and not read`);
        return undefined;
      }
      return { path: entry, place, modifiedMs: stat.mtimeMs, isLink: lstatSync(entry).isSymbolicLink() };
    } catch {
      // The entry was removed meanwhile, or is a link to a missing file.
      return undefined;
    }
  };

  // A link and its target are one file, which is read under the name of the target if both are entries.
  const byPlace = new Map<string, DatedFile & { readonly isLink: boolean }>();
  for (const entry of entriesOf(path, isFolder)) {
    const file = take(entry);
    if (file === undefined) continue;
    const known = byPlace.get(file.place);
    if (known === undefined || (known.isLink && !file.isLink)) byPlace.set(file.place, file);
  }
  if (links > 0) {
    const count = countOf(links, "entry", "entries");
    notes.push(`${shown}: ${count} not read, because symbolic links lead out of the folder`);
  }
  if (folders > 0 && isFolder) {
    const all = shownWordOf(join(path, "**"));
    notes.push(`${shown}: ${countOf(folders, "folder")} not read; for the files in folders, too: '${all}'`);
  }
  if (hidden > 0) details.push(`${shown}: ${countOf(hidden, "hidden entry", "hidden entries")} not read`);
  if (byPlace.size > 0) return { files: oldestFirst([...byPlace.values()]), notes, details };
  throw isFolder
    ? new UsageError("unreadable-input", `${shown}: is a folder without a file to read`, notes[0] ?? details[0])
    : new UsageError(
        "unreadable-input",
        `${shown}: no file has this name or matches this pattern`,
        notes[0] ?? "a pattern matches files, not folders; ** stands for any folders: 'logs/**/*.gz'",
      );
}

function entriesOf(path: string, isFolder: boolean): readonly string[] {
  try {
    return isFolder
      ? readdirSync(path).map((name) => join(path, name))
      : // Not a named import, which would fail in an old Node before the program can refuse that Node.
        fs.globSync(path).filter((entry) => entry !== path);
  } catch (error) {
    throw new UsageError("unreadable-input", `${shownWordOf(path)}: ${reasonOf(error)}`);
  }
}

/** The part of a pattern before the first folder or file with a special character. */
function fixedFolderOf(pattern: string): string {
  const fixed = pattern.slice(0, special.exec(pattern)?.index ?? pattern.length);
  return /[/\\]$/.test(fixed) ? fixed : dirname(`${fixed}x`);
}

function countOf(count: number, one: string, several = `${one}s`): string {
  return count === 1 ? `1 ${one} is` : `${count} ${several} are`;
}
