// A path or a descriptor in, the identity of its regular file out: device and inode; for a missing file, the folder and name
// where it would be created.
import { type BigIntStats, fstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, sep } from "node:path";

/** The identity of an existing regular file, or of the folder and name of a file that does not exist yet. */
export interface FileIdentity {
  /** Paths have equal keys when they lead to the same file, and otherwise different keys; `identityOfPath` describes an exception. */
  readonly key: string;
  /** Number of hard links of the file; 0 for a file that does not exist. */
  readonly links: number;
}

/** A folder and a name in it. */
export interface FilePlaceInFolder {
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
export function identityOfPath(path: string): FileIdentity | undefined {
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
export function identityOfDescriptor(fd: number): FileIdentity | undefined {
  try {
    return identityOf(fstatSync(fd, { bigint: true }), () => `descriptor ${fd}`);
  } catch {
    return undefined;
  }
}

/** The key of a folder; undefined when it does not exist. */
export function folderKeyOf(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? undefined : keyOf(stat, () => realpathSync(path));
}

/**
 * The folder and the name of the file that a path leads to, whether or not it exists; undefined where the system gives no
 * identity.
 */
export function placeOfPath(path: string): FilePlaceInFolder | undefined {
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
export function placeOfDescriptor(fd: number): FilePlaceInFolder | undefined {
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
