// Finds the directive of which an unknown key is probably a misspelling.
import { isBlank, lowerKeyOf } from "../read/bytes.ts";
import { knownRecords } from "../read/keys.ts";
import { editDistanceOf } from "../read/nearest.ts";

const ruleNames = ["user-agent", "allow", "disallow", "sitemap"];
const longestKey = 32;
/** The largest number of distinct keys of a file that are checked. */
const mostKeys = 500;

interface Name {
  readonly name: string;
  /** The letters and digits of the name, in lower case. */
  readonly letters: string;
  /** A key is a misspelling of the name if their edit distance is at most this. */
  readonly tolerance: number;
}

const names: readonly Name[] = [...ruleNames, ...knownRecords.map(({ name }) => name)].map((name) => {
  const letters = lettersOf(name);
  return { name, letters, tolerance: letters.length >= 8 ? 2 : 1 };
});

/** Finds the directive of which a key is a misspelling; caches at most `mostKeys` results. */
export class Speller {
  readonly #answers = new Map<string, string | undefined>();

  /** The directive of which a lower-case key is a misspelling, or undefined. Also undefined for a new key after `mostKeys` others. */
  meantBy(key: string): string | undefined {
    if (key.length > longestKey) return undefined;
    if (this.#answers.has(key)) return this.#answers.get(key);
    if (this.#answers.size === mostKeys) return undefined;
    const answer = nearest(lettersOf(key));
    this.#answers.set(key, answer);
    return answer;
  }
}

// Excludes ordinary words such as "host" and "comment", which may begin a sentence.
const startNames = names.filter(({ name }) => ruleNames.includes(name) || name.includes("-"));

/** The directive whose name is the first word of a lower-case text, or undefined. */
export function directiveAtStartOf(text: string): string | undefined {
  return startNames.find(({ name }) => text.startsWith(name) && !/[a-z0-9]/.test(text[name.length] ?? ""))?.name;
}

const insideNames = ["user-agent", "disallow", "allow", "sitemap", "crawl-delay"];

/**
 * The first of `insideNames` in a value, with its offset; undefined if there is none. The name is at the start of the value or after a
 * blank, and directly before a colon.
 */
export function directiveInside(
  bytes: Uint8Array,
  start: number,
  end: number,
): { readonly name: string; readonly at: number } | undefined {
  for (let colon = start; colon < end; colon++) {
    if (bytes[colon] !== 0x3a) continue;
    for (const name of insideNames) {
      const at = colon - name.length;
      if (at < start || (at > start && !isBlank(bytes[at - 1]!)) || lowerKeyOf(bytes, at, colon) !== name) continue;
      return { name, at };
    }
  }
  return undefined;
}

function lettersOf(key: string): string {
  return key.replaceAll(/[^a-z0-9]/g, "");
}

function nearest(letters: string): string | undefined {
  let found: string | undefined;
  let least = 3;
  for (const { name, letters: known, tolerance } of names) {
    if (Math.abs(known.length - letters.length) > tolerance) continue;
    const distance = editDistanceOf(letters, known);
    // With an edit distance of two, the first letters must be equal.
    if (distance > tolerance || (distance === 2 && letters[0] !== known[0]) || distance >= least) continue;
    least = distance;
    found = name;
  }
  return found;
}
