// Which error pages clearly say "not found".
import { expect, test } from "vitest";
import { comparableOf, notFoundPhrases, saysNotFound } from "./soft-404.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each<[says: boolean, page: string]>([
  [true, "<html><head><title>404 Not Found</title></head><body>gone</body></html>"],
  [true, "<!DOCTYPE html><title>Shop</title><h1>Page <em>not found</em></h1>"],
  [true, "<HTML><H1 class=big>This page doesn\u2019t exist</H1></HTML>"],
  [true, "<html><h2>We cannot find that page</h2></html>"],
  [true, "404 page not found"],
  [true, "The file does not exist.\n"],
  [true, "<html><head><title>找不到网页</title></head></html>"],
  [true, "<html><h1>Страница\n не найдена</h1></html>"],
  [true, "<html><h1>صفحه یافت نشد</h1></html>"],
  // The Arabic letter yeh where the Persian one belongs.
  [true, "<html><h1>صفحه يافت نشد</h1></html>"],
  [true, "<html><title>تعذّر العثور على الصفحة</title></html>"],
  [true, "<html><title>SEITE NICHT GEFUNDEN | Firma</title></html>"],
  [true, "<html><title>Pa\u0301gina no encontrada</title></html>"],
  [true, "<html><h2>お探しのページは見つかりませんでした</h2></html>"],
  [false, "<html><h1>503 Страница не найдена</h1></html>"],
  [false, "<html><title>Ошибка сервера</title><p>Страница не найдена</p></html>"],
  [false, "<html><title>网页</title></html>"],
  [false, ""],
  [false, "<html><title>500 Internal Server Error</title><p>404 not found</p></html>"],
  [false, "<html><title>Service Unavailable</title><h1>The page was not found because of maintenance</h1></html>"],
  [false, "<html><title>Error</title><body>the page was not found in the running text</body></html>"],
  [false, "<html><title>40404 shoes</title></html>"],
  [false, "<title>not found, without an end"],
  [false, `not found ${"and more text ".repeat(100)}`],
  [false, "database does not answer"],
  [false, "Bad Gateway: upstream not found"],
])("%s: %s", (says, page) => {
  expect(saysNotFound(bytes(page))).toBe(says);
});

test.each(notFoundPhrases)("the phrases of $language", ({ phrases, source }) => {
  expect(source).not.toBe("");
  for (const phrase of phrases) {
    expect(comparableOf(phrase)).toBe(phrase);
    expect(saysNotFound(bytes(`<html><title>${phrase}</title></html>`))).toBe(true);
    expect(saysNotFound(bytes(`<html><title>500</title><h1>${phrase}</h1></html>`))).toBe(false);
  }
});

test("a hostile page takes linear time", () => {
  for (const part of ["<h1>", "<title", "<h1><", "</h1><h1>x</h1>", "not ", "can"]) {
    expect(saysNotFound(bytes(`<html>${part.repeat(65_536 / part.length)}`))).toBe(false);
  }
});
