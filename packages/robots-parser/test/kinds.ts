// The kinds of files that npm robots-parser 3.0.1 reads differently. For each kind: an example with both answers, and a function that
// rewrites any robots.txt into one that is not of this kind.
import { parseRobotsTxt } from "@robots-stream/core";

export interface Kind {
  readonly name: string;
  readonly robotsTxt: string;
  /** A path on https://a.example, for the user agent Bot. */
  readonly path: string;
  readonly theirs: boolean;
  readonly ours: boolean;
  /** Removes this kind of difference from a file: Google's parser decides as before, and npm robots-parser decides the same. */
  readonly rewrite: (robotsTxt: string) => string;
}

const mostLineBytes = 16_663;

const isRule = (key: string): boolean => /^(?:dis)?allow$/.test(key);

/** Makes a function that replaces each line of a file by the result of `change`; undefined empties the line. */
function byLine(change: (key: string, value: string, line: string) => string | undefined) {
  return (robotsTxt: string): string =>
    robotsTxt
      .split(/\r\n|\r|\n/)
      .map((line) => {
        const [, key = "", value = ""] = /^\s*([^:#]*?)\s*:\s*([^#]*?)\s*(?:#.*)?$/.exec(line) ?? [];
        return change(key.toLowerCase(), value, line) ?? "";
      })
      .join("\n");
}

export const kinds: readonly Kind[] = [
  {
    name: "allowing an index file allows its folder",
    robotsTxt: "User-agent: *\nAllow: /a/index.html\nDisallow: /a/",
    path: "/a/",
    theirs: false,
    ours: true,
    rewrite: byLine((key, value, line) => {
      const folder = /^(.*\/)index\.html?$/.exec(value)?.[1];
      return key === "allow" && folder !== undefined ? `${line}\nallow: ${folder}$` : line;
    }),
  },
  {
    name: "lines between user-agent lines do not end a group",
    robotsTxt: "User-agent: Bot\nCrawl-delay: 3\nUser-agent: Other\nDisallow: /a",
    path: "/a",
    theirs: true,
    ours: false,
    rewrite: byLine((key, _value, line) => (/^(?:user-agent|allow|disallow)$/.test(key) ? line : undefined)),
  },
  {
    name: "a name in a user-agent line ends at the first other character",
    robotsTxt: "User-agent: Bot News\nDisallow: /a",
    path: "/a",
    theirs: true,
    ours: false,
    rewrite: byLine((key, value, line) => {
      if (key !== "user-agent" || /^\*(?:\s|$)/.test(value)) return key === "user-agent" ? "user-agent: *" : line;
      return `user-agent: ${/^[a-z_-]*/i.exec(value)![0]}`;
    }),
  },
  {
    name: "misspelled keys",
    robotsTxt: "User agent: Bot\nDissalow: /a",
    path: "/a",
    theirs: true,
    ours: false,
    rewrite: (robotsTxt) => written(robotsTxt),
  },
  {
    name: "blanks, quotes, brackets and bars in rules, where URLs have them escaped, are compared as written",
    robotsTxt: 'User-agent: *\nDisallow: /a"b',
    path: "/a%22b",
    theirs: false,
    ours: true,
    rewrite: byLine((key, value, line) => (isRule(key) && /[ "<>[\\\]^`{|}]/.test(value) ? undefined : line)),
  },
  {
    name: "brackets and bars in rules, where URLs have them unescaped, are compared as written",
    robotsTxt: "User-agent: *\nDisallow: /a?b[c]",
    path: "/a?b[c]",
    theirs: true,
    ours: false,
    rewrite: byLine((key, value, line) => (isRule(key) ? `${key}: ${value.replaceAll(/[[\]|]/g, "*")}` : line)),
  },
  {
    name: "user-agent lines at the end of the file, without a rule, name a group",
    robotsTxt: "User-agent: *\nDisallow: /\nUser-agent: Bot",
    path: "/a",
    theirs: false,
    ours: true,
    rewrite: (robotsTxt) => `${robotsTxt}\nDisallow:`,
  },
  {
    name: "a line is read up to 16,663 bytes",
    robotsTxt: `User-agent: *\nDisallow: /${"a".repeat(20_000)}`,
    path: `/${"a".repeat(17_000)}`,
    theirs: true,
    ours: false,
    rewrite: byLine((_key, _value, line) => line.slice(0, mostLineBytes)),
  },
];

/** The user-agent lines and rules as core reads them, spelled out. */
function written(robotsTxt: string): string {
  return parseRobotsTxt(robotsTxt)
    .groups.map(({ userAgents, rules }) =>
      [
        ...userAgents.map(({ value }) => `user-agent: ${value}`),
        ...rules.map(({ type, pattern }) => `${type}: ${pattern}`),
      ].join("\n"),
    )
    .join("\n");
}
