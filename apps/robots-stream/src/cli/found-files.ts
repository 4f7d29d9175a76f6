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
    else addFiles(found, new Finding(path, kind, isWritten));
  }
  return found;
}

function addFiles(
  found: { readonly files: string[]; readonly notes: string[]; readonly details: string[] },
  finding: Finding,
): void {
  const files = finding.files();
  found.files.push(...files);
  found.notes.push(...finding.notes);
  const shown = shownWordOf(finding.path);
  found.details.push(`${shown}: ${files.length === 1 ? "1 file" : `${files.length} files, oldest first`}`);
  for (const file of files) found.details.push(`  ${shownWordOf(file)}`);
  found.details.push(...finding.details);
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

/** The special characters of patterns. */
const special = /[*?[{]/;

/** The search for the files of one folder or pattern. */
class Finding {
  readonly path: string;
  readonly notes: string[] = [];
  readonly details: string[] = [];
  readonly #kind: Exclude<Kind, "file">;
  readonly #isWritten: (path: string) => boolean;
  #rootPath: string | undefined;
  #folders = 0;
  #links = 0;
  #hidden = 0;

  constructor(path: string, kind: Exclude<Kind, "file">, isWritten: (path: string) => boolean) {
    this.path = path;
    this.#kind = kind;
    this.#isWritten = isWritten;
  }

  files(): string[] {
    const shown = shownWordOf(this.path);
    // A link and its target are one file, which is read under the name of the target if both are entries.
    const byPlace = new Map<string, DatedFile & { readonly isLink: boolean }>();
    for (const path of this.#entries()) {
      const file = this.#take(path);
      if (file === undefined) continue;
      const known = byPlace.get(file.place);
      if (known === undefined || (known.isLink && !file.isLink)) byPlace.set(file.place, file);
    }
    if (this.#links > 0) {
      this.notes.push(
        `${shown}: ${countOf(this.#links, "entry", "entries")} not read, because symbolic links lead out of the folder`,
      );
    }
    if (this.#folders > 0 && this.#kind === "folder") {
      const all = shownWordOf(join(this.path, "**"));
      this.notes.push(
        `${shown}: ${countOf(this.#folders, "folder")} not read; for the files in folders, too: '${all}'`,
      );
    }
    if (this.#hidden > 0)
      this.details.push(`${shown}: ${countOf(this.#hidden, "hidden entry", "hidden entries")} not read`);
    if (byPlace.size === 0) throw this.#nothing();
    return oldestFirst([...byPlace.values()]);
  }

  #entries(): string[] {
    try {
      return this.#kind === "folder"
        ? readdirSync(this.path).map((name) => join(this.path, name))
        : // Not a named import, which would fail in an old Node before the program can refuse that Node.
          fs.globSync(this.path).filter((path) => path !== this.path);
    } catch (error) {
      throw new UsageError("unreadable-input", `${shownWordOf(this.path)}: ${reasonOf(error)}`);
    }
  }

  /** The file of an entry, with its real path after all links; undefined for an entry that is not read. */
  #take(path: string): (DatedFile & { readonly place: string; readonly isLink: boolean }) | undefined {
    if (this.#kind === "folder" && basename(path).startsWith(".")) {
      this.#hidden++;
      return undefined;
    }
    try {
      const root = this.#root();
      const place = realpathSync(path);
      if (place !== root && !place.startsWith(root.endsWith(sep) ? root : root + sep)) {
        this.#links++;
        return undefined;
      }
      const stat = statSync(place);
      if (stat.isDirectory()) this.#folders++;
      if (!stat.isFile()) return undefined;
      if (this.#isWritten(path)) {
        this.details.push(`${shownWordOf(path)}: is written by this run, and not read`);
        return undefined;
      }
      return { path, place, modifiedMs: stat.mtimeMs, isLink: lstatSync(path).isSymbolicLink() };
    } catch {
      // The entry was removed meanwhile, or is a link to a missing file.
      return undefined;
    }
  }

  /** The real path of the folder under which all files must be; links that lead out of it are not followed. */
  #root(): string {
    const { path } = this;
    return (this.#rootPath ??= realpathSync(this.#kind === "folder" ? path : fixedFolderOf(path)));
  }

  #nothing(): UsageError {
    const shown = shownWordOf(this.path);
    const [note] = this.notes;
    if (this.#kind === "pattern") {
      const hint = note ?? "a pattern matches files, not folders; ** stands for any folders: 'logs/**/*.gz'";
      return new UsageError("unreadable-input", `${shown}: no file has this name or matches this pattern`, hint);
    }
    return new UsageError("unreadable-input", `${shown}: is a folder without a file to read`, note ?? this.details[0]);
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
