// Describes the bytes of a robots.txt: size, lines, encoding, managed blocks, and whether they are a robots.txt at all.
import type { RobotsTxt } from "@robots-stream/core";
import { textOf } from "@robots-stream/core/internal";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** The size up to which every crawler reads a file (RFC 9309 §2.5). */
const leastReadBytes = 512_000;

/** The least value of each class of numbers. */
const sizeClasses = [0, 1, 100, 1_000, 10_000, 100_000, leastReadBytes + 1] as const;
const lineClasses = [0, 1, 10, 100, 1_000, 10_000] as const;
const sitemapClasses = [0, 1, 2, 6, 51] as const;

/** The class of a number, such as "100–999"; the last class is "512,001 or more". */
function classOf(count: number, classes: readonly number[]): string {
  const at = classes.findLastIndex((least) => count >= least);
  const [from, next] = [classes[at]!, classes[at + 1]];
  if (next === undefined) return `${from} or more`;
  return next === from + 1 ? String(from) : `${from}–${next - 1}`;
}

/** The class of a file's size. `isCut`: only the beginning of the file is known. */
export function sizeClassOf(bytes: number, isCut: boolean): string {
  return classOf(isCut ? Math.max(bytes, leastReadBytes + 1) : bytes, sizeClasses);
}

/** The class of the number of lines, of which the last needs no line end. */
export function lineClassOf(bytes: Uint8Array): string {
  let lines = 0;
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    const isEnd = bytes[at] === lineFeed || (bytes[at] === carriageReturn && bytes[at + 1] !== lineFeed);
    if (!isEnd) continue;
    lines++;
    start = at + 1;
  }
  return classOf(start < bytes.length ? lines + 1 : lines, lineClasses);
}

/** The class of the number of Sitemap lines. */
export function sitemapClassOf(count: number): string {
  return classOf(count, sitemapClasses);
}

declare const TextDecoder: new (label: string, options: { fatal: boolean }) => { decode(bytes: Uint8Array): string };
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** The encoding that the bytes show. */
export function encodingOf(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return "utf-16";
  const isMarked = first === 0xef && second === 0xbb && third === 0xbf;
  if (!isMarked && isAscii(bytes)) return "ascii";
  try {
    strictUtf8.decode(bytes);
    return isMarked ? "utf-8 with a byte order mark" : "utf-8";
  } catch {
    return "other";
  }
}

function isAscii(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if (bytes[at]! >= 0x80) return false;
  return true;
}

/** The line that begins a managed block, as the service or the program writes it. */
const markers: readonly (readonly [block: string, line: RegExp])[] = [
  ["Cloudflare", /^[ \t]*# begin cloudflare managed content[ \t]*$/im],
  ["Yoast SEO", /^[ \t]*# start yoast block[ \t]*$/im],
];

/** The managed blocks in a file. Only a block's own first line counts, not the rules in it. */
export function managedBlocksOf(text: string): readonly string[] {
  return markers.flatMap(([block, line]) => (line.test(text) ? [block] : []));
}

/** Matches control characters that no text has. */
// oxlint-disable-next-line no-control-regex
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;
const kinds: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["HTML or XML", /^\s*</],
  ["JSON", /^\s*[{[]/],
  ["binary data", binary],
];

/**
 * The kind of a file that is no robots.txt; undefined for a robots.txt. A file with a user-agent line or a Sitemap line, as Google's parser
 * finds them, is a robots.txt, however it begins.
 */
export function otherKindOf(bytes: Uint8Array, robots: RobotsTxt, isNamed: boolean): string | undefined {
  const beginning = textOf(bytes, 0, Math.min(bytes.length, 512));
  const kind = kinds.find(([, pattern]) => pattern.test(beginning))?.[0];
  if (kind === undefined || isNamed) return undefined;
  return robots.records.some(({ name }) => name === "sitemap") ? undefined : kind;
}
