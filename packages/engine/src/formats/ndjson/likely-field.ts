// An object of JSON in, the path of the field that most likely holds its URL out.
import { parseTarget } from "@robots-stream/url";

/** Most values that are looked at, and how deep they may be nested. */
const mostValues = 10_000;
const deepest = 6;

/** Names of fields with URLs of something else than the record. */
const otherNames = /refer|agent|schema|origin$|icon|image|logo/i;

/**
 * The path, as `--url-field` takes it, of the first string that is a URL with an origin: of the least nested ones one whose name speaks
 * of a URL, if there is one. Undefined without such a field, or where its path has names with dots.
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

function membersOf(prefix: string, value: unknown): readonly (readonly [path: string, value: unknown])[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const members = Object.entries(value);
  return members.filter(([name]) => !name.includes(".")).map(([name, each]) => [prefix + name, each] as const);
}

function isUrl(value: unknown): boolean {
  return typeof value === "string" && /^(?:https?|ftp):/i.test(value) && parseTarget(value) !== undefined;
}
