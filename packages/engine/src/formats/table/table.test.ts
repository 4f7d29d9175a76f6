// Tests the lines of the table for terminals of several widths: no text of a record makes a line too wide or adds a control character.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Answer, PrinterOptions } from "../types.ts";
import { cutEnd, cutMiddle, widthWithin } from "./text.ts";
import { table } from "./write.ts";

/** Characters from U+3000 on are wide; U+0301 is a combining mark. */
const widthOf = (codePoint: number): number => (codePoint === 0x301 ? 0 : codePoint >= 0x3000 ? 2 : 1);

const rule: Answer = { agent: "bingbot", allowed: false, because: "rule", rule: "disallow: /cart", line: 3 };
const noRule: Answer = { agent: "bingbot", allowed: true, because: "no-rule" };
const failed: Answer = { agent: "GPTBot", allowed: false, because: "unreachable", code: "http-503" };
const mail: Answer = { agent: "bingbot", allowed: null, because: "unsupported-scheme" };
const browser: Answer = { agent: null, allowed: null, because: "not-a-crawler" };

type Row = readonly [url: string, answer: Answer];

/** The lines that the printer makes from pieces of output, each of which contains rows. */
function printed(
  pieces: readonly (readonly Row[])[],
  columns: number | undefined,
  more: Partial<PrinterOptions> = {},
): string[] {
  const writer = table.createWriter({ resultKey: "robots", hasDialect: true, hasKind: true, csvSafe: false });
  const options = { columns: () => columns, hasAgent: false, hasDialect: false, widthOf, ...more };
  const printer = table.createPrinter!({ paint: (_style, text) => text, ...options });
  const bytesOf = (rows: readonly Row[]): Buffer =>
    Buffer.from(rows.map(([url, answer]) => writer.headOfUrl!(url) + writer.tailOf(answer)).join(""), "latin1");
  return pieces
    .map((rows) => printer.print(bytesOf(rows)))
    .join("")
    .split("\n")
    .slice(0, -1);
}

const shop = "https://shop.example";
const long = `${shop}/${"a".repeat(40)}/${"b".repeat(40)}`;
const rows: readonly Row[] = [
  [`${shop}/cart`, rule],
  [long, noRule],
  [`${shop}/x`, failed],
  ["mailto:x", mail],
];

describe("lines", () => {
  test.each<[what: string, columns: number | undefined, more: Partial<PrinterOptions>, lines: readonly string[]]>([
    [
      "80 columns",
      80,
      {},
      [
        "✘ disallowed  https://shop.example/cart                 3  disallow: /cart",
        "✔ allowed     https://shop.example…bbbbbbbbbbbbbbbbbbb  no rule",
        "✘ disallowed  https://shop.example/x                    unreachable: http-503",
        "– undecided   mailto:x                                  unsupported scheme",
      ],
    ],
    [
      "40 columns: two lines each",
      40,
      {},
      [
        "✘ https://shop.example/cart",
        "  disallowed  3  disallow: /cart",
        "✔ https://shop.exampl…bbbbbbbbbbbbbbbbbb",
        "  allowed  no rule",
        "✘ https://shop.example/x",
        "  disallowed  unreachable: http-503",
        "– mailto:x",
        "  undecided  unsupported scheme",
      ],
    ],
    [
      "no terminal: nothing is cut",
      undefined,
      {},
      [
        `✘ disallowed  ${`${shop}/cart`.padEnd(60)}  3  disallow: /cart`,
        `✔ allowed     ${long}  no rule`,
        `✘ disallowed  ${`${shop}/x`.padEnd(60)}  unreachable: http-503`,
        `– undecided   ${"mailto:x".padEnd(60)}  unsupported scheme`,
      ],
    ],
    [
      "agents",
      90,
      { hasAgent: true },
      [
        "✘ disallowed  bingbot  https://shop.example/cart                  3  disallow: /cart",
        "✔ allowed     bingbot  https://shop.example…bbbbbbbbbbbbbbbbbbbb  no rule",
        "✘ disallowed  GPTBot   https://shop.example/x                     unreachable: http-503",
        "– undecided   bingbot  mailto:x                                   unsupported scheme",
      ],
    ],
  ])("%s", (_what, columns, more, lines) => expect(printed([rows], columns, more)).toEqual(lines));

  test.each([
    [57, false, 2],
    [58, false, 1],
    [75, true, 2],
    [76, true, 1],
  ])("at %d columns, with agents: %j, a row has %d lines", (columns, hasAgent, count) => {
    expect(printed([rows], columns, { hasAgent })).toHaveLength(rows.length * count);
  });

  test("columns grow with later rows, and never become narrower", () => {
    const pieces = [[rows[3]!], [rows[0]!], [rows[3]!]];
    expect(printed(pieces, 100).map((line) => line.search(/3 {2}disallow|unsupported/))).toEqual([40, 48, 48]);
  });

  test("dialects, a record of no crawler, an unknown crawler, unknown grounds", () => {
    const acme = { ...rule, agent: "AcmeBot", because: "unknown-crawler" } as Answer;
    const further: Answer = { agent: null, allowed: null, because: "unknown-crawler" };
    const odd = { agent: "x", dialect: "rfc9309", allowed: true, because: "some-new-ground" } as unknown as Answer;
    expect(
      printed(
        [
          [
            [shop, browser],
            [shop, acme],
            [shop, further],
            [shop, odd],
          ],
        ],
        100,
        { hasAgent: true, hasDialect: true },
      ),
    ).toEqual([
      "– no crawler  –                 https://shop.example      not a crawler",
      "✘ disallowed  AcmeBot           https://shop.example      3  disallow: /cart  (unknown crawler)",
      "– undecided   –                 https://shop.example      unknown crawler",
      "✔ allowed     x        rfc9309  https://shop.example      some new ground",
    ]);
  });

  test("colours are added to the program's own text; control characters of a record become escapes", () => {
    const painted: string[] = [];
    const paint = (style: string, text: string): string => `<${style}>${painted[painted.push(text) - 1]}</>`;
    const [line] = printed(
      [[["https://a.example/\u001b[31m\u009b\u202e\n", { ...rule, rule: "disallow: /\u001b]0;x\u0007" }]]],
      120,
      { paint },
    );
    expect(line).toBe(
      "<red>✘ disallowed</>  https://a.example/\\x1b[31m\\x9b\\u202e\\x0a  3  disallow: /\\x1b]0;x\\x07",
    );
    expect(painted).toEqual(["✘ disallowed"]);
  });
});

describe("cuts", () => {
  test.each<[text: string, columns: number, end: string, middle: string]>([
    ["abcdef", 6, "abcdef", "abcdef"],
    ["abcdef", 5, "abcd…", "ab…ef"],
    ["abcdef", 1, "…", "…"],
    ["abcdef", 0, "", ""],
    ["漢字漢字", 8, "漢字漢字", "漢字漢字"],
    ["漢字漢字", 7, "漢字漢…", "漢…字"],
    ["漢字漢字", 6, "漢字…", "漢…字"],
    ["e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301", "e\u0301e\u0301e\u0301"],
    ["e\u0301e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301…", "e\u0301…e\u0301"],
    ["😀😀😀", 5, "😀😀…", "😀…😀"],
  ])("%s in %d columns", (text, columns, end, middle) => {
    expect([cutEnd(text, columns, widthOf), cutMiddle(text, columns, widthOf)]).toEqual([end, middle]);
  });

  test("of a million combining marks, fewer than 5,000 are measured", () => {
    let count = 0;
    const counting = (codePoint: number): number => {
      count++;
      return widthOf(codePoint);
    };
    cutMiddle("\u0301".repeat(1_000_000), 80, counting);
    cutEnd("\u0301".repeat(1_000_000), 80, counting);
    expect(count).toBeLessThan(5_000);
  });
});

const anyText = fc.string({
  unit: fc.constantFrom("a", "/", "é", "漢", "😀", "\u0301", "\u001b", "\n", "\t", "\u202e", '"', "\ud800"),
  maxLength: 200,
});

test("property: no line is wider than a terminal of two columns or more, and none has a control character", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyText, anyText, fc.constantFrom(rule, noRule, failed, mail)), { maxLength: 5 }),
      fc.integer({ min: 1, max: 250 }),
      fc.boolean(),
      (given, columns, hasAgent) => {
        const all = given.map(([url, name, answer]): Row => [url, { ...answer, agent: name, rule: name }]);
        const lines = printed([all], columns, { hasAgent, hasDialect: hasAgent });
        expect([all.length, all.length * 2]).toContain(lines.length);
        for (const line of lines) {
          expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
          expect(widthWithin(line.trimEnd(), 1_000, widthOf)).toBeLessThanOrEqual(Math.max(columns, 2));
        }
      },
    ),
  );
});
