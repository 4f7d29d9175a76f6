// Finds, in a JSON object, the field that most likely contains the record's URL, or the fields with the URL's path and host.
import { parseTarget } from "@robots-stream/url";

/** Limits of the search: the number of values, and the levels of nesting. */
const mostValues = 10_000;
const deepest = 6;

/** Names of fields whose URL is not the record's own, such as a referrer. */
const otherNames = /refer|agent|schema|origin$|icon|image|logo/i;

/**
 * Returns the path of a field, as `urlField` takes it, whose value is a URL with an origin. Of several such fields, returns one of the
 * least nested, preferably with a name that is usual for a URL, otherwise the first. Ignores members whose names contain a dot. Undefined
 * if there is no such field, if the limits of the search are reached before one is found, and for a text that is not JSON.
 */
export function likelyUrlField(json: string): string | undefined {
  for (const level of levelsOf(json)) {
    const urls = level.filter(([path, each]) => isUrl(each) && !otherNames.test(path));
    const [path] = urls.find(([each]) => /ur[il]|address|link/i.test(each)) ?? urls[0] ?? [];
    if (path !== undefined) return path;
  }
  return undefined;
}

/** The fields that most likely contain the path and the host of the URL; `host` is undefined when no field contains a host. */
export interface LikelyParts {
  readonly path: string;
  readonly host?: string | undefined;
}

const pathNames = /(?:ur[il]|path|target|uri[-_]stem)$/i;
const hostNames = /(?:host|hostname|authority|domain|server_name|host[-_]header)$/i;
const domain = /^(?:[a-z\d-]{1,63}\.){1,10}[a-z\d-]{2,63}(?::\d{1,5})?$/i;

/**
 * Returns the fields with the path and the host of the URL, as `pathField` and `hostField` take them. For each, the least nested
 * field whose name and value look like a path or a host. Undefined when no field within the limits of the search looks like a path, and
 * for a text that is not JSON.
 */
export function likelyUrlParts(json: string): LikelyParts | undefined {
  let path: string | undefined;
  let host: string | undefined;
  for (const level of levelsOf(json)) {
    const texts = level.filter(([name, each]) => typeof each === "string" && !otherNames.test(name));
    const first = (names: RegExp, shape: RegExp): string | undefined =>
      texts.find(([name, each]) => names.test(name) && shape.test(each as string))?.[0];
    path ??= first(pathNames, /^\//);
    host ??= first(hostNames, domain);
    if (path !== undefined && host !== undefined) break;
  }
  return path === undefined ? undefined : { path, host };
}

/** Objects about the machine, or the program, that wrote the record. */
const ofWriter = /^(?:host|agent|beat|node|observer|kubernetes|docker|container|cloud|log|upstream)\./i;

/**
 * Returns the path of a nested field whose name is usual for a host, whose value is a domain, and which passes `isOne`. Undefined if there
 * is no such field within the limits of the search, and for a text that is not JSON.
 */
export function likelyNestedHost(json: string, isOne: (name: string, text: string) => boolean): string | undefined {
  let isNested = false;
  for (const level of levelsOf(json)) {
    const found = level.find(
      ([path, each]) =>
        isNested &&
        typeof each === "string" &&
        hostNames.test(path) &&
        !otherNames.test(path) &&
        !ofWriter.test(path) &&
        domain.test(each) &&
        isOne(path, each),
    );
    if (found !== undefined) return found[0];
    isNested = true;
  }
  return undefined;
}

type Member = readonly [path: string, value: unknown];

/** The members of a JSON object, then those of its members that are objects, and so on, within the limits of the search. */
function* levelsOf(json: string): Iterable<readonly Member[]> {
  let level: readonly Member[];
  try {
    level = membersOf("", JSON.parse(json));
  } catch {
    return;
  }
  let seen = 0;
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    seen += level.length;
    if (seen > mostValues) return;
    yield level;
    level = level.flatMap(([path, inner]) => membersOf(`${path}.`, inner));
  }
}

function membersOf(prefix: string, value: unknown): readonly Member[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const members = Object.entries(value);
  return members.filter(([name]) => !name.includes(".")).map(([name, each]) => [prefix + name, each] as const);
}

function isUrl(value: unknown): boolean {
  return typeof value === "string" && /^(?:https?|ftp):/i.test(value) && parseTarget(value) !== undefined;
}
