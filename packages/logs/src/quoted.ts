// Finds the end and the bytes of quoted fields as servers write them.

/**
 * How a server escapes bytes. "backslash": `\x22` and `\"`, as in Apache httpd (mod_log_config) and nginx (log_format); "hash": `#22`, as
 * in HAProxy; "none": the server writes the bytes as the client sent them.
 */
export type Escape = "backslash" | "hash" | "none";

/** Decides whether the quote at a position can close the field. */
type Closes = (line: string, quote: number) => boolean;

/** A quote can close a field at the end of the line or before a space. */
const endsField: Closes = (line, quote) => quote + 1 === line.length || line.charCodeAt(quote + 1) === 0x20;

/**
 * The position of the quote that closes the field beginning at `from`, or -1. With the escape "backslash", a quote after an odd number of
 * backslashes is part of the field. Some loggers do not escape quotes: a quote that `closes` rejects is also part of the field.
 */
export function closingQuoteOf(
  line: string,
  from: number,
  closes: Closes = endsField,
  escape: Escape = "backslash",
): number {
  for (let quote = line.indexOf('"', from); quote >= 0; quote = line.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (escape === "backslash" && before >= from && line.charCodeAt(before) === 0x5c) before--;
    if ((quote - before) % 2 === 1 && closes(line, quote)) return quote;
  }
  return -1;
}

const letters: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  '"': '"',
};

/** The bytes of a field with its escapes (\xHH, \" …; or #HH) decoded; other backslashes and hashes are kept. */
export function unescaped(field: string, escape: Escape = "backslash"): string {
  if (escape === "hash") {
    return field.replaceAll(/#([0-9a-fA-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  }
  if (escape === "none" || !field.includes("\\")) return field;
  return field.replaceAll(/\\(?:x([0-9a-fA-F]{2})|([abfnrtv"\\]))/g, (_all, hex: string | undefined, letter: string) =>
    hex === undefined ? letters[letter]! : String.fromCharCode(parseInt(hex, 16)),
  );
}

/** The bytes of a field; undefined for an empty field and for "-", which logs write for a missing value. */
export function valueOf(field: string, escape: Escape = "backslash"): string | undefined {
  return field === "-" || field === "" ? undefined : unescaped(field, escape);
}
