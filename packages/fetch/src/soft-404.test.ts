// Which error pages clearly say "not found".
import { expect, test } from "vitest";
import { saysNotFound } from "./soft-404.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each<[says: boolean, page: string]>([
  [true, "<html><head><title>404 Not Found</title></head><body>gone</body></html>"],
  [true, "<!DOCTYPE html><title>Shop</title><h1>Page <em>not found</em></h1>"],
  [true, "<HTML><H1 class=big>This page doesn\u2019t exist</H1></HTML>"],
  [true, "<html><h2>We cannot find that page</h2></html>"],
  [true, "404 page not found"],
  [true, "The file does not exist.\n"],
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

test("a hostile page takes linear time", () => {
  for (const part of ["<h1>", "<title", "<h1><", "</h1><h1>x</h1>", "not ", "can"]) {
    expect(saysNotFound(bytes(`<html>${part.repeat(65_536 / part.length)}`))).toBe(false);
  }
});
