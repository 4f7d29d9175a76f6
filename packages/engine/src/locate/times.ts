// Parses the text of a time, and returns milliseconds since the epoch.

/** Maximum length of the text of a time, in characters. */
export const longestTime = 64;

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `2025-12-10`, `2025-12-10T10:00:00.123+01:00`, `2025-12-10 10:00`; a time without a zone is UTC. */
const iso =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T\s](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?$/i;
/** `10/Dec/2025:10:00:00.123 +0100`, in brackets or not. */
const common = /^\[?(\d{1,2})\/([a-z]{3})\/(\d{4}):(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?: ([+-]\d{4}))?\]?$/i;
/** `20251210100000`, as in an index of a web archive. */
const compact = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/;
/**
 * An earlier year means that there is no time: programs write a time that was never set as the year 1. The parser of logs (`instantOf`)
 * has the same limit, also for a time that its zone moves into the year 999 or 10000.
 */
const firstYear = 1_000;
const firstMs = Date.UTC(firstYear, 0);
const endMs = Date.UTC(10_000, 0);
/** Seconds since the epoch, with or without a fraction; or milliseconds, microseconds or nanoseconds since the epoch, as integers. */
const epoch = /^(\d{10})(?:\.(\d{1,9}))?$|^(?:\d{13}|\d{16}|\d{19})$/;

/** Milliseconds since the epoch; NaN for a text that is not a time. */
export function timeMsOf(text: string): number {
  if (text.length > longestTime) return Number.NaN;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone] = iso.exec(text) ?? [];
  if (year !== undefined) return msOf([year, month!, day!, hour, minute, second], zone) + fractionMsOf(fraction);
  const [, dayOf, name, yearOf, hours, minutes, seconds, part = "", offset] = common.exec(text) ?? [];
  if (yearOf !== undefined) {
    const number = months.indexOf(name!.toLowerCase()) + 1;
    return msOf([yearOf, String(number), dayOf!, hours!, minutes!, seconds!], offset) + fractionMsOf(part);
  }
  const digits = compact.exec(text);
  if (digits !== null) return msOf(digits.slice(1), undefined);
  const since = epoch.exec(text);
  if (since === null) return Number.NaN;
  const [, whole, rest = ""] = since;
  return whole === undefined ? Number(text.slice(0, 13)) : Number(whole) * 1_000 + fractionMsOf(rest);
}

/** Milliseconds since the epoch for year, month, day, hour, minute and second in a zone; NaN for a time that does not exist. */
function msOf(parts: readonly string[], zone: string | undefined): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  // Second 60 is a leap second.
  if (year < firstYear || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 60)
    return Number.NaN;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return Number.NaN;
  const [, sign, hours = 0, minutes = 0] = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? "") ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const ms = Date.UTC(year, month - 1, day, hour, minute, second) - (sign === "-" ? -offset : offset);
  return ms >= firstMs && ms < endMs ? ms : Number.NaN;
}

function fractionMsOf(digits: string): number {
  return digits === "" ? 0 : Number(digits.slice(0, 3).padEnd(3, "0"));
}
