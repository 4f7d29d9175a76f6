// Tests that the parser without tr46 agrees with the full parser for ASCII hosts, and refuses other hosts or passes them to the caller's
// function.
import { domainToASCII } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as ascii from "./ascii.ts";
import * as full from "./index.ts";

test("the entry point /ascii has every name of the full entry point", () => {
  expect(Object.keys(ascii)).toEqual(expect.arrayContaining(Object.keys(full)));
});

describe("hosts", () => {
  test.each<[what: string, url: string, origin: string | undefined, problem: ascii.AsciiUrlProblem | undefined]>([
    ["ASCII", "HTTPS://User@Example.com:443/ü?ü", "https://example.com", undefined],
    ["escapes of ASCII", "http://%65xample.com/", "http://example.com", undefined],
    ["punycode", "http://xn--exmple-cua.com/", "http://xn--exmple-cua.com", undefined],
    ["an address", "http://0x7f.1/", "http://127.0.0.1", undefined],
    ["letters beyond ASCII", "http://exämple.com/", undefined, "non-ascii-host"],
    ["escapes of such letters", "http://ex%C3%A4mple.com/", undefined, "non-ascii-host"],
    ["such letters and a port", "http://exämple.com:8080/", undefined, "non-ascii-host"],
    ["such letters and an invalid port", "http://exämple.com:http/", undefined, "invalid-url"],
    ["such letters in another scheme", "ws://exämple.com/", undefined, "unsupported-scheme"],
    ["a forbidden character", "http://a b/", undefined, "invalid-url"],
    ["no host", "http:///", undefined, "invalid-url"],
  ])("%s: %j", (_what, url, origin, problem) => {
    expect(ascii.parseTarget(url)?.origin).toBe(origin);
    expect(ascii.problemOf(url)).toBe(problem);
  });
});

describe("with a function for other hosts", () => {
  const ofNode = ascii.createTargetParser((domain) => domainToASCII(domain));
  const ofUrl = ascii.createTargetParser((domain) => URL.parse(`https://${domain}`)?.hostname);

  test.each<[what: string, url: string, origin: string | undefined]>([
    ["letters beyond ASCII", "http://EXÄMPLE.com/ä", "http://xn--exmple-cua.com"],
    ["letters beyond ASCII as escapes", "http://ex%C3%A4mple.com/", "http://xn--exmple-cua.com"],
    ["full-width digits", "http://１２７.１/", "http://127.0.0.1"],
    ["a domain without an ASCII form", "http://a.\u{200d}/", undefined],
    ["a slash as an escape", "http://evil.example%2Fä/", undefined],
    ["an at sign as an escape", "http://ä%40evil.example/", undefined],
    ["a colon as an escape", "http://evil.example%3A80ä/", undefined],
    ["a backslash as an escape", "http://evil.example%5Cä/", undefined],
    ["a question mark as an escape", "http://evil.example%3Fä/", undefined],
    ["a number sign as an escape", "http://evil.example%23ä/", undefined],
    ["a TAB as an escape", "http://evil%09ä.example/", undefined],
    ["an escape of an escape", "http://ä%2541/", undefined],
    ["a full-width slash", "http://evil.example／ä/", undefined],
    ["a host that is too long", `http://${"ä".repeat(1025)}/`, undefined],
  ])("%s: %j", (_what, url, origin) => {
    for (const parser of [full, ofNode, ofUrl]) {
      expect(parser.parseTarget(url)?.origin).toBe(origin);
      expect(parser.problemOf(url)).toBe(origin === undefined ? "invalid-url" : undefined);
    }
  });

  test.each<[what: string, result: string | undefined]>([
    ["nothing", undefined],
    ["an empty text", ""],
    ["letters beyond ASCII", "ä"],
    ["a forbidden character", "a/b"],
    ["a number", 1 as never],
  ])("a function that returns %s refuses the host", (_what, result) => {
    expect(ascii.createTargetParser(() => result).parseTarget("http://ä/")).toBeUndefined();
  });

  test("errors of the function are passed on", () => {
    const parser = ascii.createTargetParser(() => {
      throw new Error("broken");
    });
    expect(() => parser.parseTarget("http://ä/")).toThrow("broken");
    expect(parser.parseTarget("http://a/")?.origin).toBe("http://a");
  });

  test("anything but a function is the caller's mistake", () => {
    expect(() => ascii.createTargetParser({} as never)).toThrow(
      expect.objectContaining({ code: "ERR_NOT_A_FUNCTION", name: "UrlError" }),
    );
  });
});

test("any URL gives the result of the full parser, unless its host has letters beyond ASCII", () => {
  const starts = ["http://", "https://", "ftp://", "HTTP:", "http:/\\", "x:", ""];
  const odd = [
    ...'/\\?#@:;.%[]-_ \t\n\0"<>^`{|}~!019abfxXZ'.split(""),
    "%2e",
    "%C3",
    "%c3%bc",
    "xn--",
    "0x",
    "ü",
    "日",
    "。",
    "\ud800",
  ];
  const urls = fc
    .tuple(
      fc.constantFrom(...starts),
      fc.array(fc.oneof(fc.constantFrom(...odd), fc.string({ maxLength: 3 })), { maxLength: 15 }),
    )
    .map(([start, rest]) => start + rest.join(""));
  fc.assert(
    fc.property(urls, (url) => {
      const problem = ascii.problemOf(url);
      if (problem === "non-ascii-host") {
        expect(ascii.parseTarget(url)).toBeUndefined();
        // A host that is ASCII, also after its escapes are decoded, is never refused as `non-ascii-host`.
        expect(url).toMatch(/[^\0-\x7f]|%[89a-f]/i);
      } else {
        expect(ascii.parseTarget(url)).toEqual(full.parseTarget(url));
        expect(problem).toBe(full.problemOf(url));
      }
    }),
    { numRuns: 5000 },
  );
});
