// Tests the data of the engines: each cell has a source or a note, and each crawler obeys the right names.
import { expect, test } from "vitest";
import { type Cell, type EngineName, engineOf, engines, heardNamesOf } from "./engines.ts";
import { PageError } from "./errors.ts";
import { readHtml } from "./html.ts";
import { decidePage, readXRobotsTag } from "./index.ts";
import { isKnownDirective } from "./known-directives.ts";

const all = Object.values(engines);

test("each cell has a source, or says that nothing is documented", () => {
  for (const { name, places, ...engine } of all) {
    const cells = [...Object.entries(engine), ...Object.entries(places)] as readonly (readonly [
      string,
      Cell<unknown>,
    ])[];
    for (const [cell, { source, note }] of cells) {
      expect(source?.startsWith("https://") ?? note !== undefined, `${name} ${cell}`).toBe(true);
      expect(Object.isFrozen(engines[name])).toBe(true);
    }
  }
});

test("the header's grammar knows each directive of an engine, so that no directive is taken for a product token", () => {
  for (const { live, dead, onlyInTags, overrides } of all) {
    for (const name of [...live.value, ...dead.value, ...onlyInTags.value, ...overrides.value.flat()]) {
      expect(isKnownDirective(name), name).toBe(true);
    }
  }
});

test.each<[productToken: string, engine: EngineName, names: readonly string[]]>([
  ["googlebot", "google", ["robots", "googlebot"]],
  ["googlebot-news", "google", ["robots", "googlebot-news"]],
  ["googlebot-image", "google", ["robots"]],
  ["adsbot-google", "google", ["adsbot-google"]],
  ["google-extended", "google", ["google-extended"]],
  ["bingbot", "bing", ["robots", "bingbot", "msnbot"]],
  ["bingbotx", "draft", ["robots", "bingbotx"]],
  ["yandexbot", "yandex", ["robots", "yandex", "yandexbot"]],
  ["gptbot", "draft", ["robots", "gptbot"]],
])("%s is read as %s", (productToken, engine, names) => {
  expect(engineOf(productToken)).toBe(engine);
  expect(engineOf(productToken.toUpperCase())).toBe(engine);
  expect(heardNamesOf(engines[engine], productToken)).toEqual(names);
});

test("a page is not indexable after the date of its unavailable_after", () => {
  const statements = readXRobotsTag("unavailable_after: 2026-01-02");
  const at = (atSeconds: number): boolean => decidePage(statements, "Googlebot", { atSeconds }).indexable;
  expect([at(1_767_312_000), at(1_767_312_001)]).toEqual([true, false]);
});

test("mistakes of the caller", () => {
  const codeOf = (run: () => unknown): unknown => {
    try {
      return run();
    } catch (error) {
      return error instanceof PageError ? error.code : error;
    }
  };
  expect(codeOf(() => decidePage([], "x", { engine: "toString" as EngineName }))).toBe("ERR_UNKNOWN_ENGINE");
  expect(codeOf(() => decidePage([], "x", { engin: "google" } as never))).toBe("ERR_INVALID_OPTION");
  expect(codeOf(() => readXRobotsTag([], { joined: true } as never))).toBe("ERR_INVALID_OPTION");
  expect(codeOf(() => readHtml("", { maxbytes: 1 } as never))).toBe("ERR_INVALID_OPTION");
});

test("links, base, TDM and data-nosnippet of a page", () => {
  const page = readHtml(
    `<!doctype html><base target=_top><base href=/a/><LINK REL="Canonical other" href=" b?c=1&amp;d=2 ">
     <meta name=TDM-Reservation content=" 1 "><meta name="tdm-policy" content="https://a.example/policy.json">
     <body><link rel=canonical href=/z><span data-nosnippet>x</span><p data-nosnippet>y</p><div data-nosnippet=""></div>`,
  );
  expect(page).toEqual({
    statements: [],
    canonicalLinks: [
      { href: "b?c=1&d=2", place: "head", line: 1 },
      { href: "/z", place: "body", line: 3 },
    ],
    baseHref: "/a/",
    nosnippetElements: 2,
    tdmReservation: "1",
    tdmPolicy: "https://a.example/policy.json",
    isCut: false,
  });
});

test("UTF-16 with a byte order mark", () => {
  const page = "<meta name=robots content=noindex>";
  const letters = [...new TextEncoder().encode(page)];
  const little = new Uint8Array([0xff, 0xfe, ...letters.flatMap((letter) => [letter, 0])]);
  const big = new Uint8Array([0xfe, 0xff, ...letters.flatMap((letter) => [0, letter])]);
  for (const bytes of [little, big]) expect(readHtml(bytes).statements).toMatchObject([{ text: "noindex" }]);
});
