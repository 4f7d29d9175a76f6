// Bytes held as Latin-1 strings ↔ the text they mean, and text made fit for a terminal.
//
// Every byte of input becomes one UTF-16 unit, and every unit of output one byte again, so what is echoed is echoed
// byte for byte, whatever its encoding. Only what has to be understood (a URL, a field's name) is decoded.

// oxlint-disable-next-line no-control-regex
const beyondAscii = /[^\x00-\x7f]/;
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text that bytes held as a Latin-1 string mean in UTF-8; what is no UTF-8 becomes U+FFFD. */
export function textOf(bytes: string): string {
  return beyondAscii.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes;
}

/** The UTF-8 bytes of a text, held as a Latin-1 string. */
export function bytesOf(text: string): string {
  return beyondAscii.test(text) ? Buffer.from(text, "utf8").toString("latin1") : text;
}

/**
 * The URL that bytes held as a Latin-1 string mean. Bytes that are no UTF-8 become percent-escapes, as they would in
 * a request, so that nothing is replaced by U+FFFD and compared as such.
 */
export function urlTextOf(bytes: string): string {
  if (!beyondAscii.test(bytes)) return bytes;
  try {
    return strictUtf8.decode(Buffer.from(bytes, "latin1"));
  } catch {
    return bytes.replaceAll(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  }
}

// Lone halves of surrogate pairs too.
const unprintable =
  // oxlint-disable-next-line no-control-regex
  /[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]/gu;

/**
 * A text from outside as one line that no terminal obeys: control characters, line separators and the characters that
 * turn writing direction or have no width are written as escapes; longer texts than `maxLength` are cut.
 */
export function printableOf(text: string, maxLength = 200): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return cut.replaceAll(unprintable, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    return code < 0x100 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`;
  });
}

/** The same for JSON, which stays the same data: escapes are JSON's, and line ends between members stay. */
export function printableJsonOf(json: string): string {
  return json.replaceAll(unprintable, (character) =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * A piece of input to be shown to whoever looks: credentials of URLs and values of their queries are left out, because what is
 * shown ends up in logs. Of a longer text only the beginning is looked at and given.
 */
export function withoutSecrets(text: string): string {
  return text
    .slice(0, 2_000)
    .replaceAll(/\/\/[^\s"/@]*@/g, "//***@")
    .replaceAll(/([?&;][^\s"=&;#]{1,100}=)[^\s"&;#]+/g, "$1***");
}

const unitBytes: Readonly<Record<string, number>> = { "": 1, k: 1_024, m: 1_048_576, g: 1_073_741_824 };

/** The bytes that a size means: "512000", "64K", "1M", "1GiB"; NaN for what is none. */
export function bytesOfSize(text: string): number {
  const [, digits, unit = ""] = /^(\d{1,12})([kKmMgG]?)(?:i?[bB])?$/.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Number(digits) * (unitBytes[unit.toLowerCase()] ?? Number.NaN);
}

const unitMs: Readonly<Record<string, number>> = { "": 1_000, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The milliseconds that a time means: "90", "90s", "30m", "12h", "7d"; NaN for what is none. */
export function msOfTime(text: string): number {
  const [, digits, unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?)([smhd]?)$/.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Math.round(Number(digits) * (unitMs[unit] ?? Number.NaN));
}
