// A path or a descriptor in, what tells its regular file from every other one out: device and inode, or where it would be made.
import { type BigIntStats, fstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, sep } from "node:path";

/** A regular file, or the place of one that is not there yet. */
export interface FileIdentity {
  /** The same for two names of one file, and for nothing else. */
  readonly key: string;
  /** Names that the file has in all folders; 0 for one that is not there. */
  readonly links: number;
}

/** A folder and a name in it. */
export interface FilePlaceInFolder {
  /** The key of the folder. */
  readonly folder: string;
  readonly name: string;
}

/** As many links in a row as Linux follows. */
const mostHops = 40;

/**
 * The identity of what a path leads to; undefined for what is no regular file (a pipe, a device, a folder), and where the system
 * does not tell. Two names in different case for one file that is not there yet count as two: `UsedFiles.opened` finds them.
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

/** The identity of an open file; undefined for what is no regular file. */
export function identityOfDescriptor(fd: number): FileIdentity | undefined {
  try {
    return identityOf(fstatSync(fd, { bigint: true }), () => `descriptor ${fd}`);
  } catch {
    return undefined;
  }
}

/** The key of a folder; undefined where there is none. */
export function folderKeyOf(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? undefined : keyOf(stat, () => realpathSync(path));
}

/** The folder that the file behind a path is in, there or not, and its name; undefined where the system does not tell. */
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

/** The same for an open file. Only Linux tells, where /proc is mounted. */
export function placeOfDescriptor(fd: number): FilePlaceInFolder | undefined {
  try {
    const path = readlinkSync(`/proc/self/fd/${fd}`);
    const isSame = identityOfPath(path)?.key === identityOfDescriptor(fd)?.key;
    return isSame ? placeOfPath(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Where a path leads to, links followed to their end, whether or not something is there. */
export function targetOf(path: string): string {
  let at = path;
  for (let hops = 0; hops < mostHops; hops++) {
    let link: string;
    try {
      link = readlinkSync(at);
    } catch {
      // No link, or nothing there.
      return at;
    }
    // Not joined: ".." behind a link to a folder is the system's business.
    at = isAbsolute(link) ? link : `${realpathSync(dirname(at))}${sep}${link}`;
  }
  return at;
}

function identityOf(stat: BigIntStats, pathOf: () => string): FileIdentity | undefined {
  return stat.isFile() ? { key: keyOf(stat, pathOf), links: Number(stat.nlink) } : undefined;
}

/** Some network drives of Windows number nothing: there the path has to do. */
function keyOf({ dev, ino }: BigIntStats, pathOf: () => string): string {
  return ino === 0n ? `path ${pathOf()}` : `${dev}:${ino}`;
}
