// Converts numbers (bytes, times, counts) to short texts for people.

/** A number, rounded to a whole number, with commas: "1,234,567". */
export function numberText(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** A number with its noun: "1 rule", "1,234 rules". `several`: the plural of the noun, by default the noun with an added "s". */
export function countText(count: number, one: string, several = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : several}`;
}

/** Like `countText`, without commas: "1 record", "1234 records". */
export function plainCountText(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** The first `most` texts and the number of further ones: "a, b and 41 more". */
export function firstText(texts: readonly string[], most: number): string {
  const more = texts.length - most;
  return texts.slice(0, most).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Bytes in the unit that fits: "512 B", "2.3 KiB", "64 MiB". */
export function bytesText(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1_023.5 && unit < units.length - 1) {
    value /= 1_024;
    unit++;
  }
  return `${unit === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** A duration in the unit that fits: "0 ms", "830 ms", "2.4 s", "3 min 05 s", "2 h 07 min". */
export function durationText(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${twoDigits(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
