// Explains a finding in one English sentence.
import { CoreError } from "../read/errors.ts";
import type { Finding, FindingArgs, FindingCode } from "./findings.ts";
import { visibleTextOf } from "../read/visible.ts";

/** The sentence of each code. */
const sentences: { readonly [Code in FindingCode]: (args: FindingArgs[Code]) => string } = {
  bom: () => "The file begins with a byte order mark; Google skips it, simpler crawlers lose the first line.",
  "utf-16": () => "The file is UTF-16, which crawlers cannot read; it must be UTF-8.",
  "not-robots-txt": ({ what }) => `This is ${what}, not a robots.txt.`,
  "too-large": ({ bytes, limit }) =>
    `The file has ${bytes} bytes; crawlers need not read more than ${limit}, so everything from here on may be ignored.`,
  "cr-only": () => "This line ends with CR alone; some crawlers read all such lines as one.",
  "no-group": () => "There is no user-agent line, so every crawler may fetch everything.",

  "invalid-utf8": ({ byte }) => `Byte ${byte} is not UTF-8 here; robots.txt must be UTF-8.`,
  nul: () => "The line is read only up to the NUL.",
  "control-character": ({ character }) => `Control character ${character} is not allowed in a robots.txt.`,
  "invisible-character": ({ character }) =>
    `The invisible character ${character} is read as part of the text around it.`,
  "line-too-long": ({ bytes, limit }) => `The line has ${bytes} bytes; Google reads ${limit} and drops the rest.`,

  "forgiven-typo": ({ key, meant }) => `${quoted(key)} is read as ${meant} by Google; other crawlers ignore the line.`,
  "prefix-key": ({ key, meant }) =>
    `Google reads ${quoted(key)} as ${meant} because of its beginning; other crawlers ignore the line.`,
  "misspelled-directive": ({ key, meant }) =>
    `${quoted(key)}${lookAlikeIn(key)} is not a directive, and the line is ignored; did you mean ${meant}?`,
  "forgiven-colon": ({ name }) =>
    `The colon after ${name} is missing; Google forgives that, other crawlers ignore the line.`,
  "missing-colon": ({ name, text }) =>
    `${quoted(text)}${lookAlikeIn(text)} is ignored: there is no colon after ${name}.`,
  "misplaced-colon": ({ name, value }) =>
    `The key ends at the first colon of the line, which is not the one after ${name}: the value is ${quoted(value)}.`,
  "several-directives": ({ name }) =>
    `${name} does not begin a line here, so it is part of the value; each directive needs a line of its own.`,
  "html-line": ({ text }) => `${quoted(text)} is HTML and is ignored; comments begin with #.`,
  "not-a-directive": ({ text }) =>
    /^https?:\/\/\S+$/i.test(text)
      ? `${quoted(text)} is not a directive and is ignored; a sitemap is written "Sitemap: ${printable(text)}".`
      : `${quoted(text)} is not a directive and is ignored; comments begin with #.`,
  "unknown-directive": ({ key }) =>
    /^(?:ai-train|ai-input|search)$/i.test(key)
      ? `No crawler is known to read ${quoted(key)}; a preference is written "Content-Signal: ${printable(key.toLowerCase())}=no".`
      : `No crawler is known to read ${quoted(key)}.`,

  "empty-user-agent": () => "The user-agent line names no crawler.",
  "no-token": ({ value }) =>
    `${quoted(value)} does not begin with a product token ([A-Za-z_-]), so Google reads an empty name.`,
  "token-cut": ({ value, token }) =>
    `Google reads ${quoted(value)} as ${quoted(token)}: a product token ends at the first character outside [A-Za-z_-].`,
  "user-agent-version": ({ value, token }) =>
    `${quoted(value)} is read as ${quoted(token)}: robots.txt names crawlers without a version.`,
  "user-agent-header": ({ value, token }) =>
    `${quoted(value)} is a User-Agent header, read as ${quoted(token)}; write only the product token.`,
  "several-names": ({ value, token }) =>
    `Only ${quoted(token)} of ${quoted(value)} is read; each name needs a user-agent line of its own.`,
  "star-and-text": ({ value }) => `${quoted(value)} means * to Google and no crawler in the standard; write only *.`,
  "repeated-user-agent": ({ token, firstLine }) => `${quoted(token)} is already named on line ${firstLine}.`,
  "duplicate-group": ({ token, firstLine }) =>
    `${quoted(token)} already has a group on line ${firstLine}; the standard combines both, simpler crawlers read only one.`,
  "joined-groups": ({ afterLine, byLine, by, key }) => {
    const between =
      by === "blank" ? "The blank line" : by === "text" ? "The text" : key === "" ? "The directive" : quoted(key);
    return `${between} on line ${byLine} does not end the group of line ${afterLine}: the rules below apply to both.`;
  },
  "group-without-rules": ({ token }) => `The group of ${quoted(token)} has no rules: everything is allowed.`,
  "unbound-by-star": ({ token }) =>
    `The group of ${quoted(token)} has no rules, and the rules for * do not apply to ${quoted(token)}: everything is allowed.`,
  "allow-only-group": ({ token }) =>
    `${quoted(token)} has only allow rules, so everything is allowed, not only what they match.`,

  "rule-outside-group": ({ type, pattern }) =>
    `"${type}: ${printable(pattern)}" is before the first user-agent line and applies to no crawler.`,
  "pattern-never-matches": ({ pattern, meant }) =>
    `${quoted(pattern)} matches nothing, because every path begins with /; did you mean ${quoted(meant)}?`,
  "url-as-pattern": ({ pattern, meant }) =>
    `${quoted(pattern)} matches nothing: a rule is compared with paths; did you mean ${quoted(meant)}?`,
  "several-paths": ({ pattern }) =>
    `${quoted(pattern)} is one pattern and matches nothing; each path needs a line of its own.`,
  "blank-in-pattern": ({ pattern }) =>
    `${quoted(pattern)} matches nothing: ${/ (?:\/\/|;)|</.test(pattern) ? "comments begin with #, and " : ""}a blank in a URL is written %20.`,
  "host-in-path": ({ pattern, meant }) =>
    `${quoted(pattern)} is a path that begins with the name of a host; a rule is compared with paths; did you mean ${quoted(meant)}?`,
  "joined-paths": ({ pattern }) => `${quoted(pattern)} is one pattern, not several; each path needs a line of its own.`,
  "hash-in-value": ({ value, rest }) =>
    `${quoted(rest)} is a comment, and the value is ${quoted(value)}; a # in a URL is written %23.`,
  "useless-star": ({ pattern, meant }) =>
    `The * at the end has no effect on what ${quoted(pattern)} matches: ${quoted(meant)} matches the same.`,
  "double-star": ({ pattern }) => `Several * in a row match the same as one: ${quoted(pattern)}.`,
  "useless-end": ({ pattern, meant }) =>
    `The *$ at the end has no effect on what ${quoted(pattern)} matches: ${quoted(meant)} matches the same.`,
  "dollar-inside": ({ pattern }) =>
    `$ means the end of a path only at the end of a pattern; in ${quoted(pattern)} it is an ordinary character.`,
  "escaped-special": ({ escape, character }) =>
    `${printable(escape)} is a literal ${character} in the standard; Google compares the three characters as they are.`,
  "needless-escape": ({ escape, character }) =>
    `${printable(escape)} is ${character} in the standard; Google compares the three characters as they are.`,
  "broken-escape": ({ escape }) =>
    `${quoted(escape)} is not an escape (% and two hex digits); a % in a URL is written %25.`,
  "lower-case-escape": ({ escape, meant }) => `${printable(escape)} is compared as ${printable(meant)}.`,
  "raw-non-ascii": ({ pattern, meant }) =>
    `${quoted(pattern)}${lookAlikeIn(pattern)} is compared as ${quoted(meant)}; simpler crawlers do not convert it.`,
  "empty-rule": () => "An empty disallow beside other rules changes nothing.",
  "empty-allow": () => "An empty allow changes nothing.",
  "matches-robots-txt": ({ pattern }) => `${quoted(pattern)} also matches /robots.txt, which crawlers fetch anyway.`,
  "duplicate-rule": ({ type, pattern, firstLine }) =>
    `"${type}: ${printable(pattern)}" matches the same as line ${firstLine}.`,
  "contradicted-rule": ({ type, pattern, winner, winnerLine }) =>
    `"${type}: ${printable(pattern)}" never decides: ${quoted(winner)} on line ${winnerLine} matches the same and wins.`,
  "redundant-rule": ({ type, pattern, by, byLine }) =>
    `"${type}: ${printable(pattern)}" changes nothing: ${quoted(by)} on line ${byLine} decides the same.`,
  "needless-allow": ({ pattern }) =>
    `"allow: ${printable(pattern)}" changes nothing: no disallow rule that it outranks matches any of its paths.`,

  "partly-read-record": ({ name, readers }) => `${name} is read by ${readers}; Google and others ignore it.`,
  "unread-record": ({ name, source }) => `No crawler is known to read ${name} (${source}).`,
  "noindex-record": () =>
    "Google stopped reading noindex in robots.txt in 2019; use a robots meta tag or X-Robots-Tag.",
  "host-record": () => "Yandex stopped reading host in 2018, and no other crawler is known to read it; use redirects.",
  "empty-record": ({ name }) => `${name} has no value.`,
  "record-outside-group": ({ name }) => `${name} belongs in a group, but is before the first user-agent line.`,
  "crawl-delay-value": ({ value }) => `${quoted(value)} is not a number of seconds, such as 5 or 0.5.`,
  "crawl-delay-large": ({ seconds }) =>
    `A delay of ${seconds} seconds lets a crawler fetch ${pagesADay(seconds)}; most crawlers cap or ignore it.`,
  "crawl-delay-repeated": ({ firstLine }) => `The group already has a crawl-delay on line ${firstLine}.`,
  "sitemap-relative": ({ value }) =>
    `${quoted(value)} is not a whole URL; the URL of a sitemap must begin with https:// or http://.`,
  "sitemap-scheme": ({ value, scheme }) =>
    `${quoted(value)}: sitemaps are fetched over http and https, not ${printable(scheme)}.`,
  "sitemap-blank": ({ value }) =>
    `${quoted(value)} contains a blank; each sitemap needs a line of its own, and a blank in a URL is written %20.`,
  "sitemap-repeated": ({ firstLine }) => `This sitemap is already on line ${firstLine}.`,
  "license-relative": ({ value }) =>
    `${quoted(value)} is not a whole URL; the URL of a licence must begin with a scheme.`,

  "usage-path-without-slash": ({ name, path, meant }) =>
    `${quoted(path)} does not begin with /, so ${name} has no path here and the whole value is its statement, which says nothing; did you mean ${quoted(meant)}?`,
  "usage-upper-case": ({ key, meant }) =>
    `Keys of content-usage are lower case; ${quoted(key)} makes the whole line say nothing; did you mean ${quoted(meant)}?`,
  "usage-not-a-dictionary": ({ rest }) =>
    rest === ""
      ? "content-usage is not a dictionary (RFC 9651 §3.2) at its end, so the whole line says nothing."
      : `content-usage is not a dictionary (RFC 9651 §3.2) from ${quoted(rest)} on, so the whole line says nothing.`,
  "usage-unknown-key": ({ name, key, since, meant }) =>
    since === ""
      ? `${quoted(key)} has no meaning in ${name}${meant === "" ? "." : `; did you mean ${quoted(meant)}?`}`
      : `${quoted(key)} has no meaning in ${name} since draft-ietf-aipref-vocab-${since}${
          meant === ""
            ? ", and no key stands for all uses: write train-ai, search and ai-use one by one."
            : `; write ${quoted(meant)}.`
        }`,
  "usage-unknown-value": ({ name, statement, key, values }) =>
    `${quoted(statement)} says nothing in ${name}: ${key} has the values ${values}.`,
  "usage-contradicted": ({ token, statement, other, otherLine }) =>
    `${quoted(statement)} for ${quoted(token)} is the opposite of ${quoted(other)} on line ${otherLine}, which is for * and does not apply to it.`,
  "usage-unbound-by-star": ({ name, token, groupLine, others }) =>
    `The ${name} of the group for * does not apply to ${quoted(token)}, whose own group on line ${groupLine} has none${
      others === 0 ? "" : `, nor to ${others} other${others === 1 ? "" : "s"} like it`
    }.`,

  "more-findings": ({ code, count }) => `${count} more finding${count === 1 ? "" : "s"} of ${code} from here on.`,
};

/** One English sentence about a finding. Control characters and invisible characters from the file are escaped. */
export function sentenceOf(finding: Finding): string {
  if (!Object.hasOwn(sentences, (finding as Partial<Finding> | null | undefined)?.code ?? "")) {
    throw new CoreError("ERR_INVALID_ARGUMENT", "A finding is an element of what lint returns.");
  }
  // The table pairs each code with a function of that code's data.
  const sentence = sentences[finding.code] as (args: Finding["args"]) => string;
  return sentence(finding.args);
}

function pagesADay(seconds: number): string {
  const pages = Math.floor(86_400 / seconds);
  return pages < 1 ? "not even one page a day" : `${pages} page${pages === 1 ? "" : "s"} a day`;
}

/**
 * Names a character that looks like one of ASCII: a dash, or a letter of another script beside a Latin letter; "" if there is none. `text` is
 * as written.
 */
function lookAlikeIn(text: string): string {
  const found =
    /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]|(?<=[a-z])[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}](?=[a-z])/iu.exec(
      text,
    );
  if (found === null) return "";
  const codePoint = found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  return ` (with U+${codePoint}, which looks like a character of ASCII)`;
}

function quoted(text: string): string {
  return `"${printable(text)}"`;
}

/** A text from the file for one line of output: hidden characters, and spaces other than U+0020, are escaped. */
function printable(text: string): string {
  return visibleTextOf(text).replaceAll(/[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, (space) => {
    const hex = space.charCodeAt(0).toString(16);
    return hex.length > 2 ? `\\u${hex}` : `\\x${hex}`;
  });
}
