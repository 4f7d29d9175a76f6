// Tests the origins, targets and problems of URLs: tables, URLs of a megabyte, and arbitrary text.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTarget, problemOf, robotsUrlOf, UrlError } from "./index.ts";

const megabyte = 1 << 20;

describe("origin", () => {
  test.each<[what: string, url: string, origin: string]>([
    ["plain", "https://example.com/", "https://example.com"],
    ["nothing after the host", "http://example.com", "http://example.com"],
    ["query after the host", "http://example.com?a", "http://example.com"],
    ["fragment after the host", "http://example.com#a", "http://example.com"],
    ["fragment with a space at its end", "http://example.com#a ", "http://example.com"],
    ["upper case", "HTTPS://EXAMPLE.Com/", "https://example.com"],
    ["underscore, hyphens, empty label", "http://-a_.b-..c/", "http://-a_.b-..c"],
    ["dot at the end stays", "https://example.com./a", "https://example.com."],
    ["only a dot", "http://./", "http://."],
    ["default port, http", "http://example.com:80/", "http://example.com"],
    ["default port, https", "https://example.com:443/", "https://example.com"],
    ["default port, ftp", "ftp://example.com:21/", "ftp://example.com"],
    ["another scheme's default port", "http://example.com:443/", "http://example.com:443"],
    ["port 0", "http://h:0/", "http://h:0"],
    ["last port, leading zeros", "http://h:00065535/", "http://h:65535"],
    ["colon without port", "http://h:/", "http://h"],
    ["colon without port at the end", "http://h:", "http://h"],
    ["port at the end", "http://h:81", "http://h:81"],
    ["port before the query", "https://h:80?a", "https://h:80"],
    ["port before the fragment", "http://h:65535#a", "http://h:65535"],
    ["port before a backslash", "http://h:81\\a", "http://h:81"],
    ["user info", "http://user:p@ss@example.com:8080/@a", "http://example.com:8080"],
    ["empty user info", "http://@h/", "http://h"],
    ["at sign after the authority", "http://h?@b", "http://h"],
    ["one slash", "http:/h/a", "http://h"],
    ["no slash", "http:h/a", "http://h"],
    ["many slashes of both kinds", "http:\\/\\//h\\a", "http://h"],
    ["white space and controls around", "\u0001 \n http://h/ \u001f", "http://h"],
    ["TAB, LF, CR within", "h\tt\ntp:\r//e\nx\t.c\rom\n:8\t0/", "http://ex.com"],
    ["percent-encoded host", "http://%65x%41mple.%63om/", "http://example.com"],
    ["percent-encoded dot", "http://1%2e1/", "http://1.0.0.1"],
    ["percent-encoded UTF-8", "http://ex%C3%A4mple.com/", "http://xn--exmple-cua.com"],
    ["letters beyond ASCII", "http://EXÄMPLE.com/", "http://xn--exmple-cua.com"],
    ["sharp s is kept", "http://faß.de/", "http://xn--fa-hia.de"],
    ["ideographic full stop", "http://a。b/", "http://a.b"],
    ["soft hyphen is dropped", "http://a\u00adb/", "http://ab"],
    ["full-width digits", "http://１２７.１/", "http://127.0.0.1"],
    ["punycode of an invalid label", "http://XN--A/", "http://xn--a"],
    ["characters that URLs allow and DNS does not", "http://a!$&'()*+,;=~`{}\"b/", "http://a!$&'()*+,;=~`{}\"b"],
    ["IPv4", "http://192.0.2.1/", "http://192.0.2.1"],
    ["IPv4, dot at the end", "http://192.0.2.1./", "http://192.0.2.1"],
    ["IPv4, hexadecimal", "http://0xC0000201/", "http://192.0.2.1"],
    ["IPv4, octal", "http://0300.0.02.01/", "http://192.0.2.1"],
    ["IPv4, three parts", "http://192.0.513/", "http://192.0.2.1"],
    ["IPv4, two parts", "http://192.513/", "http://192.0.2.1"],
    ["IPv4, empty hexadecimal number", "http://0x/", "http://0.0.0.0"],
    ["IPv4, greatest", "http://4294967295/", "http://255.255.255.255"],
    ["IPv4, many zeros", `http://${"0".repeat(1000)}1/`, "http://0.0.0.1"],
    ["label of digits that is not the last", "http://1.2.3.com/", "http://1.2.3.com"],
    ["last label begins with a digit", "http://1.2.3.4x/", "http://1.2.3.4x"],
    ["two dots at the end", "http://1.2.3.4../", "http://1.2.3.4.."],
    ["IPv6", "http://[2001:DB8:0:0:1:0:0:1]/", "http://[2001:db8::1:0:0:1]"],
    ["IPv6, port", "http://[::1]:8080/", "http://[::1]:8080"],
    ["IPv6, default port", "https://[::1]:443", "https://[::1]"],
    ["IPv6, all zero", "http://[0:0:0:0:0:0:0:0]/", "http://[::]"],
    ["IPv6, leading zeros", "http://[0001::000a]/", "http://[1::a]"],
    ["IPv6, longest run", "http://[1:0:0:2:0:0:0:3]/", "http://[1:0:0:2::3]"],
    ["IPv6, one zero is not compressed", "http://[1:0:2:3:4:5:6:7]/", "http://[1:0:2:3:4:5:6:7]"],
    ["IPv6, '::' for one group", "http://[1:2:3:4:5:6:7::]/", "http://[1:2:3:4:5:6:7:0]"],
    ["IPv6, zeros at the end", "http://[1::]/", "http://[1::]"],
    ["IPv6, IPv4 at the end", "http://[64:ff9b::192.0.2.33]/", "http://[64:ff9b::c000:221]"],
    ["IPv6, eight groups with IPv4", "http://[1:2:3:4:5:6:255.255.255.255]/", "http://[1:2:3:4:5:6:ffff:ffff]"],
    ["IPv6 after user info", "http://a:[b]@[::1]/", "http://[::1]"],
  ])("%s: %j", (_what, url, origin) => {
    expect(parseTarget(url)?.origin).toBe(origin);
    expect(problemOf(url)).toBeUndefined();
  });
});

describe("no origin", () => {
  test.each<[what: string, url: string]>([
    ["empty", ""],
    ["white space", " \n"],
    ["no scheme", "example.com/a"],
    ["network path", "//example.com/a"],
    ["path", "/a"],
    ["scheme that begins with a digit", "1http://h/"],
    ["scheme with other letters", "hüttp://h/"],
    ["colon first", "://h/"],
    ["nothing but the scheme", "http:"],
    ["only slashes", "http://///"],
    ["no host before the query", "http://?a"],
    ["no host before the fragment", "http://#a"],
    ["no host before the port", "http://:80/"],
    ["only user info", "http://user@/"],
    ["user info and port", "http://user@:80/"],
    ["port too great", "http://h:65536/"],
    ["port too great, at the end", "http://h:65536"],
    ["port of six digits", "http://h:100000/"],
    ["port too long", `http://h:${"9".repeat(400)}/`],
    ["port that is no number", "http://h:8a/"],
    ["two ports", "http://h:80:80/"],
    ["port in other digits", "http://h:８０/"],
    ["space in the host", "http://a b/"],
    ["percent-encoded space in the host", "http://a%20b/"],
    ["percent-encoded slash in the host", "http://a%2Fb/"],
    ["percent-encoded NUL in the host", "http://a%00b/"],
    ["invalid escape in the host", "http://a%zz/"],
    ["lone percent in the host", "http://a%/"],
    ["percent-encoded percent in the host", "http://a%25b/"],
    ["escapes that are not UTF-8", "http://%ff/"],
    ["escapes of a surrogate", "http://%ED%A0%80/"],
    ["lone surrogate", "http://\ud800/"],
    ["surrogate pair with TAB and LF between its halves", "http://\ud83d\t\n\ude00/"],
    ["surrogate pair with a soft hyphen between its halves", "http://\ud83d\u00ad\ude00/"],
    ["surrogate pair with a variation selector between its halves", "http://a.\ud83d\ufe0f\ude00/"],
    ["surrogate pair with a zero-width space between its halves", "http://\ud83d\u200b\ude00.de/"],
    ["forbidden: <", "http://a<b/"],
    ["forbidden: >", "http://a>b/"],
    ["forbidden: ^", "http://a^b/"],
    ["forbidden: |", "http://a|b/"],
    ["forbidden: DEL", "http://a\u007fb/"],
    ["forbidden: control", "http://a\u0001b/"],
    ["forbidden: full-width slash", "http://a／b/"],
    ["a soft hyphen alone", "http://\u00ad/"],
    ["punycode with other letters beside it", "http://xn--a.ß/"],
    ["unassigned code point", "http://\u0378/"],
    ["IPv4, part too great", "http://256.1.1.1/"],
    ["IPv4, last part too great", "http://1.1.65536/"],
    ["IPv4, number too great", "http://4294967296/"],
    ["IPv4, five parts", "http://1.1.1.1.1/"],
    ["IPv4, empty part", "http://1..1/"],
    ["IPv4, octal with a 9", "http://09/"],
    ["IPv4, name before a number", "http://a.1/"],
    ["IPv4, name before a hexadecimal number", "http://a.0xF/"],
    ["IPv6, not closed", "http://[::1"],
    ["IPv6, empty", "http://[]/"],
    ["IPv6, zone", "http://[fe80::1%25eth0]/"],
    ["IPv6, three colons", "http://[:::1]/"],
    ["IPv6, two '::'", "http://[1::2::3]/"],
    ["IPv6, five digits", "http://[::12345]/"],
    ["IPv6, nine groups", "http://[1:2:3:4:5:6:7:8:9]/"],
    ["IPv6, '::' for no group", "http://[1:2:3:4:5:6:7:8::]/"],
    ["IPv6, seven groups", "http://[1:2:3:4:5:6:7]/"],
    ["IPv6, colon at the end", "http://[1:2:3:4:5:6:7:]/"],
    ["IPv6, IPv4 with a leading zero", "http://[::1.2.3.04]/"],
    ["IPv6, IPv4 part too great", "http://[::1.2.3.256]/"],
    ["IPv6, IPv4 of three parts", "http://[::1.2.3]/"],
    ["IPv6, IPv4 in the middle", "http://[::1.2.3.4:5]/"],
    ["IPv6, IPv4 alone", "http://[1.2.3.4]/"],
    ["IPv6, escapes are not decoded", "http://[%3A%3A1]/"],
    ["IPv6, text after it", "http://[::1]a/"],
    ["bracket within a name", "http://a[b]/"],
  ])("%s: %j is not a URL", (_what, url) => {
    expect(parseTarget(url)).toBeUndefined();
    expect(problemOf(url)).toBe("invalid-url");
  });

  test.each([
    "file:///a",
    "ws://h/",
    "mailto:a@b",
    "data:,x",
    "blob:https://h/1",
    "localhost:80/a",
    "httpss://h/",
    "a+.-1:",
  ])("%j has a scheme without robots.txt", (url) => {
    expect(parseTarget(url)).toBeUndefined();
    expect(problemOf(url)).toBe("unsupported-scheme");
  });

  test("a non-ASCII host may have 1,024 code units, a label 255", () => {
    const label = "ü".repeat(255);
    expect(parseTarget(`http://${label}/`)?.origin).toMatch(/^http:\/\/xn--[a-z0-9]+$/);
    expect(problemOf(`http://${label}ü/`)).toBe("invalid-url");
    expect(parseTarget(`http://${`${label}.`.repeat(4)}/`)?.origin).toMatch(/^http:\/\/(?:xn--[a-z0-9]+\.){4}$/);
    expect(problemOf(`http://${`${label}.`.repeat(4)}a/`)).toBe("invalid-url");
    expect(problemOf(`http://${`${label}。`.repeat(4)}a/`)).toBe("invalid-url");
    expect(parseTarget(`http://${"a".repeat(5000)}/`)?.origin).toBe(`http://${"a".repeat(5000)}`);
  });
});

describe("target", () => {
  test.each<[what: string, rest: string, target: string]>([
    ["empty path", "", "/"],
    ["root", "/", "/"],
    ["query without path", "?a=1", "/?a=1"],
    ["'?' alone", "/?", "/?"],
    ["'?' alone without path", "?", "/?"],
    ["fragment", "/a#b?c", "/a"],
    ["fragment without path", "#/a", "/"],
    ["'#' alone", "/a?#", "/a?"],
    ["dot segments stay", "/a/../b/./c/..", "/a/../b/./c/.."],
    ["encoded dot segments stay", "/%2E%2e/a", "/%2E%2E/a"],
    ["'//' stays", "//a///b", "//a///b"],
    ["backslash in the path", "\\a\\..\\b", "/a/../b"],
    ["backslash in the query stays", "/a?b\\c", "/a?b\\c"],
    ["backslash after other changed text", "/ü\\a?ü\\", "/%C3%BC/a?%C3%BC\\"],
    ["semicolon", "/a;b=1?c;d", "/a;b=1?c;d"],
    ["space", "/a b?c d", "/a%20b?c%20d"],
    ["space at the end is cut off", "/a ", "/a"],
    ["space before the fragment", "/a #b", "/a%20"],
    ["plus", "/a+b?c+d", "/a+b?c+d"],
    ["unsafe", '/"<>?"<>', "/%22%3C%3E?%22%3C%3E"],
    [
      "left as written",
      "/!$&'()*+,-.:;=@[]^_`{|}~?!$&'()*+,-./:;=?@[]^_`{|}~",
      "/!$&'()*+,-.:;=@[]^_`{|}~?!$&'()*+,-./:;=?@[]^_`{|}~",
    ],
    ["controls", "/\u0000\u0001\u001f\u007f/", "/%00%01%1F%7F/"],
    ["TAB, LF, CR are removed", "/a\tb\nc\rd?e\tf", "/abcd?ef"],
    ["an escape that a TAB splits", "/%c\t3%\nbc", "/%C3%BC"],
    ["an escape that a TAB splits after other changed text", "/ü%c\t3", "/%C3%BC%C3"],
    ["raw UTF-8", "/ü/日本?q=ü", "/%C3%BC/%E6%97%A5%E6%9C%AC?q=%C3%BC"],
    ["beyond the first plane", "/😀", "/%F0%9F%98%80"],
    ["surrogate pair with TAB, LF, CR between its halves", "/\ud83d\t\n\r\ude00", "/%EF%BF%BD%EF%BF%BD"],
    ["lone surrogates", "/\ud800a\udc00\ud800", "/%EF%BF%BDa%EF%BF%BD%EF%BF%BD"],
    ["U+0080, U+FEFF, U+FFFF", "/\u0080\ufeff\uffff", "/%C2%80%EF%BB%BF%EF%BF%BF"],
    ["NFD stays", "/u\u0308", "/u%CC%88"],
    ["lower-case escapes", "/%c3%bc%aB?%2f", "/%C3%BC%AB?%2F"],
    ["escapes are not decoded", "/%41%2F%7E", "/%41%2F%7E"],
    ["invalid escapes stay", "/%zz%4%?%g1%", "/%zz%4%?%g1%"],
    ["invalid escape before a valid one", "/%%c3%4%bc", "/%%C3%4%BC"],
    ["nothing but a percent", "/%", "/%"],
    ["only the fragment is odd", "/a#\u0000ü%zz", "/a"],
  ])("%s: %j", (_what, rest, target) => {
    for (const host of [
      "http://example.com",
      "HTTP://example.com",
      "http://example.com:8080",
      "http://user@example.com:8080",
      "https://[::1]",
    ]) {
      expect(parseTarget(host + rest)?.target).toBe(target);
    }
  });

  test("a host that ends in text which Google's parser reads as the path", () => {
    expect(parseTarget("http://h;a/b")).toEqual({ origin: "http://h;a", target: "/b" });
  });

  test.each<[unit: string, encoded: string]>([
    ["a", "a"],
    ["%", "%"],
    ["%c3", "%C3"],
    ["ü", "%C3%BC"],
    ["\ud800", "%EF%BF%BD"],
    ["\ud800a", "%EF%BF%BDa"],
    [" a", "%20a"],
    ["\ta", "a"],
    ["\\", "/"],
    ["?", "?"],
    ["../", "../"],
  ])("a megabyte of %j", (unit, encoded) => {
    const times = Math.ceil(megabyte / unit.length);
    expect(parseTarget(`http://h/${unit.repeat(times)}`)?.target === `/${encoded.repeat(times)}`).toBe(true);
  });

  test.each([
    "a",
    "ü",
    "%",
    "%41",
    "%C3%BC",
    "@",
    "a@",
    ".",
    "1.",
    "0",
    "[",
    ":",
    "[:",
    "\\",
    "/",
    " ",
    "\t",
    "xn--",
    "a:",
  ])("a megabyte of %j in any part of a URL gives either a target or a problem", (unit) => {
    const text = unit.repeat(Math.ceil(megabyte / unit.length));
    for (const url of [text, `${text}:`, `http:${text}`, `http://${text}/a`, `http://h:${text}`, `http://[${text}]`]) {
      const parsed = parseTarget(url);
      expect(parsed === undefined).toBe(problemOf(url) !== undefined);
      if (parsed) expect(parsed.target.startsWith("/")).toBe(true);
    }
  });
});

describe("any text", () => {
  const starts = ["http://", "https://", "ftp://", "HTTP:", "http:/\\", "x:", ""];
  const oddAscii = [...'/\\?#@:;.%[]-_ \t\n\0"<>^`{|}~!0123456789abcdefxXZ'.split(""), "%2e", "%C3", "xn--", "0x"];

  function textsOf(pieces: readonly string[], unit: "binary" | "binary-ascii"): fc.Arbitrary<string> {
    const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit, maxLength: 3 }));
    const urls = fc.tuple(fc.constantFrom(...starts), fc.array(piece, { maxLength: 20 }));
    return fc.oneof(
      fc.string({ unit }),
      urls.map(([start, rest]) => start + rest.join("")),
    );
  }

  test("a text has either a target or a problem; parsing origin + target gives the same result", () => {
    fc.assert(
      fc.property(textsOf([...oddAscii, "ü", "日", "😀", "。", "\ud800"], "binary"), (url) => {
        const parsed = parseTarget(url);
        expect(parsed === undefined).toBe(problemOf(url) !== undefined);
        if (parsed === undefined) return;
        expect(parsed.target).toMatch(/^\/(?:%[0-9A-F]{2}|%(?![0-9A-Fa-f]{2})|[^\0-\x20"#%<>\x7f-\uffff])*$/);
        expect(parsed.origin).toMatch(/^(?:https?|ftp):\/\/[^/?#\\@A-Z]+$/);
        expect(parseTarget(parsed.origin + parsed.target)).toEqual(parsed);
        expect(parseTarget(parsed.origin)).toEqual({ origin: parsed.origin, target: "/" });
      }),
      { numRuns: 3000 },
    );
  });

  // Older Node versions follow older editions of the standard, which refused "xn--" labels that encode nothing valid.
  const standardIsNew = Number.parseInt(process.versions["ada"] ?? "0", 10) >= 4;
  test.skipIf(!standardIsNew)("the origin equals the origin of new URL() (in Node with ada 4 or newer)", () => {
    fc.assert(
      fc.property(textsOf(oddAscii, "binary-ascii"), (url) => {
        let expected: string | undefined;
        try {
          const { origin, protocol } = new URL(url);
          expected = /^(?:https?|ftp):$/.test(protocol) ? origin : undefined;
        } catch {
          expected = undefined;
        }
        expect(parseTarget(url)?.origin).toBe(expected);
      }),
      { numRuns: 10_000 },
    );
  });

  test("a value that is not a string is the caller's mistake", () => {
    for (const call of [parseTarget, problemOf]) {
      expect(() => call(undefined as never)).toThrow(UrlError);
      expect(() => call(new URL("http://h/") as never)).toThrow(expect.objectContaining({ code: "ERR_NOT_A_STRING" }));
    }
  });
});

describe("robotsUrlOf", () => {
  test.each([
    ["https://example.com", "https://example.com/robots.txt"],
    ["http://example.com:8080", "http://example.com:8080/robots.txt"],
    ["ftp://example.com.", "ftp://example.com./robots.txt"],
    ["http://[::1]", "http://[::1]/robots.txt"],
    ["http://xn--a", "http://xn--a/robots.txt"],
  ])("%s", (origin, robotsUrl) => {
    expect(robotsUrlOf(origin)).toBe(robotsUrl);
  });

  test.each([
    "",
    "example.com",
    "https://example.com/",
    "https://example.com/a",
    "https://example.com?",
    "https://example.com#",
    "https://EXAMPLE.com",
    "https://example.com:443",
    "https://user@example.com",
    "http://0x7f.1",
    "http://exämple.com",
    "ws://example.com",
    "null",
    " https://example.com",
  ])("%j is not an origin", (text) => {
    expect(() => robotsUrlOf(text)).toThrow(expect.objectContaining({ code: "ERR_NOT_AN_ORIGIN" }));
  });
});
