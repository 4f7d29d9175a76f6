// Loads a page that makes many kinds of requests and messages. Each must be recorded, because the tests of the other pages would otherwise
// prove nothing.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findChromium } from "./chromium.ts";
import { Browser, type View } from "./browser.ts";

const chromium = findChromium();
const timeout = 120_000;
const view: View = { width: 500, height: 400 };
/** A URL whose port Chromium refuses without connecting. */
const refused = "http://127.0.0.1:9";

const page = `<!doctype html><title>loud</title>
<link rel="icon" href="${refused}/favicon.ico"><link rel="prefetch" href="${refused}/prefetch">
<img src="beside.png"><img src="${refused}/image"><iframe src="data:text/html,frame"></iframe>
<script>
  console.log("logged");
  Promise.reject(new Error("rejected"));
  setTimeout(() => { throw new Error("thrown"); });
  fetch("data:text/plain,fetched");
  navigator.sendBeacon("${refused}/beacon", "");
  new WebSocket("ws://127.0.0.1:9/socket");
  const inWorker = 'console.log("logged in a worker"); fetch("${refused}/worker").catch(() => 0); setTimeout(() => { throw new Error("thrown in a worker"); });';
  new Worker(URL.createObjectURL(new Blob([inWorker], { type: "text/javascript" })));
</script>`;

let folder = "";
let url = "";
let browser: Browser;

// Without Chromium the tests fail in CI, where .ci/run installs it.
describe.skipIf(chromium === undefined && !process.env["CI"])("a page in Chromium", () => {
  beforeAll(async () => {
    if (chromium === undefined) throw new Error("there is no Chromium on the PATH");
    folder = mkdtempSync(join(tmpdir(), "robots-stream-browser-"));
    const file = join(folder, "loud.html");
    writeFileSync(file, page);
    url = pathToFileURL(file).href;
    browser = await Browser.start(chromium);
  }, timeout);

  afterAll(async () => {
    await (browser as Browser | undefined)?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test(
    "every request and every message is recorded",
    async () => {
      await browser.show(url, view);
      const asked = [
        url,
        new URL("beside.png", url).href,
        "data:text/html,frame",
        "data:text/plain,fetched",
        "ws://127.0.0.1:9/socket",
        ...["image", "favicon.ico", "prefetch", "beacon", "worker"].map((path) => `${refused}/${path}`),
      ];
      const said = [
        "logged",
        "rejected",
        "thrown",
        "logged in a worker",
        "thrown in a worker",
        "Failed to load resource",
      ];
      await vi.waitFor(
        () => {
          expect(browser.requests).toEqual(expect.arrayContaining(asked));
          expect(browser.requests).toContainEqual(expect.stringMatching(/^blob:/u));
          for (const each of said) expect(browser.messages).toContainEqual(expect.stringContaining(each));
        },
        { timeout: timeout / 2, interval: 50 },
      );
    },
    timeout,
  );

  test(
    "a view applies to its page, and nothing of the previous page remains",
    async () => {
      await browser.show(url, { ...view, media: "print", scheme: "dark" });
      const shown = `[innerWidth, innerHeight, devicePixelRatio, matchMedia("print").matches, matchMedia("(prefers-color-scheme: dark)").matches]`;
      expect(await browser.evaluate(shown)).toEqual([500, 400, 1, true, true]);
      await browser.show(url, { ...view, hasScripts: false });
      expect(await browser.evaluate(shown)).toEqual([500, 400, 1, false, false]);
      expect(browser.messages).not.toContain("logged");
      expect(browser.requests).not.toContain("data:text/plain,fetched");
    },
    timeout,
  );

  test("an error in the page rejects here", async () => {
    await browser.show(url, view);
    await expect(browser.evaluate("Promise.reject(new Error('of the page'))")).rejects.toThrow("of the page");
  });
});
