// Finds the kind of directive from the key of a line, forgiven misspellings included (RFC 9309 §2.2).
import { lowerByte } from "./bytes.ts";

/** Kinds of lines. `NONE`: not a directive. `OTHER`: a directive with a key that is not listed here. */
export const NONE = 0;
export const USER_AGENT = 1;
export const ALLOW = 2;
export const DISALLOW = 3;
export const SITEMAP = 4;
export const OTHER = 5;
export type DirectiveKind = 0 | 1 | 2 | 3 | 4 | 5;

interface Spelling extends KeyMeaning {
  readonly text: string;
}

// In the order in which Google's parser tries the spellings. The first spelling that is a prefix of the key wins.
const spellings: readonly Spelling[] = [
  { kind: USER_AGENT, text: "user-agent", typo: false },
  // Google-only: forgiven typos.
  { kind: USER_AGENT, text: "useragent", typo: true },
  { kind: USER_AGENT, text: "user agent", typo: true },
  { kind: ALLOW, text: "allow", typo: false },
  { kind: DISALLOW, text: "disallow", typo: false },
  { kind: DISALLOW, text: "dissallow", typo: true },
  { kind: DISALLOW, text: "dissalow", typo: true },
  { kind: DISALLOW, text: "disalow", typo: true },
  { kind: DISALLOW, text: "diasllow", typo: true },
  { kind: DISALLOW, text: "disallaw", typo: true },
  { kind: SITEMAP, text: "sitemap", typo: false },
  { kind: SITEMAP, text: "site-map", typo: true },
];
const spellingsByFirst: readonly (readonly Spelling[])[] = Array.from({ length: 0x80 }, (_, byte) =>
  spellings.filter((spelling) => spelling.text.charCodeAt(0) === lowerByte(byte)),
);
const noSpellings: readonly Spelling[] = [];

/** The kind of directive that a key means, and whether the key is a forgiven misspelling. */
export interface KeyMeaning {
  readonly kind: DirectiveKind;
  readonly typo: boolean;
}

const otherKey: KeyMeaning = { kind: OTHER, typo: false };

/**
 * The meaning of a non-empty key. Google-only: with `lenient` a key has the meaning of the known spelling, or of the known typo,
 * that it begins with. Without `lenient`, the key must be spelled as in the grammar; letter case is ignored.
 */
export function meaningOfKey(bytes: Uint8Array, start: number, end: number, lenient: boolean): KeyMeaning {
  const length = end - start;
  for (const spelling of spellingsByFirst[bytes[start]!] ?? noSpellings) {
    const { text, typo } = spelling;
    if (lenient ? text.length > length : typo || text.length !== length) continue;
    let at = 1;
    while (at < text.length && lowerByte(bytes[start + at]!) === text.charCodeAt(at)) at++;
    if (at === text.length) return spelling;
  }
  return otherKey;
}
