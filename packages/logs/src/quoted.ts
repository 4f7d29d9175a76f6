// A quoted field in, its end and its bytes out, as Apache httpd (mod_log_config) and nginx (log_format) write them.

/** Whether a quote at a place closes a field. */
type Closes = (line: string, quote: number) => boolean;

/** A field ends where its line ends, or the next field begins. */
const endsField: Closes = (line, quote) => quote + 1 === line.length || line.charCodeAt(quote + 1) === 0x20;

/**
 * The place of the quote that closes the field beginning at `from`; -1 when there is none. Quotes behind a backslash are
 * the field's own, and so are quotes that some loggers do not escape, where no field can end.
 */
export function closingQuoteOf(line: string, from: number, closes: Closes = endsField): number {
  for (let quote = line.indexOf('"', from); quote >= 0; quote = line.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (before >= from && line.charCodeAt(before) === 0x5c) before--;
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

/** The bytes of a field with its escapes (\xHH, \" …) undone; other backslashes stay. */
export function unescaped(field: string): string {
  if (!field.includes("\\")) return field;
  return field.replaceAll(/\\(?:x([0-9a-fA-F]{2})|([abfnrtv"\\]))/g, (_all, hex: string | undefined, letter: string) =>
    hex === undefined ? letters[letter]! : String.fromCharCode(parseInt(hex, 16)),
  );
}

/** A field's bytes, or undefined for "-", which logs write for a missing value. */
export function valueOf(field: string): string | undefined {
  return field === "-" || field === "" ? undefined : unescaped(field);
}
