// Parses a record of a JSON log, also one whose server escapes bytes as in text logs, and finds the values at paths in it.

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

/**
 * The value at a path; undefined if there is none. In an array, a number selects an element by position. Any other name selects the `value`
 * of the element with this `name`, in any letter case, if the elements are `{"name", "value"}` as in lists of headers. If no element
 * has this `name`, or the elements have another form, the path continues in the first element. Never throws.
 */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const step of path) {
    if (Array.isArray(at)) at = elementAt(at, step);
    else if (typeof at === "object" && at !== null && Object.hasOwn(at, step)) {
      at = (at as Readonly<Record<string, unknown>>)[step];
    } else return undefined;
  }
  return at;
}

/** The maximum number of elements of a list that are searched for a name. Servers accept fewer headers. */
const mostElements = 1_000;

function elementAt(list: readonly unknown[], step: string): unknown {
  if (/^\d{1,9}$/.test(step)) return list[Number(step)];
  const [first] = list;
  if (isNamed(first)) {
    const name = step.toLowerCase();
    const found = list.slice(0, mostElements).find((each) => isNamed(each) && each.name.toLowerCase() === name);
    if (found !== undefined) return (found as { readonly value?: unknown }).value;
  }
  // Nested arrays are not followed, because their depth is not bounded.
  return Array.isArray(first) ? undefined : valueAt(first, [step]);
}

function isNamed(value: unknown): value is { readonly name: string } {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.hasOwn(value, "value") &&
    typeof (value as { readonly name?: unknown }).name === "string"
  );
}

/**
 * The text of a value: a non-empty string, a number, or the first element of an array if that element is a non-empty string or a number;
 * else undefined.
 */
export function scalarTextOf(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof one === "number") return String(one);
  return typeof one === "string" && one !== "" ? one : undefined;
}
