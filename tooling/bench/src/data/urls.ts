// Generates, from a seed, lists of whole URLs like those in access logs and crawls: mostly short paths, some queries, few escapes.
import { type Random, createRandom } from "./random.ts";
import { fileEndings, parameters, sections, words } from "./words.ts";

/** A slug of one to six words. */
export function slugOf(random: Random): string {
  const count = 1 + Math.floor(random.next() ** 1.6 * 6);
  let slug = random.pickSkewed(words);
  for (let more = 1; more < count; more++) slug += `-${random.pick(words)}`;
  return slug;
}

/** A path with its query, starting with a slash. */
export function createTarget(random: Random): string {
  if (random.chance(0.04)) return "/";
  let path = `/${random.pickSkewed(sections)}`;
  const depth = Math.floor(random.next() ** 1.5 * 4);
  for (let level = 0; level < depth; level++) {
    if (random.chance(0.15)) path += `/${1000 + random.below(9_000_000)}`;
    else path += random.chance(0.4) ? `/${random.pickSkewed(sections)}` : `/${slugOf(random)}`;
  }
  if (random.chance(0.02)) path += "-%C3%A9t%c3%a9";
  if (random.chance(0.2)) path += `${depth === 0 ? "/index" : ""}.${random.pickSkewed(fileEndings)}`;
  else if (random.chance(0.45)) path += "/";
  if (random.chance(0.13)) {
    const count = 1 + Math.floor(random.next() ** 2 * 4);
    for (let at = 0; at < count; at++) {
      const value = random.chance(0.5) ? String(random.below(100_000)) : random.pick(words);
      path += `${at === 0 ? "?" : "&"}${random.pickSkewed(parameters)}=${value}`;
    }
  }
  return path;
}

/** A path of this many characters: folders, then a long query of words and opaque values, like those of trackers and search forms. */
export function createLongTarget(random: Random, length: number): string {
  let target = `/${random.pickSkewed(sections)}`;
  while (target.length < length / 6) target += `/${slugOf(random)}`;
  for (let at = 0; target.length < length; at++) {
    const value = random.chance(0.5) ? slugOf(random) : opaqueOf(random, 10 + random.below(90));
    target += `${at === 0 ? "?" : "&"}${random.pick(parameters)}=${value}`;
  }
  return target.slice(0, length);
}

function opaqueOf(random: Random, length: number): string {
  const characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return Array.from({ length }, () => characters[random.below(characters.length)]!).join("");
}

/** Whole URLs of one origin. */
export function createUrls(origin: string, count: number, seed: number): string[] {
  const random = createRandom(seed, "urls");
  return Array.from({ length: count }, () => flat(origin + createTarget(random)));
}

/** Whole URLs of many hosts; http, ports, upper case, userinfo, fragments and bare hosts are as rare as in logs. */
export function createMixedUrls(count: number, seed: number): string[] {
  const random = createRandom(seed, "mixed-urls");
  return Array.from({ length: count }, () => {
    const scheme = random.chance(0.85) ? "https" : random.chance(0.98) ? "http" : "HTTP";
    let host = hostOf(random.below(5000));
    if (random.chance(0.02)) host = host.toUpperCase();
    if (random.chance(0.02)) host += random.chance(0.5) ? ":8080" : ":443";
    if (random.chance(0.02)) return flat(`${scheme}://${host}`);
    const fragment = random.chance(0.02) ? `#${random.pick(words)}` : "";
    return flat(scheme + "://" + host + createTarget(random) + fragment);
  });
}

/** The host name for a number; the same number always gives the same name. */
export function hostOf(number: number): string {
  const name = `${words[(number * 7) % words.length]}${words[(number * 13 + 5) % words.length]}`;
  const prefix = number % 3 === 0 ? "" : number % 3 === 1 ? "www." : "shop.";
  return `${prefix}${name}${number}.${number % 5 === 0 ? "co.uk" : "com"}`;
}

/** A copy of the text as a flat string, like text that was read from a file. */
export function flat(text: string): string {
  return Buffer.from(text).toString();
}
