// Generates, from a seed, lists of path patterns like those of real robots.txt files: folders, files, queries, wildcards, endings.
import { type Random, createRandom } from "./random.ts";
import { slugOf } from "./urls.ts";
import { fileEndings, parameters, sections, words } from "./words.ts";

/** `plain`: no pattern has a wildcard; `wildcards`: every pattern has a `*` or a final `$`; `mixed`: one pattern in five does. */
export const ruleMixes = ["plain", "mixed", "wildcards"] as const;
/** `floating`: every pattern begins with `*` or `/*`, so that it can match anywhere in a path. */
export type RuleMix = (typeof ruleMixes)[number] | "floating";

function plainPattern(random: Random, isMany: boolean): string {
  const section = random.pickSkewed(sections);
  const kind = random.next();
  if (!isMany && kind < 0.45) return `/${section}${random.chance(0.8) ? "/" : ""}`;
  if (kind < 0.5) return `/${section}/${random.pick(sections)}/`;
  if (kind < 0.6) return `/${section}/${random.pick(words)}.${random.pickSkewed(fileEndings)}`;
  if (kind < 0.68) return `/${section}?${random.pick(parameters)}=`;
  if (kind < 0.78) return `/${section}/${slugOf(random)}`;
  if (kind < 0.86) return `/${section}/${random.pick(words)}_${random.below(1000)}/`;
  if (kind < 0.94) return `/${section}/${1000 + random.below(9_000_000)}`;
  return `/${random.pick(words)}-${random.pick(words)}`;
}

function wildcardPattern(random: Random, isMany: boolean): string {
  const section = random.pickSkewed(sections);
  const parameter = random.pick(parameters);
  const kind = random.next();
  if (!isMany) {
    if (kind < 0.12) return `/*?${parameter}=`;
    if (kind < 0.2) return `/*&${parameter}=`;
    if (kind < 0.28) return `/*.${random.pick(fileEndings)}$`;
    if (kind < 0.36) return `/${section}/*.${random.pick(fileEndings)}$`;
    if (kind < 0.42) return `*/${section}/`;
    if (kind < 0.46) return `/*/${section}/`;
  }
  if (kind < 0.54) return `/${section}/*?${parameter}=${random.chance(0.3) ? random.pick(words) : ""}`;
  if (kind < 0.6) return `/${section}/*/${random.pick(words)}`;
  if (kind < 0.86) return floatingPattern(random);
  if (kind < 0.9) return `/${section}*${random.pick(words)}-${random.pick(words)}`;
  if (kind < 0.95) return `/${section}/*/*/${random.pick(words)}${random.chance(0.3) ? "$" : ""}`;
  return `/${section}/${slugOf(random)}${random.chance(0.5) ? "*" : "$"}`;
}

function floatingPattern(random: Random): string {
  const kind = random.next();
  if (kind < 0.25) return `/*/${random.pickSkewed(sections)}/${random.pick(words)}/`;
  if (kind < 0.5) return `/*${random.pick(parameters)}=${random.pick(words)}`;
  if (kind < 0.6) return `*?${random.pick(parameters)}=${random.pick(words)}`;
  if (kind < 0.8) return `/*-${random.pick(words)}-${random.pick(words)}.${random.pickSkewed(fileEndings)}$`;
  return `/*/${random.pick(words)}-${random.pick(words)}`;
}

/** Distinct patterns of one mix; the patterns of long lists name deeper folders, as in real files. */
export function createPatterns(count: number, mix: RuleMix, seed: number): string[] {
  const random = createRandom(seed, `patterns ${mix} ${count}`);
  const isMany = count > 300;
  const patterns = new Set<string>();
  while (patterns.size < count) {
    if (mix === "floating") {
      patterns.add(floatingPattern(random));
      continue;
    }
    const hasWildcard = mix === "wildcards" || (mix === "mixed" && random.chance(0.2));
    patterns.add(hasWildcard ? wildcardPattern(random, isMany) : plainPattern(random, isMany));
  }
  return [...patterns];
}

/** A robots.txt with one group for `*` and these rules; one rule in twenty is an Allow. */
export function createRuleFile(count: number, mix: RuleMix, seed: number): string {
  const random = createRandom(seed, `rules ${mix} ${count}`);
  const lines = createPatterns(count, mix, seed).map(
    (pattern) => `${random.chance(0.05) ? "Allow" : "Disallow"}: ${pattern}`,
  );
  return `User-agent: *\n${lines.join("\n")}\n`;
}
