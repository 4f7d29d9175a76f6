// Makes pictures of the playground, 1280 and 400 pixels wide, light and dark, and the README's picture. The only argument is the folder for
// the pictures, `pictures` by default.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { findChromium } from "../alone/chromium.ts";
import { Browser, type View } from "./browser.ts";
import { buildPlayground } from "./playground-page.ts";

const views: readonly (readonly [name: string, view: View])[] = [
  ["playground-light", { width: 1_280, height: 1_000 }],
  ["playground-dark", { width: 1_280, height: 1_000, scheme: "dark" }],
  ["playground-phone", { width: 400, height: 800 }],
  ["playground-phone-dark", { width: 400, height: 800, scheme: "dark" }],
];

/** The README's picture: from the head to the end of the trace. */
const readmeView: View = { width: 1_100, height: 1_000 };

const folder = resolve(process.argv[2] ?? "pictures");
const chromium = findChromium();
if (chromium === undefined) throw new Error("there is no Chromium on the PATH");
mkdirSync(folder, { recursive: true });
const temporary = mkdtempSync(join(tmpdir(), "pictures-"));
const browser = await Browser.start(chromium);
try {
  const url = pathToFileURL(await buildPlayground(temporary)).href;
  const answered = "new Promise((done) => setTimeout(done, 500))";
  for (const [name, view] of views) {
    await browser.show(url, view);
    await browser.evaluate(answered);
    const picture = await browser.picture(view.width);
    writeFileSync(join(folder, `${name}.png`), picture);
    process.stdout.write(`${name}.png: ${picture.length} bytes\n`);
  }
  await browser.show(url, readmeView);
  await browser.evaluate(answered);
  const height = Number(
    await browser.evaluate(`Math.ceil(document.getElementById("trace").getBoundingClientRect().bottom) + 20`),
  );
  const picture = await browser.picture(readmeView.width, { height, format: "webp" });
  writeFileSync(join(folder, "playground.webp"), picture);
  process.stdout.write(`playground.webp: ${picture.length} bytes\n`);
} finally {
  await browser.close();
  rmSync(temporary, { recursive: true, force: true });
}
