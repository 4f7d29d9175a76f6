// RFC 9309's statements about parsing and matching a robots.txt, each with files, URLs and the decisions that the statement requires.

/** A decision: allow or disallow, and the line of the rule that decides; 0 without a rule. */
export type Expected = `${"allow" | "disallow"} ${number}`;

/** One case: `google` is Google's decision if it differs; `token` is the crawler if it is not ExampleBot. */
export type Case = readonly [
  what: string,
  robotsTxt: string,
  url: string,
  rfc9309: Expected,
  differing?: { readonly google?: Expected; readonly token?: string },
];

const h = "https://www.example.com";
const all = (...rules: readonly string[]): string => ["user-agent: *", ...rules].join("\n");

/** Two groups for one product token (figure 2), with a group for another product token between them. */
const twoGroups = `user-agent: ExampleBot
disallow: /foo
disallow: /bar

user-agent: BazBot
disallow: /other

user-agent: ExampleBot
disallow: /baz`;

/** Only a group for `*` (figure 3). */
const noNamedGroup = `user-agent: *
disallow: /foo
disallow: /bar

user-agent: BazBot
disallow: /baz`;

/** §5.1. */
const simpleExample = `User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
`;

/** §5.2. */
const longestMatch = `User-Agent: foobot
Allow: /example/page/
Disallow: /example/page/disallowed.gif`;

/**
 * The cases by statement. A key has the section, the number and level of a statement with a capitalised word (MUST, SHOULD, MAY), and the
 * text.
 */
export const statements: Readonly<Record<string, readonly Case[]>> = {
  "§2.1: a group ends at a user-agent line after its rules or at the end of the file": [
    [
      "at a user-agent line",
      "user-agent: a\ndisallow: /x\nuser-agent: b\ndisallow: /y",
      "/y",
      "allow 0",
      { token: "a" },
    ],
    ["at the end", "user-agent: b\ndisallow: /y\nuser-agent: a\ndisallow: /x", "/x", "disallow 4", { token: "a" }],
    ["not at a blank line", "user-agent: a\n\n\ndisallow: /x", "/x", "disallow 4", { token: "a" }],
    [
      "user-agent lines with a blank line between them",
      "user-agent: a\n\nuser-agent: b\ndisallow: /x",
      "/x",
      "disallow 4",
      { token: "a" },
    ],
    [
      "a rule without effect ends the user-agent lines",
      "user-agent: a\nallow:\nuser-agent: b\ndisallow: /x",
      "/x",
      "allow 2",
      { token: "a" },
    ],
    [
      "an invalid rule, too",
      "user-agent: a\ndisallow: x\nuser-agent: b\ndisallow: /x",
      "/x",
      "allow 0",
      { token: "a" },
    ],
    [
      "a name that is no token begins a group, too",
      "user-agent: a\ndisallow: /x\nuser-agent: b2\ndisallow: /y",
      "/y",
      "allow 0",
      { token: "a" },
    ],
  ],
  "§2.1: the last group may have no rules and then allows everything": [
    ["named", "user-agent: *\ndisallow: /\nuser-agent: ExampleBot", "/a", "allow 0"],
    ["for everybody", "user-agent: other\ndisallow: /\nuser-agent: *", "/a", "allow 0"],
  ],
  "§2.2: keys are spelled as in the grammar, in any letter case, with a colon after them": [
    ["case", "USER-AGENT: *\nDiSaLLoW: /a", "/a", "disallow 2"],
    ["blanks around the colon", "user-agent\t : *\ndisallow \t:\t /a", "/a", "disallow 2"],
    ["no blanks", "user-agent:*\ndisallow:/a", "/a", "disallow 2"],
    ["blanks before the key", " \tuser-agent: *\n\t disallow: /a", "/a", "disallow 2"],
    ["a misspelt rule", all("dissallow: /a"), "/a", "allow 0", { google: "disallow 2" }],
    ["a misspelt user-agent", "useragent: *\ndisallow: /a", "/a", "allow 0", { google: "disallow 2" }],
    ["a blank for the hyphen", "user agent: *\ndisallow: /a", "/a", "allow 0", { google: "disallow 2" }],
    ["a key that continues after the name", all("disallow-all: /a"), "/a", "allow 0", { google: "disallow 2" }],
    ["no colon", all("disallow /a"), "/a", "allow 0", { google: "disallow 2" }],
    ["a colon only after the blank", all("disallow http://a"), "/a", "allow 0"],
  ],
  "§2.2: white space is SP and TAB alone": [
    ["at the end", all("disallow: /a \t "), "/a", "disallow 2"],
    ["U+00A0 is not white space", all("disallow:\u{a0}/a"), "/a", "allow 0"],
    ["U+FEFF is not white space", all("\u{feff}disallow: /a"), "/a", "allow 0"],
    ["VT is not white space", all("disallow:\v/a"), "/a", "allow 0", { google: "disallow 2" }],
    ["FF is not white space", all("disallow: /a\f"), "/a", "allow 0", { google: "disallow 2" }],
    ["blanks alone are an empty pattern", all("disallow: \t "), "/a", "allow 2"],
  ],
  "§2.2: CR, LF and CR LF end a line": [
    ["CR", "user-agent: *\rdisallow: /a\r", "/a", "disallow 2"],
    ["LF", "user-agent: *\ndisallow: /a\n", "/a", "disallow 2"],
    ["CR LF", "user-agent: *\r\ndisallow: /a\r\n", "/a", "disallow 2"],
    ["all three", "# a\ruser-agent: *\r\n\ndisallow: /a", "/a", "disallow 4"],
    ["LF CR are two line ends", "user-agent: *\n\rdisallow: /a", "/a", "disallow 3"],
    ["U+0085 and U+2028 are characters", all("allow: /a\u{85}disallow: /b\u{2028}disallow: /b"), "/b", "allow 0"],
  ],
  "§2.2: by the grammar the last line needs a line end; it is also read without one": [
    ["a rule", "user-agent: *\ndisallow: /a", "/a", "disallow 2"],
    ["a user-agent line", "user-agent: *\ndisallow: /\nuser-agent: ExampleBot", "/a", "allow 0"],
    ["a comment", "user-agent: *\ndisallow: /a\n#", "/a", "disallow 2"],
  ],
  "§2.2: a path pattern begins with a slash by the grammar, and with a star by §5.1 (erratum 7995)": [
    ["a slash", all("disallow: /a"), "/a", "disallow 2"],
    ["a star", all("disallow: *.gif$"), "/a/b.gif", "disallow 2"],
    ["a letter: matches nothing", all("disallow: a"), "/a", "allow 0"],
    ["a URL: matches nothing", all(`disallow: ${h}/a`), "/a", "allow 0"],
    ["$ alone: matches nothing", all("disallow: $"), "/", "allow 0"],
    ["an escaped slash: matches nothing", all("disallow: %2Fa"), "/a", "allow 0"],
  ],
  "§2.2: an empty pattern is a rule that disallows nothing": [
    ["disallow", all("disallow:"), "/a", "allow 2"],
    ["allow", all("allow:"), "/a", "allow 2"],
    ["beside a rule that matches", all("disallow:", "disallow: /a"), "/a", "disallow 3"],
    ["before a star", all("disallow:", "disallow: *"), "/a", "disallow 3"],
    ["after a star", all("disallow: *", "disallow:"), "/a", "disallow 2"],
    ["allow beside a star", all("allow:", "disallow: *"), "/a", "disallow 3"],
  ],
  "§2.2: DEL is a character of patterns": [
    ["raw", all("disallow: /a\u{7f}"), "/a%7F", "disallow 2", { google: "allow 0" }],
    ["escaped", all("disallow: /a%7f"), "/a%7F", "disallow 2"],
  ],
  "§2.2: blanks inside a pattern are ordinary characters, although the grammar does not allow them": [
    ["SP", all("disallow: /a b"), "/a%20b", "disallow 2", { google: "allow 0" }],
    ["TAB", all("disallow: /a\tb"), "/a%09b", "disallow 2", { google: "allow 0" }],
  ],
  "§2.2.1 #1 MUST: the product token contains only letters, _ and -": [
    ["letters, _ and -", "user-agent: Ex_am-PLE\ndisallow: /a", "/a", "disallow 2", { token: "Ex_am-PLE" }],
    ["a version", "user-agent: ExampleBot/1.0\ndisallow: /a", "/a", "allow 0", { google: "disallow 2" }],
    ["two words", "user-agent: ExampleBot Images\ndisallow: /a", "/a", "allow 0", { google: "disallow 2" }],
    ["a digit", "user-agent: ExampleBot2\ndisallow: /a", "/a", "allow 0", { google: "disallow 2" }],
    ["a star after it", "user-agent: ExampleBot*\ndisallow: /a", "/a", "allow 0", { google: "disallow 2" }],
    ["a letter of another script", "user-agent: ExampleBoté\ndisallow: /a", "/a", "allow 0", { google: "disallow 2" }],
    ["nothing", "user-agent:\ndisallow: /a", "/a", "allow 0", { google: "disallow 2", token: "" }],
    ["a longer token that begins with the name", "user-agent: ExampleBot-Images\ndisallow: /a", "/a", "allow 0"],
    ["a comment after it", "user-agent: ExampleBot# 1.0\ndisallow: /a", "/a", "disallow 2"],
  ],
  "§2.2.1 #5 MUST: groups are found without regard to case": [
    ["lower case in the file", "user-agent: examplebot\ndisallow: /a", "/a", "disallow 2"],
    ["upper case in the file", "user-agent: EXAMPLEBOT\ndisallow: /a", "/a", "disallow 2"],
    [
      "lower case in the crawler's name",
      "user-agent: ExampleBot\ndisallow: /a",
      "/a",
      "disallow 2",
      { token: "examplebot" },
    ],
    ["only ASCII case is ignored", "user-agent: \u{212a}bot\ndisallow: /a", "/a", "allow 0", { token: "kbot" }],
    [
      "_ and DEL, which differ in the bit for letter case, are not equal",
      "user-agent: a_\ndisallow: /a",
      "/a",
      "allow 0",
      { token: "a\u{7f}" },
    ],
  ],
  "§2.2.1 #6 MUST: the rules of all groups that match are combined": [
    ["the first rule of the first group (figure 2)", twoGroups, "/foo", "disallow 2"],
    ["the second rule of the first group", twoGroups, "/bar", "disallow 3"],
    ["the rule of the second group", twoGroups, "/baz", "disallow 9"],
    ["not the rule of another crawler", twoGroups, "/other", "allow 0"],
    ["the rules of both groups compete with one another", `${twoGroups}\nallow: /foo/open`, "/foo/open", "allow 10"],
    [
      "several groups for * are combined, too",
      "user-agent: *\ndisallow: /a\nuser-agent: x\ndisallow: /\nuser-agent: *\ndisallow: /b",
      "/b",
      "disallow 6",
    ],
  ],
  "§2.2.1 #7 MUST: if no group matches, the group for * is obeyed": [
    ["first rule (figure 3)", noNamedGroup, "/foo", "disallow 2"],
    ["second rule", noNamedGroup, "/bar", "disallow 3"],
    ["not the rule of the other crawler", noNamedGroup, "/baz", "allow 0"],
    ["not for a crawler that has its own group", noNamedGroup, "/foo", "allow 0", { token: "BazBot" }],
    ["with a comment", "user-agent: * # all of you\ndisallow: /a", "/a", "disallow 2"],
    ["with a comment directly after *", "user-agent: *#\ndisallow: /a", "/a", "disallow 2"],
    ["the value is * and nothing else", "user-agent: * all\ndisallow: /a", "/a", "allow 0", { google: "disallow 2" }],
    ["two stars name no crawler", "user-agent: **\ndisallow: /a", "/a", "allow 0"],
    ["a star among names", "user-agent: x\nuser-agent: *\ndisallow: /a", "/a", "disallow 3"],
  ],
  "§2.2.1: without any such group no rules apply": [
    ["only a group for another crawler", "user-agent: x\ndisallow: /", "/a", "allow 0"],
    ["no groups", "# nothing here\nsitemap: https://www.example.com/s.xml", "/a", "allow 0"],
    ["an empty file", "", "/a", "allow 0"],
  ],
  "§2.2.2 #8 MUST: paths of rules are matched against the URI": [
    ["a whole URI", all("disallow: /a"), `${h}/a/b`, "disallow 2"],
    ["its query", all("disallow: /a?b=c"), `${h}/a?b=c&d`, "disallow 2"],
    ["a query without a path", all("disallow: /?a"), `${h}?a`, "disallow 2"],
    ["no path", all("disallow: /$"), h, "disallow 2"],
    ["not its fragment", all("disallow: /*b"), `${h}/a#b`, "allow 0"],
    ["not its authority", all("disallow: /*example"), `${h}/a`, "allow 0"],
    ["the rule's whole path", all("disallow: /ab"), `${h}/a`, "allow 0"],
    ["no slash is added", all("disallow: /a/"), `${h}/a`, "allow 0"],
  ],
  "§2.2.2 #9 SHOULD: matching is case-sensitive": [
    ["in the path", all("disallow: /Foo"), "/foo", "allow 0"],
    ["the same case", all("disallow: /Foo"), "/Foo", "disallow 2"],
    ["not in the rule's escapes", all("disallow: /%e3%83%84"), "/%E3%83%84", "disallow 2"],
    ["not in the URI's escapes", all("disallow: /%E3%83%84"), "/%e3%83%84", "disallow 2", { google: "allow 0" }],
  ],
  "§2.2.2 #10 MUST: the match starts with the path's first octet": [
    ["not later", all("disallow: /b"), "/a/b", "allow 0"],
    ["later only after a star", all("disallow: */b"), "/a/b", "disallow 2"],
  ],
  "§2.2.2 #11 MUST: the match with the most octets is used": [
    ["longer allow", all("disallow: /a", "allow: /a/b"), "/a/b/c", "allow 3"],
    ["longer disallow", all("allow: /a", "disallow: /a/b"), "/a/b/c", "disallow 3"],
    ["whatever the order", all("allow: /a/b", "disallow: /a"), "/a/b/c", "allow 2"],
    [
      "stars need not match any octet",
      all("disallow: /p***", "allow: /pa"),
      "/page",
      "allow 3",
      { google: "disallow 2" },
    ],
    ["$ matches no octet", all("disallow: /$", "allow: /"), "/", "allow 3", { google: "disallow 2" }],
    [
      "a star in front matches the slash",
      all("allow: *.gif", "disallow: /*.gif"),
      "/a.gif",
      "allow 2",
      { google: "disallow 3" },
    ],
    ["a star before /: no octet", all("disallow: */a", "allow: /a"), "/a", "allow 3", { google: "disallow 2" }],
    ["a star alone matches one octet", all("disallow: *", "allow: /"), "/a", "allow 3"],
    ["an escape is one octet", all("disallow: /%E3%83", "allow: /*a"), "/%E3%83a", "disallow 2"],
    ["one octet, not three", all("disallow: /%E3", "allow: /*a"), "/%E3a", "allow 3", { google: "disallow 2" }],
    ["escaped or not, the same octet", all("disallow: /%62%61", "allow: /baz"), "/bazaar", "allow 3"],
  ],
  "§2.2.2 #12 MAY: duplicates are kept and change nothing; the first decides": [
    ["disallow", all("disallow: /a", "disallow: /a"), "/a", "disallow 2"],
    ["allow", all("allow: /a", "disallow: /", "allow: /a"), "/a", "allow 2"],
    ["written differently", all("disallow: /baz", "disallow: /%62az"), "/baz", "disallow 2"],
  ],
  "§2.2.2 #13 SHOULD: if an allow and a disallow rule are equivalent, the allow rule is used": [
    ["allow first", all("allow: /a", "disallow: /a"), "/a", "allow 2"],
    ["disallow first", all("disallow: /a", "allow: /a"), "/a", "allow 3"],
    ["written differently", all("disallow: /baz", "allow: /%62%61z"), "/baz", "allow 3", { google: "disallow 2" }],
    ["a star at the end", all("disallow: /a*", "allow: /a"), "/a", "allow 3", { google: "disallow 2" }],
    ["equally many octets", all("disallow: /a*c", "allow: /ab"), "/abc", "allow 3", { google: "disallow 2" }],
  ],
  "§2.2.2: a URI that no rule matches is allowed": [
    ["in a named group", "user-agent: ExampleBot\ndisallow: /a", "/b", "allow 0"],
    ["in the group for *", all("disallow: /a"), "/b", "allow 0"],
  ],
  "§2.2.2: /robots.txt is implicitly allowed": [
    ["by its path", all("disallow: /"), "/robots.txt", "allow 0", { google: "disallow 2" }],
    ["by its URI", all("disallow: /"), `${h}/robots.txt`, "allow 0", { google: "disallow 2" }],
    ["with an escape", all("disallow: /"), "/robots%2Etxt", "allow 0", { google: "disallow 2" }],
    ["with a fragment", all("disallow: /"), `${h}/robots.txt#top`, "allow 0", { google: "disallow 2" }],
    ["not with a query", all("disallow: /"), "/robots.txt?a", "disallow 2"],
    ["not in upper case", all("disallow: /"), "/ROBOTS.TXT", "disallow 2"],
    ["not in a folder", all("disallow: /"), "/a/robots.txt", "disallow 2"],
    ["not a longer path", all("disallow: /"), "/robots.txt.gz", "disallow 2"],
  ],
  "§2.2.2 #14 MUST: octets outside ASCII, and reserved ones, compare in one encoded form": [
    ["raw rule, escaped URI (figure 4)", all("disallow: /foo/bar/ツ"), "/foo/bar/%E3%83%84", "disallow 2"],
    ["escaped rule, raw URI", all("disallow: /foo/bar/%E3%83%84"), "/foo/bar/ツ", "disallow 2", { google: "allow 0" }],
    ["raw on both sides", all("disallow: /foo/bar/ツ"), "/foo/bar/ツ", "disallow 2", { google: "allow 0" }],
    ["escaped on both sides", all("disallow: /foo/bar/%E3%83%84"), "/foo/bar/%E3%83%84", "disallow 2"],
    ["an astral character", all("disallow: /💥"), "/%F0%9F%92%A5", "disallow 2"],
    [
      "reserved, raw on both sides (figure 4)",
      all("disallow: /foo/bar?baz=https://foo.bar"),
      "/foo/bar?baz=https://foo.bar",
      "disallow 2",
    ],
    [
      "reserved, escaped in the URI",
      all("disallow: /foo/bar?baz=https://foo.bar"),
      "/foo/bar?baz=https%3A%2F%2Ffoo.bar",
      "disallow 2",
      { google: "allow 0" },
    ],
    [
      "reserved, escaped in the rule",
      all("disallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar"),
      "/foo/bar?baz=https://foo.bar",
      "disallow 2",
      { google: "allow 0" },
    ],
    ["delimiters (figure 4)", all("disallow: /foo/bar?baz=quz"), "/foo/bar?baz=quz", "disallow 2"],
    ["a slash, too", all("disallow: /a%2Fb"), "/a/b", "disallow 2", { google: "allow 0" }],
    ["not #, which is no octet of a raw path", all("disallow: /a%23b"), "/a%23b", "disallow 2"],
    ["a % that begins no escape is %25", all("disallow: /100%"), "/100%25", "disallow 2", { google: "disallow 2" }],
    ["such a % does not begin an escape", all("disallow: /100%"), "/100%C3", "allow 0", { google: "disallow 2" }],
  ],
  "§2.2.2 #15 MUST: percent-encoded unreserved octets of the URI are decoded": [
    ["figure 4", all("disallow: /foo/bar/baz"), "/foo/bar/%62%61%7A", "disallow 2", { google: "allow 0" }],
    ["in the rule, too", all("disallow: /foo/bar/%62%61%7A"), "/foo/bar/baz", "disallow 2", { google: "allow 0" }],
    [
      "on both sides, digits in either case",
      all("disallow: /%7Euser"),
      "/%7euser",
      "disallow 2",
      { google: "allow 0" },
    ],
    ["only once", all("disallow: /a"), "/%2561", "allow 0"],
    ["%25 is equal to a % that begins no escape", all("disallow: /%25a"), "/%a", "disallow 2", { google: "allow 0" }],
    [
      "octets that are neither reserved nor unreserved are not decoded",
      all("disallow: /a%7Cb"),
      "/a%7cb",
      "disallow 2",
      { google: "allow 0" },
    ],
    ["such an octet is equal to its raw form", all("disallow: /a|b"), "/a%7Cb", "disallow 2", { google: "allow 0" }],
  ],
  "§2.2.2 #16 SHOULD: rules that are in no group are ignored": [
    ["before the first user-agent line", "disallow: /a\nuser-agent: *\ndisallow: /b", "/a", "allow 0"],
    ["such a rule does not affect the group", "disallow: /a\nuser-agent: *\ndisallow: /b", "/b", "disallow 3"],
    ["without any user-agent line", "disallow: /", "/a", "allow 0"],
  ],
  "§2.2.3 #18 MUST: #, $ and * are special": [
    ["# at the end of a line (figure 5)", all("disallow: / # comment in line"), "/a", "disallow 2"],
    ["# directly after the path", all("disallow: /a#b"), "/a", "disallow 2"],
    ["# on its own line", "# comment\nuser-agent: * # all\n# comment\ndisallow: /a", "/a", "disallow 4"],
    ["$ is the end (figure 5)", all("disallow: /this/path/exactly$"), "/this/path/exactly", "disallow 2"],
    ["$ and a longer path", all("disallow: /this/path/exactly$"), "/this/path/exactly/not", "allow 0"],
    ["$ and a query", all("disallow: /this/path/exactly$"), "/this/path/exactly?a", "allow 0"],
    ["$ in the middle is a character", all("disallow: /a$b"), "/a$b", "disallow 2"],
    ["* in the middle (figure 5)", all("disallow: /this/*/exactly"), "/this/path/exactly", "disallow 2"],
    ["* matches the empty string", all("disallow: /this/*/exactly"), "/this//exactly", "disallow 2"],
    ["* matches slashes, too", all("disallow: /this/*/exactly"), "/this/a/b/exactly", "disallow 2"],
    ["* does not match without the second slash", all("disallow: /this/*/exactly"), "/this/exactly", "allow 0"],
    ["* and $", all("disallow: /*.gif$"), "/a.gif.gif", "disallow 2"],
    ["many stars", all("disallow: /*a*b*c$"), "/1a2b3c4c", "disallow 2"],
  ],
  "§2.2.3 #19 SHOULD: specials are matched verbatim when percent-encoded": [
    [
      "%2A (figure 6)",
      all("disallow: /path/file-with-a-%2A.html"),
      `${h}/path/file-with-a-*.html`,
      "disallow 2",
      { google: "allow 0" },
    ],
    ["%2A is no star", all("disallow: /path/file-with-a-%2A.html"), `${h}/path/file-with-a-b.html`, "allow 0"],
    ["%24 (figure 6)", all("disallow: /path/foo-%24"), `${h}/path/foo-$`, "disallow 2", { google: "allow 0" }],
    ["%24 is no end", all("disallow: /path/foo-%24"), `${h}/path/foo-`, "allow 0"],
    ["%24 and an end", all("disallow: /path/foo-%24$"), `${h}/path/foo-$a`, "allow 0"],
    ["escaped in the URI, too", all("disallow: /a-%2a"), "/a-%2A", "disallow 2"],
    ["%23", all("disallow: /a%23"), "/a%23b", "disallow 2"],
  ],
  "§2.2.4 #22 MUST NOT: other records do not interfere": [
    [
      "between user-agent lines",
      "user-agent: ExampleBot\ncrawl-delay: 5\nuser-agent: b\ndisallow: /a",
      "/a",
      "disallow 4",
    ],
    ["between rules", all("disallow: /a", "noindex: /b", "disallow: /c"), "/c", "disallow 4"],
    ["before the first group", "host: example.com\nuser-agent: *\ndisallow: /a", "/a", "disallow 3"],
    ["unknown ones", all("x: /", "disallow: /a"), "/a", "disallow 3"],
    ["they are no rules", all("noindex: /a"), "/a", "allow 0"],
  ],
  "§2.2.4 #23 MUST NOT: Sitemap records do not end a group": [
    ["between user-agent line and rules", all(`sitemap: ${h}/s.xml`, "disallow: /a"), "/a", "disallow 3"],
    ["between rules", all("disallow: /a", `sitemap: ${h}/s.xml`, "disallow: /b"), "/b", "disallow 4"],
    [
      "between user-agent lines",
      `user-agent: ExampleBot\nSitemap: ${h}/s.xml\nuser-agent: b\ndisallow: /a`,
      "/a",
      "disallow 4",
    ],
    ["called Sitemaps", all(`Sitemaps: ${h}/s.xml`, "disallow: /a"), "/a", "disallow 3"],
  ],
  "§2.3.1.5 #33 MUST: each line is tried": [
    [
      "after lines that mean nothing",
      "<!doctype html>\n\0\0\n:::\n\u{1}\nuser-agent: *\n====\ndisallow: /a",
      "/a",
      "disallow 7",
    ],
    ["after a very long line", `${"x".repeat(600_000)}\nuser-agent: *\ndisallow: /a`, "/a", "disallow 3"],
    ["many lines", `${"\n".repeat(20_000)}user-agent: *\ndisallow: /a`, "/a", "disallow 20002"],
  ],
  "§2.3.1.5 #34 MUST: the rules that parse are used": [
    ["beside a line that does not parse", all("disallow /x", "disallow: /a", "nonsense"), "/a", "disallow 3"],
    ["in a page of HTML", "<html><pre>\nuser-agent: *\ndisallow: /a\n</pre></html>", "/a", "disallow 3"],
  ],
  "§3: characters out of bounds are rejected": [
    ["in a rule", all("disallow: /a\u{1}"), "/a%01", "allow 0"],
    ["NUL in a rule", all("disallow: /a\0b"), "/a", "allow 0", { google: "disallow 2" }],
    [
      "such a rule ends the user-agent lines",
      "user-agent: a\ndisallow: /a\u{1}\nuser-agent: b\ndisallow: /b",
      "/b",
      "allow 0",
      { token: "a" },
    ],
    ["in a user-agent line", "user-agent: ExampleBot\v\ndisallow: /a", "/a", "allow 0", { google: "disallow 2" }],
    [
      "such a line begins a group",
      "user-agent: a\ndisallow: /a\nuser-agent: b\u{1}\ndisallow: /b",
      "/b",
      "allow 0",
      { token: "a" },
    ],
    ["not in comments, which crawlers ignore", all("disallow: /a # \u{1}\0"), "/a", "disallow 2"],
    ["not the next line", all("disallow: /\u{1}", "disallow: /a"), "/a", "disallow 3"],
  ],
  "§5.1: the simple example (erratum 7995)": [
    ["*: a GIF", simpleExample, "/a.gif", "disallow 2"],
    ["*: not a GIF", simpleExample, "/a.gif?", "allow 0"],
    ["*: /example/", simpleExample, "/example/a", "disallow 3"],
    ["*: /publications/", simpleExample, "/publications/a", "allow 4"],
    ["*: a GIF below /publications/", simpleExample, "/publications/a.gif", "allow 4"],
    ["*: elsewhere", simpleExample, "/b", "allow 0"],
    ["foobot: /", simpleExample, "/", "disallow 7", { token: "foobot" }],
    ["foobot: /example/page.html", simpleExample, "/example/page.html", "allow 8", { token: "foobot" }],
    ["foobot: /example/allowed.gif", simpleExample, "/example/allowed.gif", "allow 9", { token: "foobot" }],
    ["barbot: /example/page.html", simpleExample, "/example/page.html", "disallow 13", { token: "barbot" }],
    ["bazbot: /example/page.html", simpleExample, "/example/page.html", "disallow 13", { token: "bazbot" }],
    ["bazbot: elsewhere", simpleExample, "/a.gif", "allow 0", { token: "bazbot" }],
    ["quxbot", simpleExample, "/example/page.html", "allow 0", { token: "quxbot" }],
  ],
  "§5.2 #40 MUST: the longest match (erratum 7124)": [
    ["the URI that is meant", longestMatch, "/example/page/disallowed.gif", "disallow 3", { token: "foobot" }],
    [
      "the URI that is printed: the rule is not a prefix of it",
      longestMatch,
      "/example/page/disallow.gif",
      "allow 2",
      { token: "foobot" },
    ],
  ],
};
