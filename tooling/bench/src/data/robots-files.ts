// Generates, from a seed, robots.txt files like those on the web: sizes, groups, patterns, comments, line ends and other records have the
// frequencies that were measured on real files.
import { type Random, createRandom, shuffled } from "./random.ts";
import { slugOf } from "./urls.ts";
import { crawlers, fileEndings, parameters, sections, words } from "./words.ts";

// Size distribution of 20,426 distinct real files: share of files up to a size in bytes. The mean size is 2 KB.
const sizeQuantiles: readonly (readonly [share: number, bytes: number])[] = [
  [0, 26],
  [0.5, 380],
  [0.9, 2400],
  [0.99, 28_000],
  [1, 107_000],
];

function sizeOf(share: number): number {
  let at = 1;
  while (sizeQuantiles[at]![0] < share) at++;
  const [lowShare, low] = sizeQuantiles[at - 1]!;
  const [highShare, high] = sizeQuantiles[at]!;
  return Math.round(low * (high / low) ** ((share - lowShare) / (highShare - lowShare)));
}

/** `count` files in random order, with the size distribution of real files. */
export function createRobotsFiles(count: number, seed: number): string[] {
  const random = createRandom(seed, "robots-files");
  const source = createPatternSource(seed);
  const sizes = Array.from({ length: count }, (_, at) => sizeOf((at + 0.5) / count));
  return shuffled(sizes, random).map((size, at) => createRobotsFile(size, random, source, `www.example${at}.com`));
}

/** One ordinary file of about this many bytes. */
export function createOrdinaryFile(bytes: number, seed: number): string {
  return createRobotsFile(bytes, createRandom(seed, `ordinary ${bytes}`), createPatternSource(seed), "www.example.com");
}

/** One file of about this many bytes whose rules are all in one group for `*`. */
export function createOneGroupFile(bytes: number, seed: number): string {
  const patterns = createPatterns(Math.ceil(bytes / 20), "mixed", seed);
  const random = createRandom(seed, `one group ${bytes}`);
  let text = "User-agent: *\n";
  for (let at = 0; text.length < bytes; at++) {
    text += `${random.chance(0.05) ? "Allow" : "Disallow"}: ${patterns[at % patterns.length]}\n`;
  }
  return text;
}

type PatternSource = (random: Random, isLong: boolean) => string;

function createPatternSource(seed: number): PatternSource {
  const common = createPatterns(250, "mixed", seed);
  const deep = createPatterns(15_000, "mixed", seed);
  return (random, isLong) => (random.chance(isLong ? 0.1 : 0.9) ? random.pickSkewed(common) : random.pick(deep));
}

function createRobotsFile(bytes: number, random: Random, pattern: PatternSource, host: string): string {
  const lineEnd = random.chance(0.35) ? "\r\n" : "\n";
  const lines: string[] = [];
  let size = 0;
  const add = (line: string): void => {
    lines.push(line);
    size += line.length + lineEnd.length;
  };
  const isLong = bytes > 8000;
  const sitemaps = random.chance(0.6) ? 1 + Math.floor(random.next() ** 4 * 6) : 0;
  const sitemapBytes = sitemaps * (host.length + 40);
  if (bytes > 300 && random.chance(0.4)) add(`# robots.txt of ${host}: ${random.pick(words)} ${random.pick(words)}`);
  while (size === 0 || size + sitemapBytes < bytes) {
    const names = lines.length < 2 || random.chance(0.15) ? ["*"] : [random.pick(crawlers)];
    while (names[0] !== "*" && random.chance(0.2)) names.push(random.pick(crawlers));
    for (const name of names) add(`${random.chance(0.9) ? "User-agent" : "User-Agent"}: ${name}`);
    if (random.chance(0.12)) add(`Crawl-delay: ${1 + random.below(20)}`);
    if (names[0] !== "*" && random.chance(0.5)) add("Disallow: /");
    else {
      const rules = isLong ? 20 + random.below(400) : 1 + Math.floor(random.next() ** 2 * 30);
      for (let at = 0; at < rules && (at === 0 || size + sitemapBytes < bytes); at++) {
        if (random.chance(0.03)) add(`# ${random.pick(words)} ${random.pick(words)}`);
        add(
          `${random.chance(0.06) ? "Allow" : "Disallow"}:${random.chance(0.95) ? " " : ""}${pattern(random, isLong)}`,
        );
      }
    }
    if (random.chance(0.7)) add("");
  }
  for (let at = 0; at < sitemaps; at++) add(`Sitemap: https://${host}/sitemap${at === 0 ? "" : `-${at}`}.xml`);
  const text = lines.join(lineEnd) + (random.chance(0.52) ? lineEnd : "");
  return random.chance(0.008) ? `\u{feff}${text}` : text;
}

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
