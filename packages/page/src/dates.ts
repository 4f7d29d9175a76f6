// Converts a date of unavailable_after to seconds since 1970: RFC 822 (with years of two or four digits), RFC 850 and ISO 8601.

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekday = /^(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?$/i;

/** Hours that each time zone of RFC 822 §5.1 is ahead of UTC. A date without a zone is in UTC. */
const zones: ReadonlyMap<string, number> = new Map([
  ["", 0],
  ["z", 0],
  ["ut", 0],
  ["utc", 0],
  ["gmt", 0],
  ["est", -5],
  ["edt", -4],
  ["cst", -6],
  ["cdt", -5],
  ["mst", -7],
  ["mdt", -6],
  ["pst", -8],
  ["pdt", -7],
]);

/** The maximum number of UTF-16 code units of a text that is read as a date. */
const longestDate = 64;

const iso =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?[ ]?([Zz]|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/;
const written =
  /^(\d{1,2})[ -]([a-z]{3,9})[ -](\d{4}|\d\d)(?: (\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([a-z]{1,3}|[+-]\d{4}))?)?$/i;

/**
 * Whether a text is the name or an abbreviation of a day of the week. In RFC 822 and RFC 850, a comma after the weekday is part of the
 * date.
 */
export function isWeekday(text: string): boolean {
  return text.length <= 9 && weekday.test(text);
}

/**
 * The instant of a date in seconds since 1970. Undefined for a text that is not a date or is longer than `longestDate`, for a day or a time
 * of day that does not exist, for a date without a day, and for an unknown zone.
 */
export function instantOf(text: string): number | undefined {
  if (text.length > longestDate) return undefined;
  const found = iso.exec(text);
  if (found !== null) {
    const [, year, month, day, hours, minutes, seconds, zone] = found;
    return secondsOf([year, month, day], [hours, minutes, seconds], zone);
  }
  // The weekday is not checked against the date, because no source documents how an engine treats a wrong weekday.
  const [first = ""] = /^[a-z]+(?=,? )/i.exec(text) ?? [];
  const date = isWeekday(first) ? text.slice(first.length).replace(/^,? +/, "") : text;
  const parts = written.exec(date.replace(/ {2,}/g, " "));
  if (parts === null) return undefined;
  const [, day, monthName = "", shortYear = "", hours, minutes, seconds, zone] = parts;
  const month = monthOf(monthName.toLowerCase());
  const year = shortYear.length === 4 ? shortYear : `${Number(shortYear) < 70 ? "20" : "19"}${shortYear}`;
  return month === undefined ? undefined : secondsOf([year, month, day], [hours, minutes, seconds], zone);
}

const fullMonths = "january february march april may june july august september october november december sept".split(
  " ",
);

function monthOf(name: string): number | undefined {
  const index = months.indexOf(name.slice(0, 3));
  return index === -1 || (name.length > 3 && !fullMonths.includes(name)) ? undefined : index + 1;
}

type Part = string | number | undefined;

function secondsOf(date: readonly Part[], time: readonly Part[], zone: string | undefined): number | undefined {
  const [year = 0, month = 0, day = 0] = date.map(Number);
  const [hours = 0, minutes = 0, seconds = 0] = time.map((part) => Number(part ?? 0));
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
  // 60 is a leap second.
  if (!isDate || hours > 23 || minutes > 59 || seconds > 60) return undefined;
  const offset = offsetOf(zone ?? "");
  if (offset === undefined) return undefined;
  return dayNumberOf(year, month, day) * 86_400 + hours * 3_600 + minutes * 60 + seconds - offset;
}

/** Seconds that a zone is ahead of UTC; undefined for an unknown zone. */
function offsetOf(zone: string): number | undefined {
  const hours = zones.get(zone.toLowerCase());
  if (hours !== undefined) return hours * 3_600;
  const [, sign, hour, minute = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (sign === undefined || Number(hour) > 23 || Number(minute) > 59) return undefined;
  return (sign === "-" ? -1 : 1) * (Number(hour) * 3_600 + Number(minute) * 60);
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/**
 * Days from 1970-01-01 to a date of the Gregorian calendar. The calculation begins years in March, so that a leap day is the last day of
 * its year.
 */
function dayNumberOf(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The ISO 8601 form, in UTC, of an instant in whole seconds since 1970. */
export function isoOf(seconds: number): string {
  const dayNumber = Math.floor(seconds / 86_400);
  const second = seconds - dayNumber * 86_400;
  const sinceMarch0 = dayNumber + 719_468;
  const era = Math.floor(sinceMarch0 / 146_097);
  const dayOfEra = sinceMarch0 - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const two = (number: number): string => String(number).padStart(2, "0");
  const time = `${two(Math.floor(second / 3_600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`;
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T${time}Z`;
}
