// A finding → one sentence in English.
import type { Finding, FindingArgs, FindingCode } from "./findings.ts";

/** The sentence of each code. */
const sentences: { readonly [Code in FindingCode]: (args: FindingArgs[Code]) => string } = {
  bom: () => "The file begins with a byte order mark; Google skips it, simpler crawlers lose the first line.",
  "utf-16": () => "The file is UTF-16, of which crawlers read nothing; it must be UTF-8.",
  "not-robots-txt": ({ what }) => `This is ${what}, not a robots.txt.`,
  "too-large": ({ bytes, limit }) =>
    `The file has ${bytes} bytes; crawlers need not read more than ${limit}, so the rest from here on does not count.`,
  "cr-only": () => "This line ends with CR alone; some crawlers take all such lines for one.",
  "no-group": () => "There is no user-agent line, so every crawler may fetch everything.",

  "invalid-utf8": ({ byte }) => `Byte ${byte} is not UTF-8 here; robots.txt must be UTF-8.`,
  nul: () => "Of this line nothing is read from the NUL on.",
  "control-character": ({ character }) => `Control character ${character} does not belong into a robots.txt.`,
  "invisible-character": ({ character }) =>
    `Here is ${character}, an invisible character, which becomes a part of the text around it.`,
  "line-too-long": ({ bytes, limit }) => `The line has ${bytes} bytes; Google reads ${limit} and drops the rest.`,

  "forgiven-typo": ({ key, meant }) => `${quoted(key)} is read as ${meant} by Google; other crawlers ignore the line.`,
  "prefix-key": ({ key, meant }) =>
    `${quoted(key)} is read as ${meant} by Google, as it begins so; other crawlers ignore the line.`,
  "misspelled-directive": ({ key, meant }) =>
    `${quoted(key)} is no directive, the line is ignored; did you mean ${meant}?`,
  "forgiven-colon": ({ name }) =>
    `The colon after ${name} is missing; Google forgives that, other crawlers ignore the line.`,
  "missing-colon": ({ name, text }) => `${quoted(text)} is ignored: there is no colon after ${name}.`,
  "misplaced-colon": ({ name, value }) =>
    `The first colon of the line counts, and it is not the one after ${name}: the value is ${quoted(value)}.`,
  "several-directives": ({ name }) =>
    `Here ${name} begins no line, so it is a part of the value; each directive needs a line of its own.`,
  "html-line": ({ text }) => `${quoted(text)} is HTML and ignored; comments begin with #.`,
  "not-a-directive": ({ text }) => `${quoted(text)} is no directive and ignored; comments begin with #.`,
  "unknown-directive": ({ key }) => `No crawler is known to read ${quoted(key)}.`,

  "empty-user-agent": () => "The user-agent line names no crawler.",
  "no-token": ({ value }) =>
    `${quoted(value)} begins with no product token ([A-Za-z_-]), so for Google it names no crawler.`,
  "token-cut": ({ value, token }) =>
    `Google reads ${quoted(value)} as ${quoted(token)}: a product token ends at the first other character than [A-Za-z_-].`,
  "user-agent-version": ({ value, token }) =>
    `${quoted(value)} is read as ${quoted(token)}: robots.txt names crawlers without version.`,
  "user-agent-header": ({ value, token }) =>
    `${quoted(value)} is a User-Agent header, read as ${quoted(token)}; robots.txt wants the product token alone.`,
  "several-names": ({ value, token }) =>
    `Of ${quoted(value)} only ${quoted(token)} is read; each name needs a user-agent line of its own.`,
  "star-and-text": ({ value }) => `${quoted(value)} means * for Google and no crawler by the standard; write * alone.`,
  "repeated-user-agent": ({ token, firstLine }) => `${quoted(token)} is named on line ${firstLine} already.`,
  "duplicate-group": ({ token, firstLine }) =>
    `${quoted(token)} has a group from line ${firstLine} on; the standard joins them, simpler crawlers read only one.`,
  "joined-groups": ({ afterLine, byLine, by, key }) => {
    const between =
      by === "blank" ? "The blank line" : by === "text" ? "The text" : key === "" ? "The directive" : quoted(key);
    return `${between} on line ${byLine} does not end the group of line ${afterLine}: the rules below bind both.`;
  },
  "group-without-rules": ({ token }) => `The group of ${quoted(token)} has no rules: everything is allowed.`,
  "unbound-by-star": ({ token }) =>
    `The group of ${quoted(token)} has no rules, and those for * do not bind ${quoted(token)}: everything is allowed.`,
  "allow-only-group": ({ token }) =>
    `All rules of ${quoted(token)} allow, so everything is allowed, not only what they say.`,

  "rule-outside-group": ({ type, pattern }) =>
    `"${type}: ${printable(pattern)}" is before the first user-agent line and binds no crawler.`,
  "pattern-never-matches": ({ pattern, meant }) =>
    `${quoted(pattern)} matches nothing, as every path begins with /; did you mean ${quoted(meant)}?`,
  "url-as-pattern": ({ pattern, meant }) =>
    `${quoted(pattern)} matches nothing: rules speak about paths; did you mean ${quoted(meant)}?`,
  "several-paths": ({ pattern }) =>
    `${quoted(pattern)} is one pattern and matches nothing; each path needs a line of its own.`,
  "blank-in-pattern": ({ pattern }) => `${quoted(pattern)} matches nothing: in a URL a blank is %20.`,
  "hash-in-value": ({ value, rest }) =>
    `${quoted(rest)} is a comment, the value is ${quoted(value)}; in a URL # is %23.`,
  "useless-star": ({ pattern, meant }) =>
    `The * at the end changes nothing in what ${quoted(pattern)} matches: ${quoted(meant)} is the same.`,
  "double-star": ({ pattern }) => `Several * in a row are one: ${quoted(pattern)}.`,
  "useless-end": ({ pattern, meant }) =>
    `The *$ at the end changes nothing in what ${quoted(pattern)} matches: ${quoted(meant)} is the same.`,
  "dollar-inside": ({ pattern }) =>
    `Only at the end $ is the end of a path; in ${quoted(pattern)} this one is an ordinary character.`,
  "escaped-special": ({ escape, character }) =>
    `${printable(escape)} is a literal ${character} by the standard; Google compares it as the three characters it is.`,
  "needless-escape": ({ escape, character }) =>
    `${printable(escape)} is ${character} by the standard; Google compares it as the three characters it is.`,
  "broken-escape": ({ escape }) => `${quoted(escape)} is no escape: % and two hex digits; in a URL % itself is %25.`,
  "lower-case-escape": ({ escape, meant }) => `${printable(escape)} is compared as ${printable(meant)}.`,
  "raw-non-ascii": ({ pattern, meant }) =>
    `${quoted(pattern)} is compared as ${quoted(meant)}; simpler crawlers do not convert it.`,
  "empty-rule": () => "An empty disallow beside other rules changes nothing.",
  "empty-allow": () => "An empty allow changes nothing.",
  "matches-robots-txt": ({ pattern }) =>
    `${quoted(pattern)} matches /robots.txt too, which crawlers fetch all the same.`,
  "duplicate-rule": ({ type, pattern, firstLine }) =>
    `"${type}: ${printable(pattern)}" matches the same as line ${firstLine}.`,
  "contradicted-rule": ({ type, pattern, winner, winnerLine }) =>
    `"${type}: ${printable(pattern)}" never decides: ${quoted(winner)} on line ${winnerLine} matches the same and wins.`,
  "redundant-rule": ({ type, pattern, by, byLine }) =>
    `"${type}: ${printable(pattern)}" changes nothing: ${quoted(by)} on line ${byLine} decides the same.`,
  "needless-allow": ({ pattern }) =>
    `"allow: ${printable(pattern)}" changes nothing: no rule that it outweighs disallows any of it.`,

  "partly-read-record": ({ name, readers }) => `${name} is read by ${readers}; Google and others ignore it.`,
  "unread-record": ({ name, source }) => `No crawler is known to read ${name} (${source}).`,
  "noindex-record": () =>
    "Google stopped reading noindex in robots.txt in 2019; use a robots meta tag or X-Robots-Tag.",
  "host-record": () => "Yandex stopped reading host in 2018, and no other crawler is known to read it; use redirects.",
  "empty-record": ({ name }) => `${name} has no value.`,
  "record-outside-group": ({ name }) => `${name} belongs to a group, and stands before any user-agent line.`,
  "crawl-delay-value": ({ value }) => `${quoted(value)} is no number of seconds, such as 5 or 0.5.`,
  "crawl-delay-large": ({ seconds }) =>
    `A delay of ${seconds} seconds lets a crawler fetch ${pagesADay(seconds)}; most cap or ignore it.`,
  "crawl-delay-repeated": ({ firstLine }) => `The group has a crawl-delay on line ${firstLine} already.`,
  "sitemap-relative": ({ value }) =>
    `${quoted(value)} is not a whole URL; a sitemap's has to begin with https:// or http://.`,
  "sitemap-scheme": ({ value, scheme }) =>
    `${quoted(value)}: sitemaps are fetched over http and https, not ${printable(scheme)}.`,
  "sitemap-blank": ({ value }) =>
    `${quoted(value)} holds a blank; each sitemap needs a line of its own, and in a URL a blank is %20.`,
  "sitemap-repeated": ({ firstLine }) => `This sitemap stands on line ${firstLine} already.`,

  "more-findings": ({ code, count }) => `${count} more of ${code} from here on.`,
};

/** A finding in one sentence. Control characters and invisible characters of the file are escaped. */
export function sentenceOf(finding: Finding): string {
  // The table pairs each code with a function of that code's data.
  const sentence = sentences[finding.code] as (args: Finding["args"]) => string;
  return sentence(finding.args);
}

function pagesADay(seconds: number): string {
  const pages = Math.floor(86_400 / seconds);
  return pages < 1 ? "not even one page a day" : `${pages} page${pages === 1 ? "" : "s"} a day`;
}

function quoted(text: string): string {
  return `"${printable(text)}"`;
}

/** A text of the file on one line, with escapes for control characters and invisible characters. */
function printable(text: string): string {
  return text.replaceAll(
    // oxlint-disable-next-line no-control-regex
    /[\x00-\x1f\x7f-\xa0\xad\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb\ud800-\udfff]/gu,
    (character) => {
      const hex = character.codePointAt(0)!.toString(16);
      return hex.length > 2 ? `\\u${hex.padStart(4, "0")}` : `\\x${hex.padStart(2, "0")}`;
    },
  );
}
