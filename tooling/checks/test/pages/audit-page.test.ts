// Tests the audit's page in Chromium: no requests, no messages, no axe-core findings, sorting and filtering by keyboard, hostile text stays text.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "./chromium.ts";
import { writeHostile, writeShop, writeYear } from "./audit-pages.ts";
import { Browser, type View } from "./browser.ts";

const chromium = findChromium();
const timeout = 600_000;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const wide: View = { width: 1_280, height: 1_000 };

let folder = "";
let browser: Browser;
const pages: Record<string, string> = {};

// Without Chromium the tests fail in CI, where .ci/run installs it.
describe.skipIf(chromium === undefined && !process.env["CI"])("the audit's page", () => {
  beforeAll(async () => {
    if (chromium === undefined) throw new Error("there is no Chromium on the PATH");
    folder = mkdtempSync(join(tmpdir(), "robots-stream-pages-"));
    browser = await Browser.start(chromium);
    pages["shop"] = writeShop(folder);
    pages["hostile"] = writeHostile(folder);
    pages["year"] = writeYear(folder, 1_000_000);
  }, timeout);

  afterAll(async () => {
    await (browser as Browser | undefined)?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const urlOf = (name: string): string => pathToFileURL(pages[name]!).href;

  test.each(["shop", "hostile", "year"])(
    "%s: at most 300 kB, no further request, no message",
    async (name) => {
      expect(readFileSync(pages[name]!).length).toBeLessThanOrEqual(300_000);
      await browser.show(urlOf(name), wide);
      await browser.evaluate("for (const each of document.querySelectorAll('details')) each.open = true; 1");
      expect(browser.requests).toEqual([urlOf(name)]);
      expect(browser.messages).toEqual([]);
    },
    timeout,
  );

  test("the content security policy blocks requests from markup", async () => {
    await browser.show(urlOf("shop"), wide);
    await browser.evaluate(
      `new Promise((done) => { const image = new Image(); image.onerror = done; image.src = "http://127.0.0.1:9/x.png"; document.body.append(image); })`,
    );
    expect(browser.messages.join("\n")).toContain("Content Security Policy");
  });

  test.each<[name: string, view: View]>([
    ["shop", wide],
    ["shop", { ...wide, scheme: "dark" }],
    ["shop", { ...wide, media: "print" }],
    ["shop", { width: 400, height: 800 }],
    ["year", wide],
    ["hostile", wide],
  ])(
    "%s: no axe-core findings, %j",
    async (name, view) => {
      await browser.show(urlOf(name), view);
      await browser.evaluate("for (const each of document.querySelectorAll('details')) each.open = true; 1");
      await browser.evaluate(`${axe}; 1`);
      const found = await browser.evaluate(
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html, failureSummary }) => [html, failureSummary])]))",
      );
      expect(found).toEqual([]);
    },
    timeout,
  );

  test.each<[name: string, view: View]>([
    ["shop", wide],
    ["shop", { width: 400, height: 800 }],
    ["year", { width: 400, height: 800 }],
    ["hostile", { width: 400, height: 800 }],
  ])("%s: only tables and plots scroll sideways, %j", async (name, view) => {
    await browser.show(urlOf(name), view);
    expect(await browser.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  });

  test("the page shows the same texts without scripts", async () => {
    const textOf = "document.body.innerText.replace(/\\s+/g, ' ')";
    await browser.show(urlOf("shop"), wide);
    const withScripts = await browser.evaluate(textOf);
    await browser.show(urlOf("shop"), { ...wide, hasScripts: false });
    expect(await browser.evaluate("document.querySelectorAll('th button, .filter').length")).toBe(0);
    expect(await browser.evaluate(textOf)).toBe(withScripts);
    const text = String(withScripts);
    for (const heading of ["Findings", "Who came", "Obedience", "Violations", "Crawl waste", "Data", "Method"]) {
      expect(text).toContain(heading);
    }
  });

  test("the keyboard alone sorts and filters the rows", async () => {
    await browser.show(urlOf("shop"), wide);
    const table = "document.querySelector('table:has(caption)[data-sort]')";
    const rows = `[...document.querySelectorAll("#crawlers table")].find(({ caption }) => caption?.textContent.trim() === "Who came").tBodies[0].rows`;
    const firstRow = `${rows}[0].cells[0].innerText.split("\\n")[0]`;
    expect(await browser.evaluate(`${table} !== null`)).toBe(true);
    expect(await browser.evaluate(firstRow)).toBe("Googlebot");
    const focused =
      "document.activeElement.textContent + '|' + (document.activeElement.getAttribute('aria-label') ?? '')";
    const tabTo = async (wanted: string): Promise<void> => {
      for (let tab = 0; tab < 200; tab++) {
        await browser.press("Tab");
        if (String(await browser.evaluate(focused)) === wanted) return;
      }
      throw new Error(`no Tab leads to ${wanted}`);
    };
    await tabTo("|Filter the rows of Who came");
    for (const letter of "openai") await browser.press(letter);
    const shown = `[...${rows}].filter((row) => !row.hidden).length`;
    expect(await browser.evaluate(shown)).toBe(3);
    const none = "document.activeElement.nextElementSibling.textContent";
    expect(await browser.evaluate(none)).toBe("");
    for (const letter of "zz") await browser.press(letter);
    expect([await browser.evaluate(shown), await browser.evaluate(none)]).toEqual([0, "No row has this text."]);
    for (const _letter of "zz") await browser.press("Backspace");
    expect([await browser.evaluate(shown), await browser.evaluate(none)]).toEqual([3, ""]);
    await tabTo("Requests|");
    await browser.press("Enter");
    expect(await browser.evaluate("document.activeElement.closest('th').getAttribute('aria-sort')")).toBe("descending");
    await browser.press("Enter");
    expect(await browser.evaluate("document.activeElement.closest('th').getAttribute('aria-sort')")).toBe("ascending");
    expect(await browser.evaluate(firstRow)).not.toBe("Googlebot");
  });

  test("markup in a hostile log stays text", async () => {
    await browser.show(urlOf("hostile"), wide);
    expect(await browser.evaluate("document.title")).toContain("</title><script>");
    expect(await browser.evaluate("document.querySelectorAll('img, main script, i').length")).toBe(0);
    expect(await browser.evaluate("document.body.innerText.includes('onerror=')")).toBe(true);
    expect(await browser.evaluate("/[\\u202a-\\u202e\\u2066-\\u2069\\u001b]/.test(document.body.innerText)")).toBe(
      false,
    );
  });

  test("the same log gives the same bytes", () => {
    const bytes = readFileSync(pages["shop"]!);
    expect(readFileSync(writeShop(folder)).equals(bytes)).toBe(true);
  });
});
