// Converts a time as logs write it to the instant in UTC as ISO 8601: 2025-12-10T10:00:00Z, with the fraction of the log.

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Common Log Format: 10/Dec/2025:10:00:00 +0100; HAProxy writes a fraction, too. */
const ofAccessLog = /^(\d{1,2})\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d)((?:\.\d{1,9})?) ([+-])(\d\d)(\d\d)$/;

/** RFC 3339, as CloudFront and load balancers write it; the zone may lack its colon. */
const ofStandard = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)((?:\.\d{1,9})?)(?:Z|([+-])(\d\d):?(\d\d))$/;

/** Web archive indexes: 20251210100000, in UTC. */
const ofArchive = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/;

/** Seconds since 1970, with or without a fraction; or milliseconds, microseconds or nanoseconds since 1970. */
const ofEpoch = /^(\d{10})(?:\.(\d{1,9})|(\d{3}|\d{6}|\d{9}))?$/;

/**
 * The instant of the `time` of a `LogRequest`. Undefined for a time of another form, a time that does not exist, a leap second (":60"), a
 * year before 1000, and a time without a zone. (Times of web archive indexes and times since 1970 need no zone.)
 */
export function instantOf(time: string): string | undefined {
  const access = ofAccessLog.exec(time);
  if (access !== null) {
    const [, day, name, year, hour, minute, second, fraction, sign, zoneHours, zoneMinutes] =
      access as unknown as string[];
    const month = months.indexOf(name!) + 1;
    return utcOf([year!, String(month), day!, hour!, minute!, second!], fraction!, [sign!, zoneHours!, zoneMinutes!]);
  }
  const standard = ofStandard.exec(time);
  if (standard !== null) {
    const [fraction = "", sign = "+", zoneHours = "00", zoneMinutes = "00"] = standard.slice(7);
    return utcOf(standard.slice(1, 7), fraction, [sign, zoneHours, zoneMinutes]);
  }
  const archive = ofArchive.exec(time);
  if (archive !== null) return utcOf(archive.slice(1), "", ["+", "00", "00"]);
  const epoch = ofEpoch.exec(time);
  if (epoch === null) return undefined;
  const [, seconds, fraction, digits = fraction ?? ""] = epoch;
  const significant = digits.replace(/0+$/, "");
  const whole = new Date(Number(seconds) * 1_000).toISOString().slice(0, -5);
  return `${whole}${significant === "" ? "" : `.${significant}`}Z`;
}

function utcOf(
  parts: readonly string[],
  fraction: string,
  zone: readonly [string, string, string],
): string | undefined {
  const [year, month, day, hour, minute, second] = parts.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [sign, zoneHours, zoneMinutes] = [zone[0], Number(zone[1]), Number(zone[2])];
  // The year is compared, because Date.UTC adds 1900 to years below 100.
  const isWritten =
    year >= 1000 && hour < 24 && minute < 60 && second < 60 && zoneHours < 24 && zoneMinutes < 60 && month > 0;
  if (!isWritten) return undefined;
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // Date.UTC reads 31 April as 1 May.
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return undefined;
  const minutesEast = (zoneHours * 60 + zoneMinutes) * (sign === "-" ? -1 : 1);
  const utc = new Date(local.getTime() - minutesEast * 60_000);
  // The zone can move the time into the year 999 or 10000.
  const utcYear = utc.getUTCFullYear();
  if (utcYear < 1000 || utcYear > 9999) return undefined;
  return `${utc.toISOString().slice(0, -5)}${fraction}Z`;
}
