// Sorts log files by the order in which their records were written, as far as the files' names and times show it.
import { posix } from "node:path";

/** A file and the time of its last change. */
export interface DatedFile {
  readonly path: string;
  readonly modifiedMs: number;
}

/**
 * Sorts files: first the rotated logs, one series after the other by name, each with its oldest file first; then all other files, by
 * the time of their last change.
 *
 * A series is what one program writes: `access.log.10.gz` … `access.log.1`, `access.log` (the number counts backwards), or
 * `access.log-20250102.gz`, `access-2025-01-02.log`, `u_ex250102.log`, `access.log.1735776000` (dates and Unix times count forwards).
 * In a series, files with a date are older than numbered ones, and the file without either is the newest.
 */
export function oldestFirst(files: readonly DatedFile[]): string[] {
  const placed = files.map((file) => ({ ...file, ...placeOf(file.path) }));
  const names = new Set(placed.filter(({ kind }) => kind !== "current").map(({ series }) => series));
  const ranked = placed.map((file) => {
    if (file.kind !== "current") return { ...file, isRotated: true };
    const series = [file.series, file.series.replace(/\.\w+$/, "")].find((name) => names.has(name));
    return { ...file, series: series ?? "", isRotated: series !== undefined };
  });
  const natural = new Intl.Collator("en", { numeric: true });
  ranked.sort(
    (one, other) =>
      Number(other.isRotated) - Number(one.isRotated) ||
      order(one.series, other.series) ||
      kinds.indexOf(one.kind) - kinds.indexOf(other.kind) ||
      (one.isRotated ? one.at - other.at : one.modifiedMs - other.modifiedMs) ||
      natural.compare(one.path, other.path) ||
      order(one.path, other.path),
  );
  return ranked.map(({ path }) => path);
}

/**
 * How a file's name shows its position in a series: by a date, by a number, or by neither. In a series, files are sorted in the order of
 * this list.
 */
const kinds = ["dated", "numbered", "current"] as const;

interface Place {
  readonly series: string;
  readonly kind: (typeof kinds)[number];
  /** Greater for newer files. */
  readonly at: number;
}

function placeOf(path: string): Place {
  const slashed = path.replaceAll("\\", "/");
  const folder = `${posix.dirname(slashed)}/`;
  const name = posix.basename(slashed).replace(/\.(?:gz|zst|bz2|xz|z)$/i, "");
  const date = dateIn(name);
  if (date !== undefined) {
    const series = name.slice(0, date.start).replace(/[-_.]+$/, "");
    return { series: folder + series, kind: "dated", at: date.at };
  }
  const numbered = /^(.+?)\.(0|[1-9]\d{0,4})(\.[a-z]+)?$/i.exec(name);
  if (numbered === null) return { series: folder + name, kind: "current", at: 0 };
  return { series: folder + numbered[1]! + (numbered[3] ?? ""), kind: "numbered", at: -Number(numbered[2]) };
}

/** 2025-01-02, 20250102 and 2025.01.02; an hour, a minute and a second may follow. */
const date =
  /(?<!\d)((?:19|20|21)\d\d)([-_.]?)(\d\d)\2(\d\d)(?:[-_.T]?(\d\d)(?:[-_.:]?(\d\d)(?:[-_.:]?(\d\d))?)?)?(?!\d)/g;
/** The names of IIS: u_ex250102.log for a day, u_ex25010213.log for an hour. */
const iisDate = /(?:^|_)ex(\d\d)(\d\d)(\d\d)(\d\d)?(?!\d)/i;
/** Seconds since 1970, as rotatelogs of Apache writes them. */
const unixTime = /[-_.](1\d{9})$/;

function dateIn(name: string): { readonly start: number; readonly at: number } | undefined {
  for (const found of name.matchAll(date)) {
    const at = timeOf(found[1]!, found[3]!, found[4]!, found.slice(5));
    if (at !== undefined) return { start: found.index, at };
  }
  const iis = iisDate.exec(name);
  const iisAt = iis === null ? undefined : timeOf(`20${iis[1]}`, iis[2]!, iis[3]!, [iis[4]]);
  if (iis !== null && iisAt !== undefined) return { start: iis.index, at: iisAt };
  const seconds = unixTime.exec(name);
  return seconds === null ? undefined : { start: seconds.index, at: Number(seconds[1]) * 1_000 };
}

/** Milliseconds since 1970; undefined for an invalid day. An hour, minute or second out of range only shifts the time. */
function timeOf(
  year: string,
  month: string,
  day: string,
  [hour = "0", minute = "0", second = "0"]: readonly (string | undefined)[],
): number | undefined {
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (new Date(midnight).toISOString().slice(0, 10) !== `${year}-${month}-${day}`) return undefined;
  return midnight + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000;
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
