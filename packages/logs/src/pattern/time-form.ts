// Compiles the form of a time, as strftime(3) and Apache's `%{FORM}t` write it, and makes a text for `timeIn` of the times in a line.

/** The parts of a time that a form may have. */
type Unit =
  | "year"
  | "shortYear"
  | "month"
  | "day"
  | "hour"
  | "half"
  | "minute"
  | "second"
  | "fraction"
  | "zone"
  | "epoch";

/** A compiled form. */
export interface TimeForm {
  /** The form with only the basic conversions; the pseudo-forms of Apache, such as `msec_frac`, are in braces after a "%". */
  readonly written: string;
  /** Matches a time at a position. Its groups are the units. */
  readonly reads: RegExp;
  readonly units: readonly (Unit | undefined)[];
  /** Whether the server writes the time in UTC. */
  readonly isUtc: boolean;
  /** Whether this is the time at which the request ended. */
  readonly isEnd: boolean;
}

const two = String.raw`(?: \d|\d{1,2})`;
const name = String.raw`[^\s\d:/,.[\]"-]{1,30}\.?`;

/** The conversions: what they match, and the unit that this is. */
const conversions: Readonly<Record<string, readonly [source: string, unit?: Unit]>> = {
  "%": ["%"],
  a: [name],
  A: [name],
  b: [name, "month"],
  B: [name, "month"],
  h: [name, "month"],
  d: [two, "day"],
  e: [two, "day"],
  f: [String.raw`\d{1,9}`, "fraction"],
  H: [two, "hour"],
  I: [two, "hour"],
  k: [two, "hour"],
  l: [two, "hour"],
  j: [String.raw`\d{1,3}`],
  m: [two, "month"],
  M: [two, "minute"],
  n: [String.raw`\n`],
  p: ["[AaPp][Mm]", "half"],
  P: ["[AaPp][Mm]", "half"],
  s: [String.raw`\d{10}`, "epoch"],
  S: [two, "second"],
  t: [String.raw`\t`],
  u: [String.raw`\d`],
  w: [String.raw`\d`],
  U: [two],
  V: [two],
  W: [two],
  y: [String.raw`\d\d`, "shortYear"],
  Y: [String.raw`\d{4}`, "year"],
  z: [String.raw`[+-]\d\d:?\d\d`, "zone"],
  Z: [String.raw`[A-Za-z]{1,6}|[+-]\d{2,4}`, "zone"],
};

/** Conversions that stand for several, in the locale "C", in which the servers run. */
const joined: Readonly<Record<string, string>> = {
  c: "%a %b %e %H:%M:%S %Y",
  D: "%m/%d/%y",
  F: "%Y-%m-%d",
  r: "%I:%M:%S %p",
  R: "%H:%M",
  T: "%H:%M:%S",
  x: "%m/%d/%y",
  X: "%H:%M:%S",
};

/** Apache's own forms. */
const pseudo: Readonly<Record<string, readonly [source: string, unit: Unit]>> = {
  sec: [String.raw`\d{10}`, "epoch"],
  msec: [String.raw`\d{13}`, "epoch"],
  usec: [String.raw`\d{16}`, "epoch"],
  msec_frac: [String.raw`\d{3}`, "fraction"],
  usec_frac: [String.raw`\d{6}`, "fraction"],
};

/** Compiles the argument of Apache's `%{ARGUMENT}t`; undefined for a form with an unknown conversion. */
export function apacheFormOf(argument: string): TimeForm | undefined {
  const [, end, form = ""] = /^(?:begin:|(end:))?([^]*)$/.exec(argument) ?? [];
  return compiled(Object.hasOwn(pseudo, form) ? `%{${form}}` : form, { isUtc: false, isEnd: end !== undefined });
}

/** Compiles a form of strftime, with the fractions of Envoy (`%3f`, `%E3S`); undefined for a form with an unknown conversion. */
export function strftimeFormOf(form: string, isUtc: boolean): TimeForm | undefined {
  const written = form
    .replaceAll(/%E[\d*]S/g, "%S.%f")
    .replaceAll("%E4Y", "%Y")
    .replaceAll(/%[1-9]f/g, "%f");
  return compiled(written, { isUtc, isEnd: false });
}

/** The form of two times with a text between them; undefined if they are times of different moments. */
export function joinedForm(one: TimeForm, between: string, other: TimeForm): TimeForm | undefined {
  if (one.isEnd !== other.isEnd) return undefined;
  return compiled(one.written + between.replaceAll("%", "%%") + other.written, one);
}

/** The form with a "Z" at its end; undefined for a form that does not end with seconds. */
export function withZone(form: TimeForm): TimeForm | undefined {
  return /(?:%S|_frac\}|%f)$/.test(form.written) ? compiled(`${form.written}Z`, form) : undefined;
}

function compiled(form: string, { isUtc, isEnd }: Pick<TimeForm, "isUtc" | "isEnd">): TimeForm | undefined {
  const written = form.replaceAll(/%[-_0^#]?([cDFrRTxX%])/g, (all, letter: string) => joined[letter] ?? all);
  const units: (Unit | undefined)[] = [];
  let isKnown = true;
  const source = written.replaceAll(
    /%\{(\w+)\}|%[-_0^#]?([a-zA-Z%])|%|[^%]+/g,
    (text, own: string | undefined, letter: string | undefined) => {
      const found = own === undefined ? conversions[letter ?? ""] : pseudo[own];
      if (found === undefined) {
        isKnown &&= !text.startsWith("%");
        return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
      }
      units.push(found[1]);
      return `(${found[0]})`;
    },
  );
  return isKnown ? { written, reads: new RegExp(source, "y"), units, isUtc, isEnd } : undefined;
}

/** Forms of times that `timeIn` reads: of Common Log Format, of ISO 8601, and seconds and parts of seconds since 1970. */
const subsecond = String.raw`(?:\.(?:%\{[mu]sec_frac\}|%f))?`;
const plain = [
  new RegExp(`^%d/%b/%Y:%H:%M:%S${subsecond}( %z)?$`),
  new RegExp(`^%Y-%m-%d[T ]%H:%M:%S${subsecond}( ?%z|Z)?$`),
  new RegExp(`^(%s|%\\{(?:sec|msec|usec)\\})${subsecond}$`),
];

/** The meaning of a time with this form, if `timeIn` reads its text as it is; undefined for all other forms. */
export function plainMeaningOf({ written, isUtc }: TimeForm): "time" | "localTime" | undefined {
  const found = plain.map((form) => form.exec(written)).find((each) => each !== null);
  if (found === undefined || (isUtc && found[1] === undefined)) return undefined;
  return found[1] === undefined ? "localTime" : "time";
}

/** A time in a line, and its form. */
export interface FormedTime {
  readonly form: TimeForm;
  readonly text: string;
}

/** Whether times of these forms, together, are an instant or a date with a time of day. */
export function areWhole(forms: readonly TimeForm[]): boolean {
  const has = (...units: readonly Unit[]): boolean =>
    units.some((unit) => forms.some((form) => form.units.includes(unit)));
  return has("epoch") || (has("year", "shortYear") && has("month") && has("day") && has("hour") && has("minute"));
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** A text for `timeIn` of the times in a line: the times of the request's beginning or, without them, of its end. */
export function timeTextOfForms(times: readonly FormedTime[]): string | undefined {
  const begun = times.filter(({ form }) => !form.isEnd);
  return textOfMoment(begun) ?? textOfMoment(times.filter(({ form }) => form.isEnd));
}

function textOfMoment(times: readonly FormedTime[]): string | undefined {
  if (!areWhole(times.map(({ form }) => form))) return undefined;
  const found: { [unit in Unit]?: string } = {};
  for (const { form, text } of times) {
    form.reads.lastIndex = 0;
    const values = form.reads.exec(text) ?? [];
    for (const [index, unit] of form.units.entries()) {
      const value = values[index + 1]?.trim();
      if (unit !== undefined && value !== undefined) found[unit] ??= value;
    }
  }
  const { epoch, fraction = "", month = "", half, zone } = found;
  if (epoch !== undefined) return epoch.length > 10 || fraction === "" ? epoch : `${epoch}.${fraction}`;
  const named = months.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const year = found.year ?? `${Number(found.shortYear) < 69 ? "20" : "19"}${found.shortYear ?? ""}`;
  const isAfternoon = half?.toLowerCase() === "pm";
  const hour = half === undefined ? Number(found.hour) : (Number(found.hour) % 12) + (isAfternoon ? 12 : 0);
  const isUtc = times.some(({ form }) => form.isUtc || /(?:%S|_frac\}|%f)Z$/.test(form.written));
  const written = /^(?:[+-]\d\d:?\d\d|UTC|GMT|Z)$/i.test(zone ?? "") ? zone! : isUtc ? "Z" : "";
  const padded = [named > 0 ? named : month, found.day, hour, found.minute, found.second ?? "0"];
  const [monthOf, day, hours, minute, second] = padded.map((part) => String(part).padStart(2, "0"));
  return `${year}-${monthOf}-${day}T${hours}:${minute}:${second}${fraction === "" ? "" : `.${fraction}`}${written}`;
}
