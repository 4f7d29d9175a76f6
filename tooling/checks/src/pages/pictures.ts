// Makes pictures of the audit's page: light and dark, 1280 and 400 pixels wide; printed, 800 pixels wide; and the README's picture. The
// only argument is the folder for the pictures, `pictures` by default.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { findChromium } from "../alone/chromium.ts";
import { writeShop } from "./audit-pages.ts";
import { Browser, type View } from "./browser.ts";

const views: readonly (readonly [name: string, view: View])[] = [
  ["light", { width: 1_280, height: 1_000 }],
  ["dark", { width: 1_280, height: 1_000, scheme: "dark" }],
  ["phone", { width: 400, height: 800 }],
  ["phone-dark", { width: 400, height: 800, scheme: "dark" }],
  ["print", { width: 800, height: 1_000, media: "print", scheme: "dark" }],
];

/** The README's picture: the head, the findings and the plot, in a file of about 60 kB. */
const readmeView: View = { width: 1_100, height: 1_000 };
const readmeHeight = 985;

const folder = resolve(process.argv[2] ?? "pictures");
const chromium = findChromium();
if (chromium === undefined) throw new Error("there is no Chromium on the PATH");
mkdirSync(folder, { recursive: true });
const temporary = mkdtempSync(join(tmpdir(), "pictures-"));
const browser = await Browser.start(chromium);
try {
  const url = pathToFileURL(writeShop(temporary)).href;
  for (const [name, view] of views) {
    await browser.show(url, view);
    const picture = await browser.picture(view.width);
    writeFileSync(join(folder, `${name}.png`), picture);
    process.stdout.write(`${name}.png: ${picture.length} bytes\n`);
  }
  await browser.show(url, readmeView);
  const picture = await browser.picture(readmeView.width, { height: readmeHeight, format: "webp" });
  writeFileSync(join(folder, "readme.webp"), picture);
  process.stdout.write(`readme.webp: ${picture.length} bytes\n`);
} finally {
  await browser.close();
  rmSync(temporary, { recursive: true, force: true });
}
