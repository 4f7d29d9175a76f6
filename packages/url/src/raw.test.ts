// Tests that the scanner's ends of authority and target, in URLs as bytes, agree with parseTarget.
import fc from "fast-check";
import { expect, test } from "vitest";
import { RawUrlScanner } from "./raw.ts";
import { parseTarget } from "./target.ts";

const encoder = new TextEncoder();
const scanner = new RawUrlScanner();

function check(url: string): boolean {
  // Bytes before and after the URL must not matter.
  const bytes = encoder.encode(`"${url}"/x`);
  const end = bytes.length - 3;
  const authorityEnd = scanner.authorityEndOf(bytes, 1, end);
  if (authorityEnd < 0) return false;
  const prefix = parseTarget(url.slice(0, authorityEnd - 1));
  const whole = parseTarget(url);
  expect(whole?.origin).toBe(prefix?.origin);
  const targetEnd = scanner.targetEndOf(bytes, authorityEnd, end);
  if (targetEnd < 0 || whole === undefined) return false;
  expect(whole.target).toBe(new TextDecoder().decode(bytes.subarray(authorityEnd, targetEnd)));
  return true;
}

test("for any URL of odd pieces, the scanner agrees with parseTarget or finds no end", () => {
  expect.hasAssertions();
  const plain = "http https ftp HTTP : // / \\ ? # a A.b @ :80 :443 1.2 [::1] %41 %c3 %C3 % é ' { .. ; xn--".split(" ");
  const piece = fc.constantFrom(...plain, " ", "\t", "\n", "\u007f");
  fc.assert(
    fc.property(
      fc.constantFrom("", "http://", "https://a", "http://a/"),
      fc.array(piece, { maxLength: 8 }),
      (start, parts) => {
        check(start + parts.join(""));
      },
    ),
    { numRuns: 20_000 },
  );
});

test.each([
  ["http://a.example/", true],
  ["https://User:pw@A.Example:443/b?c=%C3%A9&d={e}|^#f g", true],
  ["http://a.example/x%", false],
  ["http://a.example/%zz", false],
  ["http://a.example/%c3", false],
  ["http://a.example/a b", false],
  ["http://a.example/é", false],
  ["http://é.example/", false],
  ["http://a.example", false],
  ["http://a.example?x", false],
  ["http://a.example/#x ", false],
  ["http:///a", false],
  ["ftp://a.example/", false],
  ["http://[/", false],
])("%s: %s", (url, isRaw) => {
  expect(check(url)).toBe(isRaw);
});

test("a buffer may grow, shrink or be transferred between two URLs", () => {
  const memory = Reflect.construct(ArrayBuffer, [16, { maxByteLength: 64 }]) as ArrayBuffer & {
    resize(size: number): void;
    transfer(): ArrayBuffer;
  };
  const bytes = new Uint8Array(memory);
  encoder.encodeInto("http://a/b", bytes);
  expect(scanner.authorityEndOf(bytes, 0, 10)).toBe(8);
  memory.resize(40);
  bytes.set(encoder.encode("http://c/d"), 20);
  expect(scanner.authorityEndOf(bytes, 20, 30)).toBe(28);
  expect(scanner.targetEndOf(bytes, 28, 30)).toBe(30);
  memory.resize(24);
  expect(scanner.authorityEndOf(bytes, 20, 30)).toBe(-1);
  memory.transfer();
  expect(scanner.authorityEndOf(bytes, 0, 10)).toBe(-1);
  expect(scanner.targetEndOf(bytes, 8, 10)).toBe(-1);
});

test("with an end after the last byte of the buffer, the end of the authority is found, and no end of the target", () => {
  const bytes = encoder.encode("http://a/b");
  expect(scanner.authorityEndOf(bytes, 0, 40)).toBe(8);
  expect(scanner.targetEndOf(bytes, 8, 40)).toBe(-1);
});
