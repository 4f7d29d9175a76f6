// Finds the product token in the User-Agent header of a crawler that is not in the registry.
import { checkArgument } from "./errors.ts";
import { addressEndOf, escapeEndOf, isWordCode, wordEndOf } from "./header-words.ts";
import { comparisons, productTokenOf } from "./product-token-of.ts";
import { crawlerOf } from "./registry.ts";

/** The maximum number of characters of a name; longer words are ignored. */
const longestName = 64;

/** Words that mark a crawler, but are not its name: the name precedes them. */
const bareMarks: ReadonlySet<string> = setOf(
  "bot bots robot robots crawl crawler crawlers crawling spider spiders",
  "webbot webcrawler webspider web-crawler web-spider",
);

/** Words of browsers, systems and sentences, which name no crawler. */
const commonWords: ReadonlySet<string> = setOf(
  "mozilla compatible applewebkit khtml like gecko chrome chromium headlesschrome crios safari version mobile firefox",
  "fxios edg edge edga opr opera presto trident msie windows nt win64 wow64 macintosh intel ppc mac os linux ubuntu",
  "debian fedora android iphone ipad ipod cpu rv build wv u x11 x64 x86_64 i686 amd64 en en-us",
  "a an and at by contact for from http https in info is my of on or our see the this to url us visit web with www",
);

/** A fast test: matches every header that calls itself a crawler, and nearly no header of a browser. */
const possibleMarks = /bot|crawl|spider|:\/\/|@/i;

/** Programs that people use, whose comments may contain a URL: Internet Explorer names its extensions in this way. */
const personal = /msie|google desktop/i;

/** The longest text after an `@` that is read as the domain of a mail address. */
const longestDomain = 255;

function setOf(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}

/**
 * The product token in a User-Agent header that calls itself a crawler but names no crawler of the registry; undefined for browsers, other
 * programs, and crawlers of the registry. A header calls itself a crawler in one of two ways:
 *
 * 1. A word contains `crawl` or `spider`, or has `bot` (`bots`) at the end of a part of the word: `AcmeBot`, `acme_bot-images`, `BotPoke`,
 *    not `Bottle`. The first such word is the token. A bare `bot`, `crawler` or `spider` is not a token: the token is then the first word
 *    of the phrase (`Acme Web Crawler`), or of the last phrase before this one (`Acme; bot`).
 * 2. Otherwise, a URL or a mail address follows a plus sign, `+https://…`. The token is then the first word of the last product before the
 *    address (`Acme Fetcher/1.0`), otherwise of the last phrase (`(compatible; Acme; +https://…)`).
 * 3. Otherwise, a URL is in a comment, `(https://…)`, except in a header of Internet Explorer, or the header contains a mail address. The
 *    token is then the first word of the last product before the address, if that is in a comment; otherwise the first possible name in the
 *    header.
 *
 * The function ignores words in URLs and mail addresses, words after a word such as "like", words of browsers and systems, names of the
 * registry, and the comment with the system and model of an Android device (a brand of phones is called Cubot). A token consists of ASCII
 * letters, digits, `-`, `.` and `_`. It has at most 64 characters, at least one of them a letter. Accepts any string; linear in its length.
 */
export function unknownProductTokenOf(userAgentHeader: string): string | undefined {
  checkArgument(typeof userAgentHeader === "string", "A User-Agent header is a string");
  if (!possibleMarks.test(userAgentHeader) || productTokenOf(userAgentHeader) !== undefined) return undefined;
  return new Reading(userAgentHeader).token();
}

/** The state of one pass over a header. */
class Reading {
  readonly #text: string;
  #depth = 0;
  /** The nesting depth of the comment that describes an Android device; 0 outside such a comment. */
  #deviceDepth = 0;
  /** The word before the current one, in lower case; "" after a character that ends a phrase. */
  #before = "";
  /** The first possible name of the current phrase. A phrase ends at a version or at a character other than a space or "+". */
  #name: string | undefined;
  /** The first possible name of the last phrase that has a name, and of the last phrase that has a name and a version. */
  #lastName: string | undefined;
  #product: string | undefined;
  /** The first possible name in the header. */
  #firstName: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  token(): string | undefined {
    const text = this.#text;
    const isPersonal = personal.test(text);
    let byPlus: string | undefined;
    let byAddress: string | undefined;
    for (let at = 0; at < text.length;) {
      const code = text.charCodeAt(at);
      if (!isWordCode(code)) {
        at = this.#passBetween(code, at);
        continue;
      }
      const end = wordEndOf(text, at);
      const next = text.charCodeAt(end);
      const isUrl = next === 0x3a && text.startsWith("//", end + 1);
      if (isUrl || next === 0x40) {
        const addressEnd = addressEndOf(text, isUrl ? end + 3 : end);
        const isMail = !isUrl && isDomain(text, end + 1, addressEnd);
        if (isUrl || isMail) {
          const isInComment = this.#depth > 0 && (isMail || !isPersonal);
          if (text.charCodeAt(at - 1) === 0x2b) byPlus ??= this.#product ?? this.#name ?? this.#lastName;
          else if (isInComment) byAddress ??= this.#product ?? this.#firstName;
          else if (isMail) byAddress ??= this.#firstName;
        }
        at = addressEnd;
        this.#endPhrase();
        continue;
      }
      const marked = this.#takeWord(at, end);
      if (marked !== undefined) return marked;
      // The version of a product is not a name.
      at = next === 0x2f ? wordEndOf(text, end + 1) : end;
    }
    return byPlus ?? byAddress;
  }

  /** Moves past one character between words, or past an escape such as `%20`; returns the position after it. */
  #passBetween(code: number, at: number): number {
    if (code === 0x28) this.#depth++;
    else if (code === 0x29) {
      if (this.#depth <= this.#deviceDepth) this.#deviceDepth = 0;
      if (this.#depth > 0) this.#depth--;
    }
    // A plus sign is a space in the logs of IIS.
    if (code === 0x25) return escapeEndOf(this.#text, at);
    if (code !== 0x20 && code !== 0x2b) this.#endPhrase();
    return at + 1;
  }

  #endPhrase(): void {
    this.#before = "";
    this.#lastName = this.#name ?? this.#lastName;
    this.#name = undefined;
  }

  /** Processes a word; returns the token if the word shows that the sender is a crawler. */
  #takeWord(start: number, end: number): string | undefined {
    const text = this.#text;
    const before = this.#before;
    const word = end - start > longestName ? "" : trimmed(text.slice(start, end));
    const lower = word.toLowerCase();
    this.#before = lower;
    if (lower === "android" && this.#depth > 0) this.#deviceDepth = this.#depth;
    // Whether the word is part of a longer word with non-ASCII letters: "Şbot".
    const isPart = text.charCodeAt(start - 1) >= 0x80 || text.charCodeAt(end) >= 0x80;
    if (isPart || this.#deviceDepth > 0 || comparisons.has(before)) return undefined;
    if (bareMarks.has(lower)) return this.#name ?? this.#lastName;
    const isName = /[a-z]/.test(lower) && !commonWords.has(lower) && !lower.startsWith("www.");
    if (isName && crawlerOf(word) === undefined && !lower.startsWith("cubot")) {
      if (isMarked(word, lower)) return word;
      this.#name ??= word;
      this.#firstName ??= word;
    }
    if (text.charCodeAt(end) === 0x2f) {
      this.#product = this.#name ?? this.#product;
      this.#endPhrase();
    }
    return undefined;
  }
}

/** Whether the text from `start` to `end` is the domain of a mail address: labels and a name of letters at the end, not a version. */
function isDomain(text: string, start: number, end: number): boolean {
  return end - start <= longestDomain && /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\.?$/i.test(text.slice(start, end));
}

/** A word without punctuation at its ends. */
function trimmed(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && isPunctuation(word.charCodeAt(start))) start++;
  while (end > start && isPunctuation(word.charCodeAt(end - 1))) end--;
  return word.slice(start, end);
}

function isPunctuation(code: number): boolean {
  return code === 0x2d || code === 0x2e || code === 0x5f;
}

/** Whether a word of at most `longestName` characters has a mark of a crawler. */
function isMarked(word: string, lower: string): boolean {
  if (lower.includes("crawl") || lower.includes("spider")) return true;
  for (let at = lower.indexOf("bot"); at >= 0; at = lower.indexOf("bot", at + 1)) {
    const end = lower.startsWith("s", at + 3) ? at + 4 : at + 3;
    if (isEndOfPart(word, at + 3) || isEndOfPart(word, end)) return true;
  }
  return false;
}

/** Whether a part of a word ends at `at`: no letter follows, or a capital letter follows a small one. */
function isEndOfPart(word: string, at: number): boolean {
  const next = word.charAt(at);
  if (!/[A-Za-z]/.test(next)) return true;
  return /[A-Z]/.test(next) && /[a-z]/.test(word.charAt(at - 1));
}
