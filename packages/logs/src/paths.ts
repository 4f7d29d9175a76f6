// A path of names and a JSON value in, the value or the text at that path out.

/**
 * The value at a path. In an array, a number selects an element by position; another name selects the value of the element with that
 * name where elements are `{"name", "value"}`, in any case, as lists of headers are; else the path continues in the first element.
 * Undefined where nothing is at the path. Never throws.
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

/** Elements that are searched for a name: more than any server accepts headers. */
const mostElements = 1_000;

function elementAt(list: readonly unknown[], step: string): unknown {
  if (/^\d{1,9}$/.test(step)) return list[Number(step)];
  const [first] = list;
  if (isNamed(first)) {
    const name = step.toLowerCase();
    const found = list.slice(0, mostElements).find((each) => isNamed(each) && each.name.toLowerCase() === name);
    if (found !== undefined) return (found as { readonly value?: unknown }).value;
  }
  // Not into arrays of arrays: the depth of a value is not bounded.
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

/** The text of a value: a string that is not empty or a number, or the first element of an array, if that is one; else undefined. */
export function scalarTextOf(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof one === "number") return String(one);
  return typeof one === "string" && one !== "" ? one : undefined;
}
