// Finds the value or the text at a path of names in a JSON value.

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
