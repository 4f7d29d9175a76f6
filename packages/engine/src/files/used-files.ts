// Checks the files that a command reads and writes: no output may be the same file as an input or as another output. A regular file is
// identified by device and inode; a missing one by the folder and name where it would be created.
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { UsageError } from "../common/errors.ts";
import { type BigIntStats, fstatSync, readlinkSync, realpathSync, statSync } from "node:fs";

/** The identity of an existing regular file, or of the folder and name of a file that does not exist yet. */
interface FileIdentity {
  /** Paths have equal keys when they lead to the same file, and otherwise different keys; `identityOfPath` describes an exception. */
  readonly key: string;
  /** Number of hard links of the file; 0 for a file that does not exist. */
  readonly links: number;
}

/** A folder and a name in it. */
interface FilePlaceInFolder {
  /** The key of the folder. */
  readonly folder: string;
  readonly name: string;
}

/** Maximum number of symbolic links that are followed one after another, as on Linux. */
const mostHops = 40;

/**
 * The identity of the regular file that a path leads to; undefined for other kinds (pipe, device, folder), and where the system gives no
 * identity. Two paths that differ only in case have different keys while no file exists, even where the file system ignores case;
 * `UsedFiles.opened` detects that they lead to one file.
 */
function identityOfPath(path: string): FileIdentity | undefined {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (stat !== undefined) return identityOf(stat, () => realpathSync(path));
    const target = targetOf(path);
    const folder = folderKeyOf(dirname(target));
    return folder === undefined ? undefined : { key: `${folder} ${basename(target)}`, links: 0 };
  } catch {
    return undefined;
  }
}

/** The identity of an open file; undefined unless it is a regular file. */
function identityOfDescriptor(fd: number): FileIdentity | undefined {
  try {
    return identityOf(fstatSync(fd, { bigint: true }), () => `descriptor ${fd}`);
  } catch {
    return undefined;
  }
}

/** The key of a folder; undefined when it does not exist. */
function folderKeyOf(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? undefined : keyOf(stat, () => realpathSync(path));
}

/**
 * The folder and the name of the file that a path leads to, whether or not it exists; undefined where the system gives no
 * identity.
 */
function placeOfPath(path: string): FilePlaceInFolder | undefined {
  try {
    const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
    const target = isThere ? realpathSync(path) : targetOf(path);
    const folder = folderKeyOf(dirname(target));
    return folder === undefined ? undefined : { folder, name: basename(target) };
  } catch {
    return undefined;
  }
}

/** Like `placeOfPath`, for an open file. Always undefined except on Linux with /proc. */
function placeOfDescriptor(fd: number): FilePlaceInFolder | undefined {
  try {
    const path = readlinkSync(`/proc/self/fd/${fd}`);
    const isSame = identityOfPath(path)?.key === identityOfDescriptor(fd)?.key;
    return isSame ? placeOfPath(path) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The path after following the symbolic link at `path`, the link at its target and so on, whether or not a file is at the end. Links among
 * the folders of the path are not replaced.
 */
export function targetOf(path: string): string {
  let at = path;
  for (let hops = 0; hops < mostHops; hops++) {
    let link: string;
    try {
      link = readlinkSync(at);
    } catch {
      // Not a link, or nothing is there.
      return at;
    }
    // Not `join`, which would resolve ".." as text: after a link to a folder, only the system resolves it correctly.
    at = isAbsolute(link) ? link : `${realpathSync(dirname(at))}${sep}${link}`;
  }
  return at;
}

function identityOf(stat: BigIntStats, pathOf: () => string): FileIdentity | undefined {
  return stat.isFile() ? { key: keyOf(stat, pathOf), links: Number(stat.nlink) } : undefined;
}

/** The key of a file or a folder: device and inode, or the path on network drives of Windows that have no inode numbers. */
function keyOf({ dev, ino }: BigIntStats, pathOf: () => string): string {
  return ino === 0n ? `path ${pathOf()}` : `${dev}:${ino}`;
}

/** A file that a command uses: by a path, or by a descriptor that the process was started with. */
export interface UsedFile {
  /** What names the file, for messages: an option and the path. */
  readonly shown: string;
  readonly use: "reads" | "writes";
  readonly at: string | number;
}

/** Checks one entry of a folder that the command reads; throws a `UsageError` when the entry is a file that the command writes. */
export type EntryCheck = (name: string, isLink: boolean) => void;

interface Known {
  readonly file: UsedFile;
  identity: FileIdentity | undefined;
}

/**
 * The files that a command reads and writes. Files are compared by device and inode, so that links and other spellings of a path equal the
 * file that they lead to. A file that does not exist yet is compared by its folder and name. Only regular files are compared: two outputs
 * may go to one terminal, pipe or /dev/null. On Windows, volume and file index take the place of device and inode (not tested). A file that
 * is mounted over another one is not detected.
 */
export class UsedFiles {
  readonly #known: readonly Known[];
  /** The files with the same identity, by its key. */
  readonly #byKey = new Map<string, Set<Known>>();

  constructor(files: readonly UsedFile[]) {
    this.#known = files.map((file) => ({ file, identity: undefined }));
  }

  /**
   * Call this before any file is opened for writing. Throws a `UsageError` ("same-file") that names both uses when a file that is written
   * is also read, or is written twice.
   */
  check(): void {
    for (const known of this.#known) if (known.file.use === "writes") this.#identify(known, identityOfUse(known.file));
    // When the command writes only to pipes and terminals, it cannot overwrite a file.
    if (this.#known.every(({ identity }) => identity === undefined)) return;
    for (const known of this.#known) if (known.file.use === "reads") this.#identify(known, identityOfUse(known.file));
    for (const known of this.#known) this.#refuseOthersOf(known);
  }

  /** Whether a path leads to a file that is written. */
  isWritten(path: string): boolean {
    const key = identityOfPath(path)?.key;
    return (
      key !== undefined && this.#known.some(({ file }) => file.use === "writes" && identityOfUse(file)?.key === key)
    );
  }

  /**
   * Call this for a file that is written, after it was opened and before it is changed. Compares the file with the other files again,
   * because its path may lead to another file than at the time of `check`, or the file system may ignore case in names. Throws as `check`
   * does.
   */
  opened(path: string, fd: number): void {
    const known = this.#known.find(({ file }) => file.at === path && file.use === "writes");
    if (known === undefined) throw new Error(`${path} is not among the files that are written`);
    this.#identify(known, identityOfDescriptor(fd));
    this.#refuseOthersOf(known);
  }

  /**
   * Returns a check to call for each entry in a folder if `isRead` accepts the entry's name; undefined when no entry needs a check. Throws
   * at once when the command writes a file in this folder whose name `isRead` accepts.
   *
   * Normally, the check calls stat only for symbolic links. It calls stat for every entry when a file that is written has several hard
   * links, or is a descriptor whose name the system cannot give (stdout to a file, except on Linux).
   */
  checkOfFolder(folder: string, shown: string, isRead: (name: string) => boolean): EntryCheck | undefined {
    const written = this.#known.filter(({ file, identity }) => file.use === "writes" && identity !== undefined);
    if (written.length === 0) return undefined;
    const key = folderKeyOf(folder);
    let looksAtAll = false;
    const byKey = new Map<string, UsedFile>();
    for (const { file, identity } of written) {
      byKey.set(identity!.key, file);
      const place = placeOf(file);
      if (place === undefined || identity!.links > 1) looksAtAll = true;
      if (place !== undefined && place.folder === key && isRead(place.name)) throw inFolder(file, shown, place.name);
    }
    return (name, isLink) => {
      if (!isLink && !looksAtAll) return;
      const file = byKey.get(identityOfPath(join(folder, name))?.key ?? "");
      if (file !== undefined) throw inFolder(file, shown, name);
    };
  }

  #identify(known: Known, identity: FileIdentity | undefined): void {
    if (known.identity !== undefined) this.#byKey.get(known.identity.key)?.delete(known);
    known.identity = identity;
    if (identity === undefined) return;
    const same = this.#byKey.get(identity.key);
    if (same === undefined) this.#byKey.set(identity.key, new Set([known]));
    else same.add(known);
  }

  #refuseOthersOf(known: Known): void {
    for (const other of this.#byKey.get(known.identity?.key ?? "") ?? []) {
      if (other !== known && !isAllowed(known.file, other.file)) throw sameFile(other.file, known.file);
    }
  }
}

function identityOfUse({ at }: UsedFile): FileIdentity | undefined {
  return typeof at === "number" ? identityOfDescriptor(at) : identityOfPath(at);
}

function placeOf({ at }: UsedFile): ReturnType<typeof placeOfPath> {
  return typeof at === "number" ? placeOfDescriptor(at) : placeOfPath(at);
}

/** Whether two uses of one file are allowed: two reads, and stdout with stderr. In `> log 2>&1`, both streams share one offset. */
function isAllowed(one: UsedFile, other: UsedFile): boolean {
  if (one.use === "reads" && other.use === "reads") return true;
  return isStream(one) && isStream(other);
}

function isStream({ shown }: UsedFile): boolean {
  return shown === "stdout" || shown === "stderr";
}

function sameFile(one: UsedFile, other: UsedFile): UsageError {
  // The message names the file that is written.
  const [first, second] = one.use === "reads" ? [one, other] : [other, one];
  if (first.use === "writes") {
    return new UsageError(
      "same-file",
      `${second.shown}: is the same file as ${first.shown}, and each would overwrite the other`,
    );
  }
  if (isStream(second)) {
    return new UsageError(
      "same-file",
      `${second.shown}: is the same file as ${first.shown}, which is an input: > emptied it before this program started, and with >> ` +
        "the program would read its own output",
      "write into another file, and rename it afterwards",
    );
  }
  return new UsageError(
    "same-file",
    `${second.shown}: is the same file as ${first.shown}, which is an input, and would be overwritten`,
  );
}

function inFolder(file: UsedFile, shown: string, name: string): UsageError {
  return sameFile({ shown: join(shown, name), use: "reads", at: name }, file);
}
