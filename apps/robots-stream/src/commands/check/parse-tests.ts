// Parses a file of decision tests, and returns its tests and mistakes. A test is a line "allow|disallow TOKEN URL [by LINE]".
import { locateUrl, printableOf, shownWordOf } from "@robots-stream/engine/internal";

/** One test: the expected decision about a URL for a product token. */
export interface DecisionTest {
  /** Number of the test's line in the file, from 1. */
  readonly line: number;
  readonly isAllowed: boolean;
  readonly productToken: string;
  /** The URL or path as it is written in the file, with control characters as escapes, and truncated to 2,000 characters. */
  readonly url: string;
  /** The URL's origin; undefined if the file has only a path. */
  readonly origin: string | undefined;
  readonly target: string;
  /** The number of the robots.txt line that must decide; undefined: any line may decide. */
  readonly by: number | undefined;
}

/** The tests in a file, and a message for each line that is not a test. */
export interface ParsedTests {
  readonly tests: readonly DecisionTest[];
  readonly mistakes: readonly { readonly line: number; readonly message: string }[];
}

/**
 * Parses the text of a file. `#` at the beginning of a line or after white space begins a comment. A product token with blanks must be in
 * quotation marks. Takes time linear in the length of the text.
 */
export function parseTests(text: string): ParsedTests {
  const tests: DecisionTest[] = [];
  const mistakes: { line: number; message: string }[] = [];
  for (const [index, whole] of text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .entries()) {
    const line = index + 1;
    const words = wordsOf(whole);
    if (words.length === 0) continue;
    const test = testOf(line, words);
    if (typeof test === "string") mistakes.push({ line, message: test });
    else tests.push(test);
  }
  return { tests, mistakes };
}

/** Returns the words of a line before its comment. A text in quotation marks is one word. */
function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  for (const [, quoted, word] of line.matchAll(/"([^"]*)"(?!\S)|(\S+)/g)) {
    if (word?.startsWith("#") === true) break;
    words.push(quoted ?? word!);
  }
  return words;
}

const form = "a test is: allow|disallow TOKEN URL [by LINE]";

function testOf(line: number, words: readonly string[]): DecisionTest | string {
  const [expected = "", productToken, url, by, number, ...more] = words;
  const answer = expected.toLowerCase();
  if (answer !== "allow" && answer !== "disallow") {
    const hint = answer.endsWith(":") ? "; a test has no colon" : "";
    return `${JSON.stringify(shownWordOf(expected, 40))} is neither allow nor disallow${hint}; ${form}`;
  }
  if (productToken === undefined || url === undefined)
    return `the ${url === undefined ? "URL" : "crawler"} is missing; ${form}`;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(productToken)) return `the crawler is missing before the URL; ${form}`;
  if (by !== undefined && (by !== "by" || !/^[1-9]\d{0,8}$/.test(number ?? "") || more.length > 0)) {
    return `only "by" and a line number may follow the URL; ${form}`;
  }
  const located = locateUrl(url.startsWith("/") ? `https://any.example${url}` : url);
  if (typeof located === "string")
    return `${shownWordOf(url, 100)} is neither an http or https URL nor a path that begins with "/"`;
  return {
    line,
    isAllowed: answer === "allow",
    productToken,
    url: printableOf(url, 2000),
    origin: url.startsWith("/") ? undefined : located.origin,
    target: located.target,
    by: number === undefined ? undefined : Number(number),
  };
}
