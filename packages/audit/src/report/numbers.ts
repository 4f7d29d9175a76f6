// Formats numbers for people.

/** A number with commas, such as "4,877". */
export function countTextOf(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(?:\d{3})+$)/gu, ",");
}

/** What stands for a value that there is not. */
export const dash = "–";

/** A number; a dash for none. */
export function orDash(count: number | null): string {
  return count === null || count === 0 ? dash : countTextOf(count);
}

/** An average number, such as "104" or "0.3"; a dash for none. */
export function averageTextOf(average: number | null | undefined): string {
  if (average === null || average === undefined) return dash;
  return average >= 10 ? countTextOf(average) : average.toFixed(1);
}

/** A rounded number as a short text, such as "4.1 M", "155 k" or "812". */
export function shortCountOf(count: number): string {
  if (count >= 999_500) return `${oneDigit(count / 1_000_000)} M`;
  return count >= 9_950 ? `${Math.round(count / 1_000)} k` : countTextOf(count);
}

function oneDigit(number: number): string {
  return number >= 10 ? countTextOf(number) : number.toFixed(1).replace(/\.0$/u, "");
}

/** A number of bytes in units of powers of 1,000, such as "231 MB". */
export function bytesTextOf(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${unit === 0 ? Math.round(value) : oneDigit(value)} ${units[unit]}`;
}

/** A rounded duration, such as "14 h", "3 days" or "20 min". */
export function durationTextOf(seconds: number): string {
  if (seconds < 5_400) return `${Math.max(1, Math.round(seconds / 60))} min`;
  return seconds < 72 * 3_600 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

/** A share in percent, such as "0.02 %"; "<0.01 %" for a smaller share above 0; a dash if `whole` is 0. */
export function shareTextOf(part: number, whole: number): string {
  if (whole === 0) return dash;
  const percent = (part / whole) * 100;
  if (part > 0 && percent < 0.01) return "<0.01 %";
  return `${percent === 0 || percent >= 10 ? Math.round(percent) : percent.toFixed(percent < 1 ? 2 : 1)} %`;
}

/** A number with its noun: "1 request", "2 requests". */
export function amountOf(count: number, noun: string): string {
  return `${countTextOf(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** A short number with its noun: "1 line", "155 k lines". */
export function shortAmountOf(count: number, noun: string): string {
  return `${shortCountOf(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** A list of texts: "a", "a and b", "a, b and c", or with another word than "and". */
export function listTextOf(items: readonly string[], word = "and"): string {
  return items.length <= 1 ? (items[0] ?? "") : `${items.slice(0, -1).join(", ")} ${word} ${items.at(-1)}`;
}
