// Tests the findings for files with line, column and data. documentation.test.ts tests the example of each code in docs/LINT.md.
import { describe, expect, test } from "vitest";
import { createMatcher } from "../matcher/match.ts";
import { parseRobotsTxt } from "../read/parse.ts";
import type { FindingArgs, FindingCode } from "./findings.ts";
import { lint } from "./lint.ts";
import { sentenceOf } from "./sentences.ts";

/** `line:column code` of each finding. */
const placesOf = (input: string | Uint8Array): string[] =>
  lint(input).map(({ line, column, code }) => `${line}:${column} ${code}`);

const codesOf = (input: string | Uint8Array): string[] => lint(input).map(({ code }) => code);

/** The data of all findings of a code. */
const argsOf = <Code extends FindingCode>(input: string | Uint8Array, code: Code): FindingArgs[Code][] =>
  lint(input).flatMap((finding) => (finding.code === code ? [finding.args as FindingArgs[Code]] : []));

const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"));
const star = (...lines: string[]): string => ["User-agent: *", ...lines].join("\n");

describe("files without findings", () => {
  test.each([
    ["all allowed", "User-agent: *\nDisallow:"],
    ["all disallowed", "user-agent:*\r\ndisallow:/\r\n"],
    ["allow all", "User-agent: *\nAllow: /"],
    [
      "an ordinary file",
      [
        "# The shop",
        "Content-Signal: search=yes, ai-train=no",
        "User-agent: bingbot # and others",
        "# next",
        "User-agent: Googlebot",
        "Disallow: /cart",
        "Allow: /cart/help$",
        "",
        "User-agent: *",
        "Disallow: /*?sort=",
        "Disallow: /private/",
        "Sitemap: https://example.com/sitemap.xml",
        "",
      ].join("\n"),
    ],
    [
      "names of members of JavaScript objects",
      "User-agent: __proto__\nDisallow: /constructor\n\nUser-agent: toString\nDisallow: /",
    ],
  ])("%s", (_, text) => {
    expect(lint(text)).toEqual([]);
  });
});

describe("places", () => {
  test.each([
    ["after blanks and a colon", star("  Disallow :  private"), ["2:15 pattern-never-matches"]],
    [
      "a character of two UTF-16 code units counts as two",
      star("Disallow: /😀/x$y"),
      ["2:12 raw-non-ascii", "2:16 dollar-inside"],
    ],
    ["a byte order mark does not count", "\uFEFFUseragent: *\nDisallow:", ["1:1 bom", "1:1 forgiven-typo"]],
    [
      "bytes that are not valid UTF-8 count as one character each",
      latin1("User-agent: *\nDisallow: /\xe9\xe9 x"),
      ["2:12 invalid-utf8", "2:12 raw-non-ascii", "2:14 blank-in-pattern"],
    ],
    [
      "CR LF and CR are line ends",
      "User-agent: *\r\nDisallow: a\rDisallow: b",
      ["2:11 pattern-never-matches", "2:12 cr-only", "3:11 pattern-never-matches"],
    ],
    [
      "line order, independent of the order of the checks",
      "Disallow: /a\nUser-agent: x\nAllow: /b\nDisalow: /c",
      ["1:1 rule-outside-group", "3:8 needless-allow", "4:1 forgiven-typo"],
    ],
  ])("%s", (_, input, places) => {
    expect(placesOf(input)).toEqual(places);
  });
});

describe("the file", () => {
  test.each([
    ["empty", "", ["no-group"]],
    ["only comments", "# nothing\n\n#\n", ["no-group"]],
    [
      "UTF-16 with a byte order mark, big endian",
      Uint8Array.from(Buffer.from("\uFEFFUser-agent: *", "utf16le").swap16()),
      ["utf-16"],
    ],
    [
      "UTF-16 without a byte order mark",
      Uint8Array.from(Buffer.from("User-agent: *\nDisallow: /\n", "utf16le")),
      ["utf-16"],
    ],
    ["an incomplete byte order mark", latin1("\xef\xbbUser-agent: *\nDisallow:"), ["invalid-utf8"]],
    [
      "a second byte order mark",
      "\uFEFF\uFEFFUser-agent: *\nDisallow:",
      ["bom", "invisible-character", "no-group", "rule-outside-group"],
    ],
    ["an error page", " \n<HTML><body>x: y</body></HTML>", ["not-robots-txt"]],
    ["a page that begins with a comment", "<!-- x -->\n<p>Disallow: /", ["not-robots-txt"]],
    [
      "a robots.txt inside of HTML",
      "<pre>\nUser-agent: *\nDisallow: /\n</pre>",
      ["html-line", "not-robots-txt", "html-line"],
    ],
    ["a robots.txt after an HTML comment", "<!-- x -->\nUser-agent: *\nDisallow: /", ["html-line"]],
    [
      "a robots.txt without colons after an HTML comment",
      "<!-- x -->\nUser-agent *\nDisallow /",
      ["html-line", "forgiven-colon", "forgiven-colon"],
    ],
    [
      "a readable robots.txt after the mark of UTF-16",
      latin1("\xff\xfe\nUser-agent: *\nDisallow: /"),
      ["invalid-utf8", "not-a-directive"],
    ],
    ["JSON", '{"error":404}', ["not-robots-txt"]],
    ["control characters", new Uint8Array(64).fill(1), ["not-robots-txt"]],
  ])("%s", (_, input, codes) => {
    expect(codesOf(input)).toEqual(codes);
  });

  test.each([
    ["gzip", "\x1f\x8b\x08"],
    ["PDF", "%PDF-1.7"],
    ["PNG", "\x89PNG\r\n"],
    ["XML", '<?xml version="1.0"?>'],
    ["RTF", "{\\rtf1 x}"],
    ["JSON", "[]"],
    ["HTML", "<html>"],
    ["binary data", "\x01\x02".repeat(20)],
  ])("the actual format: %s", (what, text) => {
    expect(argsOf(latin1(text), "not-robots-txt")).toEqual([{ what }]);
  });

  test("only the first 512,000 bytes are read", () => {
    const head = "User-agent: *\nDisallow:\n";
    const fill = `${head}${"#\n".repeat((512_000 - head.length) / 2 - 5)}`;
    const full = `${fill}Disallow: `;
    expect(full.length).toBe(512_000);
    expect(codesOf(full)).toEqual([]);
    // The limit cuts this line, and a cut line is not checked.
    const over = `${fill}Disalow: /a\nDisallow: private`;
    expect(placesOf(over)).toEqual([`${fill.split("\n").length}:11 too-large`]);
    expect(argsOf(over, "too-large")).toEqual([{ bytes: over.length, limit: 512_000 }]);
    // A character cut by the limit is not reported as invalid.
    expect(codesOf(`${fill}# 3456789é`)).toEqual(["too-large"]);
    expect(codesOf(`${fill}# 345678ä\n`)).toEqual(["too-large"]);
  });

  test("only the first 16,663 bytes of a line are read", () => {
    const line = `Disallow: /${"a".repeat(16_652)}`;
    expect(line.length).toBe(16_663);
    expect(codesOf(star(line))).toEqual([]);
    expect(placesOf(star(`${line}a`))).toEqual(["2:16664 line-too-long"]);
    expect(argsOf(star(`${line}aa`), "line-too-long")).toEqual([{ bytes: 16_665, limit: 16_663 }]);
  });

  test("CR alone gives one finding, CR LF none", () => {
    expect(codesOf("User-agent: *\rDisallow:\r\r")).toEqual(["cr-only"]);
    expect(codesOf("User-agent: *\r\nDisallow:\r\n\r\n")).toEqual([]);
  });
});

describe("characters", () => {
  test.each([
    ["each kind of finding at most once per line", star("Disallow: /\x01\x02\x7f"), ["2:12 control-character"]],
    ["C1 control characters", star("Disallow: /\u0085"), ["2:12 control-character", "2:12 raw-non-ascii"]],
    ["NUL, and the text after it is not checked", star("Disallow: /a\0\x01 #\u200b"), ["2:13 nul"]],
    ["control characters in comments too", star("Disallow: # \x1b[31m \0"), ["2:13 control-character"]],
    ["invisible characters in comments have no finding", star("Disallow: # \u200b\u00a0"), []],
    ["a no-break space in a name", "User-agent:\u00a0*\nDisallow:", ["1:12 invisible-character", "1:12 no-token"]],
    ["a zero-width space alone", star("Disallow:", "\u200b"), ["3:1 invisible-character"]],
    ["valid UTF-8 of each length", star("# é 日 😀"), []],
  ])("%s", (_, text, places) => {
    expect(placesOf(text).filter((place) => !place.endsWith("group-without-rules"))).toEqual(places);
  });

  test.each([
    ["a lone continuation byte", [0x80]],
    ["an overlong sequence of two bytes", [0xc0, 0xaf]],
    ["an overlong sequence of three bytes", [0xe0, 0x80, 0x80]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["beyond U+10FFFF", [0xf4, 0x90, 0x80, 0x80]],
    ["a sequence cut off by the end of the line", [0xe6, 0x97]],
  ])("not UTF-8: %s", (_, bytes) => {
    const file = Uint8Array.from([...Buffer.from("User-agent: *\nDisallow:\n#"), ...bytes, 0x0a]);
    expect(placesOf(file)).toEqual(["3:2 invalid-utf8"]);
    expect(argsOf(file, "invalid-utf8")).toEqual([{ byte: `0x${bytes[0]!.toString(16).toUpperCase()}` }]);
  });
});

describe("keys", () => {
  test.each([
    ["Useragent", "user-agent"],
    ["user agent", "user-agent"],
    ["DISSALLOW", "disallow"],
    ["disalow", "disallow"],
    ["site-map", "sitemap"],
  ])("forgiven: %s", (key, meant) => {
    expect(argsOf(`${key}: /x`, "forgiven-typo")).toEqual([{ key, meant }]);
  });

  test.each([
    ["user_agent", "user-agent"],
    ["User-agen", "user-agent"],
    ["IUser-agent", "user-agent"],
    ["usre-agent", "user-agent"],
    ["disllow", "disallow"],
    ["Diisallow", "disallow"],
    ["dsiallow", "disallow"],
    ["alow", "allow"],
    ["site map", "sitemap"],
    ["stiemap", "sitemap"],
    ["crawl_delay", "crawl-delay"],
    ["craw-delay", "crawl-delay"],
    ["clean-params", "clean-param"],
  ])("misspelled: %s", (key, meant) => {
    expect(argsOf(`${key}: /x`, "misspelled-directive")).toEqual([{ key, meant }]);
  });

  test.each(["index", "follow", "content", "allo-wed-by-us", "x", "agent", "a".repeat(40)])(
    "not similar to any directive: %s",
    (key) => {
      expect(argsOf(`${key}: /x`, "unknown-directive")).toEqual([{ key }]);
    },
  );

  test.each([
    ["a key that continues after the name of a directive", star("Disallowed: /x"), ["prefix-key"]],
    ["two words", star("Disallow /x"), ["forgiven-colon"]],
    ["two words, misspelled", star("Disalow /x"), ["forgiven-typo", "forgiven-colon"]],
    [
      "a Crawl-delay line without a colon",
      star("Disallow:", "Crawl-delay 5"),
      ["partly-read-record", "forgiven-colon"],
    ],
    ["three words", star("Disallow /x /y", "Disallow: /"), ["missing-colon"]],
    ["one word", star("Disallow", "Disallow: /"), ["missing-colon"]],
    ["a full-width colon", star("Disallow:", "Disallow：/x"), ["missing-colon"]],
    ["a colon within the value", star("Disallow /x:/y"), ["misplaced-colon"]],
    ["a colon within the value, after a misspelled key", star("User agent x:y", "Disallow: /"), ["misplaced-colon"]],
    ["a blank before the colon is fine", star("Disallow : /x"), []],
    ["a URL", star("Disallow:", "https://example.com/sitemap.xml"), ["not-a-directive"]],
    ["no key", star("Disallow:", ": /x"), ["not-a-directive"]],
    ["words", star("Disallow:", "allowing all of it"), ["not-a-directive"]],
  ])("%s", (_, text, codes) => {
    expect(codesOf(text).filter((code) => !["repeated-user-agent", "joined-groups"].includes(code))).toEqual(codes);
  });

  test("the data of findings about colons", () => {
    const text = star("Disallow http://h/a");
    expect(placesOf(text)).toEqual(["2:9 misplaced-colon"]);
    expect(argsOf(text, "misplaced-colon")).toEqual([{ name: "disallow", value: "//h/a" }]);
  });
});

describe("several directives on one line", () => {
  test.each([
    ["in a pattern", star("Disallow: /a Allow: /b"), ["2:14 several-directives"]],
    ["after a tab", star("Disallow: /a\tsitemap: https://h/s.xml"), ["2:14 several-directives"]],
    ["at the start of a value", star("Disallow: Sitemap: https://h/s.xml"), ["2:11 several-directives"]],
    [
      "in a delay",
      star("Crawl-delay: 5 Disallow: /", "Disallow:"),
      ["2:1 partly-read-record", "2:16 several-directives"],
    ],
    [
      "in a sitemap: only sitemap-blank is reported",
      "Sitemap: https://h/a Sitemap: https://h/b",
      ["1:1 no-group", "1:21 sitemap-blank"],
    ],
    ["not in a path", star("Disallow: /?allow:x&y=disallow:"), []],
    [
      "not a word that only ends in the name of a directive",
      star("Disallow: /a xallow: /b"),
      ["2:13 blank-in-pattern"],
    ],
    ["not without its colon", star("Disallow: /a allow /b"), ["2:13 blank-in-pattern"]],
    ["not in a comment", star("Disallow: /a # Allow: /b"), []],
  ])("%s", (_, text, places) => {
    expect(placesOf(text)).toEqual(places);
  });
});

describe("user-agent lines", () => {
  test.each([
    ["Googlebot/2.1", "user-agent-version", { value: "Googlebot/2.1", token: "Googlebot" }],
    ["Googlebot/v3", "user-agent-version", { value: "Googlebot/v3", token: "Googlebot" }],
    ["Googlebot/*", "user-agent-version", { value: "Googlebot/*", token: "Googlebot" }],
    ["Max/Nutch-1.10", "token-cut", { value: "Max/Nutch-1.10", token: "Max" }],
    ["Mozilla/x", "user-agent-header", { value: "Mozilla/x", token: "Mozilla" }],
    ["a Disallow: /", "several-directives", { name: "disallow" }],
    ["* ALLOW: /", "several-directives", { name: "allow" }],
    ["MJ12bot", "token-cut", { value: "MJ12bot", token: "MJ" }],
    ["Sogou web spider", "token-cut", { value: "Sogou web spider", token: "Sogou" }],
    ["Mediapartners-Google*", "token-cut", { value: "Mediapartners-Google*", token: "Mediapartners-Google" }],
    ["Mozilla/5.0 (x)", "user-agent-header", { value: "Mozilla/5.0 (x)", token: "Mozilla" }],
    ["a, b", "several-names", { value: "a, b", token: "a" }],
    ["a ;b", "several-names", { value: "a ;b", token: "a" }],
    ["* x", "star-and-text", { value: "* x" }],
    ["*x", "no-token", { value: "*x" }],
    ["**", "no-token", { value: "**" }],
    ["360Spider", "no-token", { value: "360Spider" }],
    ["日本", "no-token", { value: "日本" }],
    ["", "empty-user-agent", {}],
  ])("%s", (value, code, args) => {
    expect(lint(`User-agent: ${value}\nDisallow: /`).map((finding) => [finding.code, finding.args])).toEqual([
      [code, args],
    ]);
  });

  test.each([
    ["a record", "Crawl-delay: 1", { by: "directive", key: "crawl-delay" }],
    ["an unknown directive", "Forbid: /x", { by: "directive", key: "forbid" }],
    ["a misspelled rule", "Disllow: /x", { by: "directive", key: "disllow" }],
    ["a sitemap", "Sitemap: https://example.com/s.xml", { by: "directive", key: "sitemap" }],
    ["text", "what is this", { by: "text", key: "" }],
    ["a blank line", "", { by: "blank", key: "" }],
  ])("joined by %s", (_, between, args) => {
    const text = `User-agent: a\n${between}\nUser-agent: *\nDisallow: /`;
    expect(argsOf(text, "joined-groups")).toEqual([{ afterLine: 1, byLine: 2, ...args }]);
  });

  test("a join is explained by a line with text, else by a blank line, never by a comment", () => {
    expect(argsOf("User-agent: a\n\n# x\nHost: h\nUser-agent: b\nDisallow:", "joined-groups")).toEqual([
      { afterLine: 1, byLine: 4, by: "directive", key: "host" },
    ]);
    expect(codesOf("User-agent: a\n# x\nUser-agent: b\nDisallow:")).toEqual([]);
    expect(codesOf("User-agent: a\nDisallow:\n\nSitemap: https://h/s\n\nUser-agent: b\nDisallow:")).toEqual([]);
  });

  test.each([
    ["GPTBot ClaudeBot CCBot", "several-names"],
    ["Googlebot bingbot", "several-names"],
    ["Sogou web spider", "token-cut"],
    ["Bot News", "token-cut"],
  ])("names with blanks between them: %s", (value, code) => {
    expect(codesOf(`User-agent: ${value}\nDisallow: /`)).toEqual([code]);
  });

  test("names that Google's parser cuts to the same letters, or to nothing, are different crawlers", () => {
    const names = [
      "360Spider",
      "80legs",
      "MJ12bot",
      "MJ13crawler",
      "008",
      "Ahrefs2Bot",
      "Ahrefs3Bot",
      "W3C_x",
      "W4C_x",
    ];
    const file = names.map(
      (name, at) => `User-agent: ${name}\n${at % 2 === 0 ? "Disallow: /" : "Disallow: /\nAllow: /a"}\n`,
    );
    expect(new Set(codesOf(file.join("\n")))).toEqual(new Set(["no-token", "token-cut"]));
    const opposite = "User-agent: MJ12bot\nAllow: /a\n\nUser-agent: MJ13bot\nDisallow: /a\nAllow: /a\n";
    expect(placesOf(opposite)).toEqual(["1:15 token-cut", "4:15 token-cut", "5:11 contradicted-rule"]);
  });

  test("a whole name is named again, without regard to case and version", () => {
    const text = "User-agent: MJ12bot\nDisallow: /\n\nUser-agent: mj12BOT/2\nDisallow: /\n";
    expect(argsOf(text, "duplicate-group")).toEqual([{ token: "mj12BOT", firstLine: 1 }]);
    expect(argsOf(text, "duplicate-rule")).toEqual([{ type: "disallow", pattern: "/", firstLine: 2 }]);
  });

  test("a product token named again in the same group and in other groups", () => {
    const text =
      "User-agent: A\nUser-agent: a\nDisallow: /1\n\nUser-agent: a\nDisallow: /2\n\nUser-agent: a/3\nDisallow: /3";
    expect(lint(text).map(({ line, code, args }) => [line, code, "firstLine" in args ? args.firstLine : 0])).toEqual([
      [2, "repeated-user-agent", 1],
      [5, "duplicate-group", 1],
      [8, "duplicate-group", 1],
      [8, "user-agent-version", 0],
    ]);
  });

  test.each([
    ["alone", "User-agent: a", ["group-without-rules"]],
    ["beside a group for *", "User-agent: *\nDisallow: /x\n\nUser-agent: a", ["unbound-by-star"]],
    ["with rules elsewhere", "User-agent: a\nDisallow: /x\n\nUser-agent: a", ["duplicate-group"]],
    [
      "one of two with rules elsewhere",
      "User-agent: a\nDisallow: /x\n\nUser-agent: a\nUser-agent: b",
      ["duplicate-group", "group-without-rules"],
    ],
  ])("a last group without rules: %s", (_, text, codes) => {
    expect(codesOf(text)).toEqual(codes);
  });
});

describe("patterns", () => {
  test.each([
    ["private", "/private"],
    ["?sort=", "/*?sort="],
    [".gif$", "/*.gif$"],
    ["$", "/$"],
    ["\\admin\\", "/admin/"],
    ['"/quoted/"', "/quoted/"],
    ["~joe", "/~joe"],
    ["\u201c/a", "/a"],
  ])("never matches: %s", (pattern, meant) => {
    expect(argsOf(star(`Disallow: ${pattern}`), "pattern-never-matches")).toEqual([{ pattern, meant }]);
  });

  test.each([
    ["https://example.com", "/"],
    ["HTTP://example.com/a?b", "/a?b"],
    ["ftp://example.com/a", "/a"],
  ])("a URL: %s", (pattern, meant) => {
    expect(argsOf(star(`Allow: ${pattern}`), "url-as-pattern")).toEqual([{ pattern, meant }]);
  });

  test.each([
    ["/*", ["2:12 useless-star"]],
    ["/a***", ["2:13 useless-star", "2:14 double-star"]],
    ["/a*$", ["2:13 useless-end"]],
    ["*", []],
    ["*$", []],
    ["**", ["2:12 double-star"]],
    ["/a$*", ["2:13 dollar-inside"]],
    ["/a$*$", ["2:13 dollar-inside"]],
    ["/a$$", ["2:13 dollar-inside"]],
    ["/a$", []],
    ["/a*b", []],
    ["/%2a", ["2:12 escaped-special"]],
    ["/%24x%24", ["2:12 escaped-special"]],
    [
      "/%2A%2a%7e%41%zz%c3%c3",
      ["2:12 escaped-special", "2:18 needless-escape", "2:24 broken-escape", "2:27 lower-case-escape"],
    ],
    ["/100%", ["2:15 broken-escape"]],
    ["/%2", ["2:12 broken-escape"]],
    ["/%2F%3F%25", []],
    ["/a b", ["2:13 blank-in-pattern"]],
    ["/a b /c", ["2:13 blank-in-pattern"]],
    ["/a\t/c", ["2:13 several-paths"]],
    ["/a *b", ["2:13 several-paths"]],
    ["/a#b", ["2:13 hash-in-value"]],
    ["/a #b", []],
    ["/robots.txt", ["2:11 matches-robots-txt"]],
    ["/*.txt$", ["2:11 matches-robots-txt"]],
    ["/*.txt.gz", []],
    ["/robots", []],
    ["/", []],
  ])("%s", (pattern, places) => {
    expect(placesOf(star(`Disallow: ${pattern}`))).toEqual(places);
  });

  test("an allow rule for /robots.txt has no finding", () => {
    expect(codesOf(star("Allow: /robots.txt", "Disallow: /"))).toEqual([]);
  });

  test("hash-in-value has the text after the value", () => {
    expect(argsOf(star("Disallow: /#/admin x"), "hash-in-value")).toEqual([{ value: "/", rest: "#/admin x" }]);
    expect(argsOf("Sitemap: https://h/s.xml#a", "hash-in-value")).toEqual([{ value: "https://h/s.xml", rest: "#a" }]);
  });

  test("raw-non-ascii has the pattern in the form that is compared", () => {
    expect(argsOf(star("Disallow: /é/日"), "raw-non-ascii")).toEqual([
      { pattern: "/é/日", meant: "/%C3%A9/%E6%97%A5" },
    ]);
  });
});

describe("what the author probably meant", () => {
  test.each([
    ["“/private”", "/private"],
    ["«/private»", "/private"],
    ["'/private'", "/private"],
    ["`/private`", "/private"],
    ["[/p5]", "/p5"],
    ["(/p5)", "/p5"],
    ["./p12", "/p12"],
    ["../../p12", "/p12"],
    [".*/p19", "*/p19"],
    ["^/p19", "/p19"],
    ["example.com/z", "/z"],
    ["www.example.com", "/"],
    [".pdf$", "/*.pdf$"],
    ["index.php/a", "/index.php/a"],
    ["[a]/b", "/[a]/b"],
  ])("%s: %s", (pattern, meant) => {
    expect(argsOf(star(`Disallow: ${pattern}`), "pattern-never-matches")).toEqual([{ pattern, meant }]);
  });

  test.each([
    ["/example.com/wp-admin/", "/wp-admin/"],
    ["//example.com/y", "/y"],
    ["/https://example.com/x", "/x"],
    ["/http:/example.com", "/"],
    ["/www.shop.museum/a", "/a"],
    ["/shop.co.uk/", "/"],
  ])("the name of a host in %s: %s", (pattern, meant) => {
    expect(argsOf(star(`Disallow: ${pattern}`), "host-in-path")).toEqual([{ pattern, meant }]);
  });

  test.each([
    "/index.html",
    "/a.js/",
    "/example.community/",
    "/v1.2/a",
    "/jquery.min.js",
    "/*.com/",
    "/a/example.com/b",
    "/.git/",
  ])("no name of a host: %s", (pattern) => {
    expect(codesOf(star(`Disallow: ${pattern}`))).not.toContain("host-in-path");
  });

  test.each([
    ["/a,/b", "2:13"],
    ["/a;/b", "2:13"],
    ["/ä|/b", "2:13"],
    ["/a,https://x.example/b", "2:13"],
  ])("paths joined in one pattern: %s", (pattern, place) => {
    expect(placesOf(star(`Disallow: ${pattern}`))).toContain(`${place} joined-paths`);
  });

  test.each(["/a,b", "/a;jsessionid=", "/a?b=1,/c", "/|", "/a|b/c", "/*,", "/a,%2Fb"])("one path: %s", (pattern) => {
    expect(codesOf(star(`Disallow: ${pattern}`))).not.toContain("joined-paths");
  });

  test.each([
    ["/a<br />", "blank-in-pattern"],
    ["/x // why", "blank-in-pattern"],
    ["/x /", "several-paths"],
    ["/x /y", "several-paths"],
    ["/x *y", "several-paths"],
  ])("a blank in %s: %s", (pattern, code) => {
    expect(codesOf(star(`Disallow: ${pattern}`))[0]).toBe(code);
  });

  test.each([
    [star("Dis\u0430llow: /u"), "U+0430"],
    ["User\u2011agent: x", "U+2011"],
    [star("Disallow \u2013 /q"), "U+2013"],
    [star("Disallow: /\u0421art"), "U+0421"],
    [star("ai-train: yes"), '"Content-Signal: ai-train=no"'],
    ["https://example.com/sitemap.xml", '"Sitemap: https://example.com/sitemap.xml"'],
    [star("Content-Signal: search:yes"), '"search=yes"'],
  ])("%j: the sentence names %s", (text, named) => {
    expect(lint(text).map(sentenceOf).join("\n")).toContain(named);
  });

  test.each([star("Disallow: /\u0421\u0435\u0440"), star("Disallow: /caf\xe9"), star("Disallow: /\u65e5\u672c")])(
    "letters of one script are no look-alikes: %j",
    (text) => {
      expect(lint(text).map(sentenceOf).join("\n")).not.toContain("looks like");
    },
  );
});

describe("rules compared with other rules", () => {
  const about = new Set<string>([
    "duplicate-rule",
    "contradicted-rule",
    "redundant-rule",
    "needless-allow",
    "empty-rule",
    "allow-only-group",
  ]);
  const rulesOf = (text: string): string[] =>
    lint(text).flatMap(({ line, code, args }) =>
      about.has(code) ? [[line, code, ...Object.values(args)].join(" ")] : [],
    );

  test.each([
    ["the same twice", star("Disallow: /a", "Disallow: /a"), ["3 duplicate-rule disallow 2 /a"]],
    [
      "the same pattern in another spelling",
      star("Disallow: /é", "Disallow: /%c3%a9**$"),
      ["3 duplicate-rule disallow 2 /%c3%a9**$"],
    ],
    ["two patterns that match everything", star("Disallow: /", "Disallow: *"), ["3 duplicate-rule disallow 2 *"]],
    [
      "in groups of the same names",
      "User-agent: A\nUser-agent: b\nDisallow: /a\nUser-agent: B\nUser-agent: a\nDisallow: /a",
      ["6 duplicate-rule disallow 3 /a"],
    ],
    ["not of other names", "User-agent: a\nDisallow: /a\nUser-agent: a\nUser-agent: b\nDisallow: /a", []],
    ["rules that match nothing are not duplicates", star("Disallow: a", "Disallow: a"), []],
    ["case counts", star("Disallow: /a", "Disallow: /A"), []],
    ["a $ that is an ordinary character", star("Disallow: /a$*", "Disallow: /a$"), []],
    ["allow wins among equals", star("Disallow: /a", "Allow: /a"), ["2 contradicted-rule disallow /a /a 3"]],
    ["more octets win", star("Disallow: /a*", "Allow: /a"), ["3 contradicted-rule allow /a /a* 2"]],
    [
      "an allow rule for an index file also allows the folder",
      star("Disallow: /a/index.html*", "Allow: /a/index.html"),
      [],
    ],
    [
      "a rule that beats a rule of the other type is not redundant",
      star("Disallow: /a", "Allow: /a", "Disallow: /b", "Allow: /"),
      ["2 contradicted-rule disallow /a /a 3"],
    ],
    ["a pattern below another one", star("Disallow: /a", "Disallow: /a/b"), ["3 redundant-rule disallow /a/b /a 2"]],
    ["a pattern below a later one", star("Disallow: /a/b", "Disallow: /a"), ["2 redundant-rule disallow /a/b /a 3"]],
    ["the same pattern with $", star("Disallow: /a", "Disallow: /a$"), ["3 redundant-rule disallow /a$ /a 2"]],
    ["no path is below a pattern with $", star("Disallow: /a$", "Disallow: /ab"), []],
    ["a wildcard below another pattern", star("Disallow: /", "Disallow: /a*b"), ["3 redundant-rule disallow /a*b / 2"]],
    ["an allow in between", star("Disallow: /a", "Allow: /a/b", "Disallow: /a/b/c"), []],
    [
      "an allow in between that matches other paths",
      star("Disallow: /a", "Allow: /b/c", "Disallow: /a/b/c", "Disallow: /b"),
      ["4 redundant-rule disallow /a/b/c /a 2"],
    ],
    ["an allow with wildcard in between", star("Disallow: /a", "Allow: /*b", "Disallow: /a/b/c"), []],
    [
      "an allow with wildcard that is longer anyway",
      star("Disallow: /a", "Allow: /*bcdefgh", "Disallow: /a/b"),
      ["4 redundant-rule disallow /a/b /a 2"],
    ],
    ["an index file's folder in between", star("Disallow: /", "Allow: /a/index.html", "Disallow: /a/**"), []],
    ["allow below allow", star("Disallow: /", "Allow: /a", "Allow: /a/b"), ["4 redundant-rule allow /a/b /a 3"]],
    ["an allow without a disallow", star("Disallow: /b", "Allow: /a"), ["3 needless-allow /a"]],
    ["an allow for what a wildcard may disallow", star("Disallow: /*b", "Allow: /abc"), []],
    ["an allow for what only longer rules disallow", star("Disallow: /a/b", "Allow: /a"), ["3 needless-allow /a"]],
    ["allow all beside others", star("Allow: /", "Disallow: /b"), []],
    ["allow alone", star("Allow: /a", "Allow: /b"), ["1 allow-only-group *"]],
    ["allow alone in one of two groups", "User-agent: a\nAllow: /a\nUser-agent: a\nDisallow: /", []],
    [
      "a crawler whose rules are in several groups",
      "User-agent: a\nUser-agent: b\nDisallow: /\nDisallow: /a\nUser-agent: a\nAllow: /",
      [],
    ],
    ["empty beside others", star("Disallow:", "Disallow: /a"), ["2 empty-rule"]],
    ["empty beside others of the same name", "User-agent: *\nDisallow:\nUser-agent: *\nDisallow: /", ["2 empty-rule"]],
    ["empty alone", star("Disallow:", "Disallow:"), []],
  ])("%s", (_, text, expected) => {
    expect(rulesOf(text)).toEqual(expected);
  });

  test("the rules of crawlers with more than 10,000 rules are not checked for redundancy", () => {
    const rules = Array.from({ length: 10_000 }, (_, index) => `Disallow: /${index}x`);
    expect(rulesOf(star(...rules.slice(1), "Disallow: /"))).toHaveLength(100);
    expect(rulesOf(star(...rules, "Disallow: /"))).toEqual([]);
  });
});

describe("other records", () => {
  test.each(["-5", "NaN", "0x10", "1e3", "1,5", "10s", ".", "5."])("not a delay: %s", (value) => {
    expect(argsOf(star(`Crawl-delay: ${value}`, "Disallow:"), "crawl-delay-value")).toEqual([{ value }]);
  });

  test.each([
    ["0", []],
    ["0.5", []],
    [".5", []],
    ["300", []],
    ["300.5", [{ seconds: 300.5 }]],
    ["99999999999999999999", [{ seconds: 1e20 }]],
    ["9".repeat(400), [{ seconds: Number.MAX_VALUE }]],
  ])("delay: %s", (value, large) => {
    const text = star(`Crawl-delay: ${value}`, "Disallow:");
    expect(argsOf(text, "crawl-delay-value")).toEqual([]);
    expect(argsOf(text, "crawl-delay-large")).toEqual(large);
  });

  test("repeated crawl-delays are found within each group", () => {
    const text = "User-agent: a\nCrawl-delay: 1\nDisallow:\nCrawldelay: 2\nUser-agent: b\nCrawl-delay: 3\nDisallow:";
    expect(argsOf(text, "crawl-delay-repeated")).toEqual([{ firstLine: 2 }]);
  });

  test.each([
    ["/sitemap.xml", "sitemap-relative"],
    ["example.com/s.xml", "sitemap-relative"],
    ["example.com:80/s.xml", "sitemap-relative"],
    ["//example.com/s.xml", "sitemap-relative"],
    ["https:///s.xml", "sitemap-relative"],
    ["ftp://example.com/s.xml", "sitemap-scheme"],
    ["https://example.com/a b.xml", "sitemap-blank"],
    ["", "empty-record"],
  ])("sitemap: %s", (value, code) => {
    expect(codesOf(`Sitemap: ${value}`)).toEqual(code === "empty-record" ? [code, "no-group"] : ["no-group", code]);
  });

  test("a record with group scope, and a record with either scope, outside a group", () => {
    expect(placesOf("Noindex: /\nLicense: https://h/l.xml\nClean-param: a\nUser-agent: *\nDisallow:")).toEqual([
      "1:1 noindex-record",
      "1:1 record-outside-group",
      "3:1 partly-read-record",
    ]);
  });

  test("the readers of a record are reported once", () => {
    const text = star(
      "Crawl-delay: 1",
      "Disallow:",
      "Request-rate: 1/5",
      "crawldelay: 2",
      "Visit-time: 1",
      "visit-time: 2",
    );
    expect(argsOf(text, "partly-read-record").map(({ name }) => name)).toEqual(["crawl-delay", "request-rate"]);
    expect(argsOf(text, "unread-record").map(({ name }) => name)).toEqual(["visit-time"]);
  });
});

describe("bounds", () => {
  test("100 findings of each code are kept; the rest are counted on the first line left out", () => {
    const lines = Array.from({ length: 250 }, (_, index) => `Disallow: p${index}`);
    const findings = lint(star(...lines, "nonsense"));
    expect(findings).toHaveLength(102);
    expect(findings.at(-2)).toEqual({
      code: "more-findings",
      severity: "info",
      line: 102,
      column: 1,
      args: { code: "pattern-never-matches", count: 150 },
    });
  });

  test("100,000 sitemaps, every second one with the scheme javascript", () => {
    const lines = Array.from({ length: 100_000 }, (_, at) =>
      at % 2 === 0 ? `Sitemap: https://example.com/${at}.xml` : `Sitemap: javascript:alert(${at})`,
    );
    const findings = lint(star("Disallow: /private", ...lines));
    expect(findings.filter(({ code }) => code === "sitemap-relative")).toHaveLength(100);
    expect(findings.length).toBeLessThan(110);
    // Lines that a crawler no longer reads are not counted.
    expect(argsOf(star(...lines), "more-findings")).toEqual([{ code: "sitemap-relative", count: 7_165 }]);
    // Each of these lines is returned as text and changes no decision.
    const robots = parseRobotsTxt(star("Disallow: /private", ...lines));
    expect([robots.records.length, robots.records[1]]).toMatchObject([100_000, { value: "javascript:alert(1)" }]);
    expect(createMatcher(robots, "bingbot").decide("/private")).toMatchObject({ allowed: false, rule: { line: 2 } });
  });

  test("long texts are cut between characters", () => {
    const [args] = argsOf(star(`Disallow: a${"é".repeat(1000)}`), "pattern-never-matches");
    expect(args!.pattern).toBe(`a${"é".repeat(99)}…`);
  });

  test("a string and its UTF-8 bytes have the same findings", () => {
    const text = "\uFEFFuser agent: ü\nDisallow: /é \u200b\n\ud800";
    expect(lint(text)).toEqual(lint(new TextEncoder().encode(text)));
  });

  test("no sentence contains terminal control characters", () => {
    const evil = "\x1b[2J\x07\u202e\u2028\u009b";
    const text = [
      `${evil}: x`,
      `User-agent: ${evil}`,
      `Disallow: ${evil}`,
      `Disallow: /a${evil} /b#${evil}`,
      `Sitemap: ${evil}`,
      `Crawl-delay: ${evil}`,
      `dis${evil}`,
    ].join("\n");
    const sentences = lint(text).map(sentenceOf);
    expect(sentences.length).toBeGreaterThan(10);
    for (const sentence of sentences) {
      // oxlint-disable-next-line no-control-regex
      expect(sentence).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u202e]/);
    }
  });
});

describe("preferences about use", () => {
  const usage = (value: string): string[] => placesOf(star(`Content-Usage: ${value}`, "Disallow:"));
  const signal = (value: string): string[] => placesOf(star(`Content-Signal: ${value}`, "Disallow:"));
  test.each<[string, string[]]>([
    ["train-ai=n, search=y, ai-use=n", []],
    ["/*.pdf$ train-ai=n", []],
    ["/a", []],
    ["*.pdf train-ai=n", ["2:16 usage-path-without-slash"]],
    ["images/ train-ai=n", ["2:16 usage-path-without-slash"]],
    ["https://example.com/a train-ai=n", ["2:16 usage-path-without-slash"]],
    ["a.b, train-ai=n", ["2:16 usage-unknown-key"]],
    ["train-ai=n search=y", ["2:27 usage-not-a-dictionary"]],
    ["/a train-ai=n,", ["2:30 usage-not-a-dictionary"]],
    ["train-ai=é", ["2:25 usage-not-a-dictionary"]],
    ["TRAIN-AI=n", ["2:16 usage-upper-case"]],
    ["search=y, train-AI=n", ["2:26 usage-upper-case"]],
    ["Train-AI=n search=y", ["2:16 usage-not-a-dictionary"]],
    [
      "train-ai=no, search, ai-use=?0",
      ["2:16 usage-unknown-value", "2:29 usage-unknown-value", "2:37 usage-unknown-value"],
    ],
    ['train-ai="n"', ["2:16 usage-unknown-value"]],
    ["tdm=n, ai-input=n", ["2:16 usage-unknown-key", "2:23 usage-unknown-key"]],
  ])("Content-Usage: %s", (value, expected) => {
    expect(usage(value)).toEqual(expected);
  });

  test.each([
    ["bots", '"bots" has no meaning in content-usage since draft-ietf-aipref-vocab-05, and no key stands for all uses'],
    ["all", "since draft-ietf-aipref-vocab-03, and no key stands for all uses"],
    ["tdm", "since draft-ietf-aipref-vocab-02, and no key stands for all uses"],
    ["ai", 'since draft-ietf-aipref-vocab-02; write "train-ai".'],
    ["genai", 'since draft-ietf-aipref-vocab-02; write "train-ai".'],
    ["train-genai", 'since draft-ietf-aipref-vocab-04; write "train-ai".'],
    ["ai-output", 'since draft-ietf-aipref-vocab-05; write "ai-use".'],
    ["inference", 'since draft-ietf-aipref-vocab-02; write "ai-use".'],
    ["ai-train", 'has no meaning in content-usage; did you mean "train-ai"?'],
  ])("Content-Usage: a key of an earlier draft, %s", (key, sentence) => {
    const [finding] = lint(star(`Content-Usage: ${key}=n`, "Disallow:"));
    expect(sentenceOf(finding!)).toContain(sentence);
  });

  test.each<[string, string[]]>([
    ["search=yes, ai-input=no, ai-train=no, use=reference", []],
    ["Search = YES", []],
    ["/news ai-train=no", []],
    ["*.pdf ai-train=no", ["2:17 usage-path-without-slash"]],
    ["ai-train=n, use=some", ["2:17 usage-unknown-value", "2:29 usage-unknown-value"]],
    ["train-ai=no, , x", ["2:17 usage-unknown-key", "2:32 usage-unknown-key"]],
  ])("Content-Signal: %s", (value, expected) => {
    expect(signal(value)).toEqual(expected);
  });

  const everybody = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n";
  test.each<[string, string, string[]]>([
    ["closed groups are left out", "User-agent: a\nDisallow: /\n", []],
    ["control tokens are left out", "User-agent: Google-Extended\nDisallow: /x\n", []],
    ["a group that states the same", "User-agent: a\nContent-Signal: ai-train=no\nDisallow: /x\n", []],
    ["a group that states another key", "User-agent: a\nContent-Signal: ai-input=yes\nDisallow: /x\n", []],
    ["a group that states another path", "User-agent: a\nContent-Signal: /a ai-train=yes\nDisallow: /x\n", []],
    [
      "a group that states the opposite",
      "User-agent: a\nContent-Signal: search=yes,ai-train=yes\nDisallow: /x\n",
      ["5:28 usage-contradicted"],
    ],
    [
      "groups that state nothing",
      "User-agent: a\nUser-agent: b\nDisallow: /x\n\nUser-agent: c\nDisallow: /\n",
      ["2:17 usage-unbound-by-star"],
    ],
    [
      "one of a crawler's two groups states something",
      "User-agent: a\nContent-Signal: search=no\nDisallow: /x\n\nUser-agent: b\nDisallow: /x\n\nUser-agent: B\nContent-Usage: search=n\n",
      ["5:17 usage-contradicted", "11:13 duplicate-group"],
    ],
  ])("beside the group for *: %s", (_, text, expected) => {
    expect(placesOf(everybody + text).filter((place) => !place.endsWith("group-without-rules"))).toEqual(expected);
  });

  test("the number of further crawlers", () => {
    const groups = ["a", "b", "c"].map((name) => `User-agent: ${name}\nDisallow: /x\n`).join("\n");
    expect(argsOf(everybody + groups, "usage-unbound-by-star")).toEqual([
      { name: "content-signal", token: "a", groupLine: 4, others: 2 },
    ]);
  });

  test.each<[string, string[]]>([
    ["https://example.com/l.xml", []],
    ["/l.xml", ["1:10 license-relative"]],
    ["example.com", ["1:10 license-relative"]],
  ])("License: %s", (value, expected) => {
    expect(placesOf(`License: ${value}\nUser-agent: *\nDisallow:`)).toEqual(expected);
  });
});

test.each<readonly [what: string, names: readonly string[], codes: readonly string[]]>([
  ["a digit at the beginning", ["360Spider", "80legs", "008", "7ooo", "2ip bot", "404checker"], []],
  ["a digit inside", ["MJ12bot", "MJ13crawler"], []],
  ["words", ["Sogou web spider", "Sogou inst spider"], []],
  ["other characters", ["Crawler.one", "Crawler.two", "crawler@three", "Yahoo! Slurp", "yahoo: pipes"], []],
  ["no letters, or nothing", ["\u641c\u72d7", "\u767e\u5ea6", "", ""], []],
  ["a list", ["One, Two", "One, Three"], []],
  ["whole headers", ["Mozilla/5.0 (compatible; A/1.0)", "Mozilla/5.0 (compatible; B/1.0)"], []],
  ["one name is the part of the other that is read", ["MJ", "MJ12bot"], []],
  ["the same name", ["MJ12bot", "mj12bot/1.4"], ["duplicate-group MJ12BOT", "duplicate-rule", "duplicate-rule"]],
  ["the same token", ["A/1.0", "a"], ["duplicate-group A", "duplicate-rule", "duplicate-rule"]],
])("names that are cut to the same letters are not one crawler: %s", (_what, names, codes) => {
  // The rules of the groups repeat and contradict one another.
  const groupOf = (name: string): string => `User-agent: ${name}\nDisallow: /x\nDisallow: /y/z\n`;
  const found = (text: string): readonly string[] =>
    lint(text)
      .filter(({ code }) => !["token-cut", "no-token", "empty-user-agent", "several-names"].includes(code))
      .filter(({ code }) => !code.startsWith("user-agent-"))
      .map(({ code, args }) =>
        code === "duplicate-group" ? `${code} ${(args as { token: string }).token.toUpperCase()}` : code,
      );
  expect(found(names.map(groupOf).join("\n"))).toEqual(codes);
  if (codes.length > 0) return;
  const turned = names.map((name, number) => `User-agent: ${name}\n${number === 0 ? "Allow" : "Disallow"}: /x\n`);
  // This finding is about one group.
  expect(found(turned.join("\n")).filter((code) => code !== "allow-only-group")).toEqual([]);
  expect(found(`${names.map((name) => `User-agent: ${name}\n`).join("")}Disallow: /\n`)).toEqual([]);
});
