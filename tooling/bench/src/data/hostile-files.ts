// Generates hostile files of 500 KiB, one for each named shape, that are slow to parse, to build or to decide.
import { createRandom } from "./random.ts";

export const hostileFileBytes: number = 500 * 1024;

/** A file designed to be slow. */
export interface HostileFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const letters = "abcdefghijklmnopqrstuvwxyz";

/** Appends lines until the file is full. */
export function fileOfLines(name: string, line: (at: number) => string, start = "user-agent:*\n"): HostileFile {
  const lines = [start];
  let size = start.length;
  for (let at = 0; size < hostileFileBytes; at++) {
    const next = `${line(at)}\n`;
    lines.push(next);
    size += next.length;
  }
  return { name, bytes: new Uint8Array(Buffer.from(lines.join("").slice(0, hostileFileBytes), "latin1")) };
}

function fileOf(name: string, text: string): HostileFile {
  return fileOfLines(name, () => text, "");
}

/**
 * The number's digits in an alphabet of letters, at least `width` of them: a distinct text for each number. An alphabet of one letter gives
 * the same text for all numbers.
 */
export function textOfNumber(number: number, alphabet: string, width: number): string {
  let text = "";
  for (let rest = number; rest > 0 || text.length < width; rest = Math.floor(rest / alphabet.length)) {
    text = alphabet[rest % alphabet.length]! + text;
    if (alphabet.length === 1 && text.length >= width) break;
  }
  return text;
}

/** The fixed shapes. */
export function createHostileFiles(seed: number): HostileFile[] {
  const random = createRandom(seed, "hostile");
  const run = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[random.below(alphabet.length)]!).join("");
  const pieces = (count: number, alphabet: string, length: number): string =>
    Array.from({ length: count }, () => run(alphabet, length)).join("*");
  const long = (text: string): string =>
    text.repeat(Math.ceil(hostileFileBytes / text.length)).slice(0, hostileFileBytes);
  const rest = hostileFileBytes - 20;
  return [
    fileOf("blank lines", ""),
    fileOf("CRs", "\r".repeat(100)),
    fileOf("blanks", " ".repeat(500)),
    { name: "blanks, one line", bytes: new Uint8Array(Buffer.from(long(" "))) },
    fileOf("tabs before a word", `${"\t".repeat(300)}a`),
    fileOf("colons", ":"),
    fileOf("many colons", ":".repeat(50)),
    { name: "one line", bytes: new Uint8Array(Buffer.from(`disallow:/${long("a").slice(0, rest)}`)) },
    {
      name: "one line of stars",
      bytes: new Uint8Array(Buffer.from(`user-agent:*\ndisallow:/${long("*").slice(0, rest)}`)),
    },
    {
      name: "one line of a*",
      bytes: new Uint8Array(Buffer.from(`user-agent:*\ndisallow:/${long("a*").slice(0, rest)}`)),
    },
    fileOf("lines of 16 KB", `disallow:/${"a*".repeat(8000)}`),
    fileOf("lines of 17 KB", `disallow:/${"%aa".repeat(5700)}`),
    fileOf("comments", "#"),
    fileOf("NULs", "\0"),
    fileOf("high bytes", "\xff"),
    fileOf("words without a colon", "allow a"),
    fileOf("three words without a colon", "a b c"),
    fileOfLines("unknown keys", (at) => `${textOfNumber(at, letters, 2)}:`),
    fileOfLines("unknown long keys", (at) => `request-rat${textOfNumber(at, letters, 1)}:`),
    fileOf("crawl-delays", "crawl-delay:1"),
    fileOf("sitemaps", "sitemap:a"),
    fileOf("hosts", "host:a"),
    fileOf("user-agents", "user-agent:a"),
    fileOf("user-agents for everybody", "user-agent:*"),
    fileOfLines("user-agents, long, all but one letter", (at) => `user-agent:bingbo${textOfNumber(at, letters, 1)}`),
    fileOf("user-agents, misspelt", "useragent:bingbot"),
    fileOf("tiny groups", "user-agent:*\nallow:"),
    fileOf("tiny groups, named", "user-agent:bingbot\nallow:/"),
    fileOfLines(
      "tiny groups, two names",
      (at) => `user-agent:${at % 2 === 0 ? "bingbot" : "x"}\nallow:/${textOfNumber(at, letters, 2)}`,
    ),
    fileOfLines("empty rules", () => "allow:"),
    fileOfLines("stars", () => "allow:*"),
    fileOfLines("short stars", () => "disallow:/*a"),
    fileOfLines("folders", () => "disallow:/"),
    fileOfLines("index.htm", () => "allow:/index.htm"),
    fileOfLines("distinct index.htm", (at) => `allow:/${textOfNumber(at, letters, 2)}/index.htm`),
    fileOfLines("index.htm behind stars", (at) => `allow:*${textOfNumber(at, "ab", 3)}/index.htm`),
    fileOfLines("escapes", () => `disallow:/${"%e9".repeat(30)}`),
    fileOfLines("high bytes in rules", () => `disallow:/${"\xe9".repeat(90)}`),
    fileOfLines("plain rules, one deeper than the other", (at) => `disallow:/${"a".repeat(at % 1000)}`),
    fileOfLines("plain rules, many branches", (at) => `disallow:/${textOfNumber(at, letters, 4)}`),
    fileOfLines(
      "plain rules, one letter apart at the end",
      (at) => `disallow:/${"a".repeat(200)}${textOfNumber(at, letters, 3)}`,
    ),
    fileOfLines("one-letter stars", (at) => `allow:*${letters[at % 26]}`),
    fileOfLines("two-letter stars that miss", (at) => `allow:*a${letters[1 + (at % 25)]}`),
    fileOfLines("two-letter stars", (at) => `allow:*${textOfNumber(at, letters, 2)}`),
    fileOfLines("three-letter stars", (at) => `allow:*${textOfNumber(at % 17_576, letters, 3)}~`),
    fileOfLines("distinct wildcard rules of common grams", (at) => `allow:*${textOfNumber(at, "abc", 9)}`),
    fileOfLines("distinct wildcard rules of random grams", () => `allow:*${run("abcdef", 8)}`),
    fileOfLines("two pieces, the second missing", (at) => `allow:*${textOfNumber(at, "abcd", 5)}*~`),
    fileOfLines("three pieces, the last at the end", (at) => `allow:*${textOfNumber(at, "abcd", 5)}*a*b$`),
    fileOfLines("a…ab", () => `allow:*${"a".repeat(15)}b`),
    fileOfLines("a…ab, long", () => `allow:*${"a".repeat(4000)}b`),
    fileOfLines("a…ab of all lengths", (at) => `allow:*${"a".repeat(3 + (at % 400))}b`),
    fileOfLines("a…aba…a", (at) => `allow:*${"a".repeat(at % 60)}b${"a".repeat(20)}c`),
    fileOfLines("many stars, then a letter that is missing", () => `allow:/${"*a".repeat(100)}*~`),
    fileOfLines("many stars, each different", (at) => `allow:/${textOfNumber(at, "ab", 16).split("").join("*")}*~`),
    fileOfLines("stars with the end tied", (at) => `allow:/*${textOfNumber(at, letters, 3)}$`),
    fileOfLines("questions", (at) => `disallow:/*?*${textOfNumber(at, letters, 2)}=`),
    fileOfLines(
      "long common start, then a star",
      (at) => `disallow:/${"a".repeat(500)}*${textOfNumber(at, letters, 2)}`,
    ),
    fileOfLines(
      "allow and disallow of one pattern",
      (at) => `${at % 2 === 0 ? "allow" : "disallow"}:*${"ab".repeat(20)}c`,
    ),
    fileOfLines(
      "hash twins",
      (at) => `allow:*${String.fromCodePoint(0x21 + (at % 90))}${textOfNumber(at >> 3, "01", 2)}x`,
    ),
    fileOfLines("a hundred pieces of four letters", () => `allow:/*${pieces(100, "abc", 4)}*`),
    fileOfLines("five pieces of five letters, then one that is missing", () => `allow:*${pieces(5, "abcd", 5)}*~`),
    fileOfLines(
      "a thousand pieces of a letter or two, then one that is missing",
      (at) => `allow:*${Array.from({ length: 1000 }, (_, piece) => ["u", "u", "au"][(at + piece) % 3]).join("*")}~`,
    ),
    fileOfLines("runs of all lengths behind another letter", (at) => `allow:*b*${"a".repeat(1 + (at % 900))}*c*b`),
  ];
}
