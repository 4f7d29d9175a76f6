// Parses a record of a JSON log, also one whose server escapes bytes as in text logs.

/** An object of JSON. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * The text with its percent-escapes decoded; in a sequence of escapes that is not UTF-8, only the escapes of ASCII characters are decoded.
 */
export function withoutEscapes(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes.replaceAll(/%[0-7][0-9a-f]/gi, (escape) => decodeURIComponent(escape));
    }
  });
}

/**
 * The JSON object that a text is; undefined for any other text. nginx without `escape=json`, and Apache httpd, write `\xHH` for a byte, which
 * is no escape of JSON. Bytes that are not UTF-8 become percent escapes, as which they mean the same in a URL.
 */
export function jsonRecordOf(text: string): JsonRecord | undefined {
  // A text without "{" at its beginning is not an object and need not be parsed.
  if (!text.startsWith("{")) return undefined;
  return parsed(text) ?? (text.includes("\\x") ? parsed(withJsonEscapes(text)) : undefined);
}

function parsed(text: string): JsonRecord | undefined {
  try {
    return JSON.parse(text) as JsonRecord;
  } catch {
    return undefined;
  }
}

function withJsonEscapes(text: string): string {
  return text.replaceAll(/(?:\\x[\da-f]{2})+|\\[^]/gi, (escapes) => {
    if (!/^\\x[\da-f]{2}/i.test(escapes)) return escapes;
    return JSON.stringify(withoutEscapes(escapes.replaceAll(/\\x/gi, "%"))).slice(1, -1);
  });
}
