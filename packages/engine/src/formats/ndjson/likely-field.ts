// An object of JSON in, the field that most likely holds its URL out, or the fields with the URL's path and host.
import { parseTarget } from "@robots-stream/url";

/** Most values that are looked at, and how deep they may be nested. */
const mostValues = 10_000;
const deepest = 6;

/** Names of fields with URLs of something else than the record. */
const otherNames = /refer|agent|schema|origin$|icon|image|logo/i;

/**
 * The path, as `--url-field` takes it, of the first string that is a URL with an origin: among the least nested ones, preferably one whose
 * name is usual for a URL. Undefined without such a field, or where its path has names with dots.
 */
export function likelyUrlField(json: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  let level: readonly (readonly [path: string, value: unknown])[] = membersOf("", value);
  let seen = 0;
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    seen += level.length;
    if (seen > mostValues) return undefined;
    const urls = level.filter(([path, each]) => isUrl(each) && !otherNames.test(path));
    const [path] = urls.find(([each]) => /ur[il]|address|link/i.test(each)) ?? urls[0] ?? [];
    if (path !== undefined) return path;
    level = level.flatMap(([each, inner]) => membersOf(`${each}.`, inner));
  }
  return undefined;
}

/** The fields that most likely hold the path and the host of the URL; `host` is absent when no field holds a host. */
export interface LikelyParts {
  readonly path: string;
  readonly host?: string | undefined;
}

const pathNames = /(?:ur[il]|path|target)$/i;
const hostNames = /(?:host|hostname|authority|domain|server_name)$/i;

/**
 * The fields with the path and the host of the URL, as `--path-field` and `--host-field` take them: the least nested texts that look like a
 * path and a host, in members with such names. Undefined without such a path.
 */
export function likelyUrlParts(json: string): LikelyParts | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  let level: readonly (readonly [path: string, value: unknown])[] = membersOf("", value);
  let seen = 0;
  let path: string | undefined;
  let host: string | undefined;
  for (let depth = 0; depth < deepest && level.length > 0 && (path === undefined || host === undefined); depth++) {
    seen += level.length;
    if (seen > mostValues) break;
    const texts = level.filter(([name, each]) => typeof each === "string" && !otherNames.test(name));
    const first = (names: RegExp, shape: RegExp): string | undefined =>
      texts.find(([name, each]) => names.test(name) && shape.test(each as string))?.[0];
    path ??= first(pathNames, /^\//);
    host ??= first(hostNames, /^(?:[a-z\d-]{1,63}\.){1,10}[a-z\d-]{2,63}(?::\d{1,5})?$/i);
    level = level.flatMap(([each, inner]) => membersOf(`${each}.`, inner));
  }
  return path === undefined ? undefined : { path, host };
}

function membersOf(prefix: string, value: unknown): readonly (readonly [path: string, value: unknown])[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const members = Object.entries(value);
  return members.filter(([name]) => !name.includes(".")).map(([name, each]) => [prefix + name, each] as const);
}

function isUrl(value: unknown): boolean {
  return typeof value === "string" && /^(?:https?|ftp):/i.test(value) && parseTarget(value) !== undefined;
}
