// Makes pictures of the audit's page and the playground: light and dark, 1280 and 400 pixels wide; the audit printed; and the README's
// pictures. The only argument is the folder for the pictures, `pictures` by default.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { buildPlayground } from "../../src/alone/playground-page.ts";
import { writeShop } from "./audit-pages.ts";
import { Browser, type View } from "./browser.ts";
import { findChromium } from "./chromium.ts";

const views: readonly (readonly [name: string, view: View])[] = [
  ["light", { width: 1_280, height: 1_000 }],
  ["dark", { width: 1_280, height: 1_000, scheme: "dark" }],
  ["phone", { width: 400, height: 800 }],
  ["phone-dark", { width: 400, height: 800, scheme: "dark" }],
];
const printed: readonly [name: string, view: View] = [
  "print",
  { width: 800, height: 1_000, media: "print", scheme: "dark" },
];
const readmeView: View = { width: 1_100, height: 1_000 };

const folder = resolve(process.argv[2] ?? "pictures");
const chromium = findChromium();
if (chromium === undefined) throw new Error("there is no Chromium on the PATH");
mkdirSync(folder, { recursive: true });
const temporary = mkdtempSync(join(tmpdir(), "pictures-"));
const browser = await Browser.start(chromium);

/** Shows a page, and writes its picture; `height` is an expression of the page for the height in pixels. */
async function write(file: string, url: string, view: View, height?: string): Promise<void> {
  await browser.show(url, view);
  // The playground answers after a pause.
  await browser.evaluate("new Promise((done) => setTimeout(done, 500))");
  const options =
    height === undefined ? {} : { height: Number(await browser.evaluate(height)), format: "webp" as const };
  const picture = await browser.picture(view.width, options);
  writeFileSync(join(folder, file), picture);
  process.stdout.write(`${file}: ${picture.length} bytes\n`);
}

try {
  const audit = pathToFileURL(writeShop(temporary)).href;
  const playground = pathToFileURL(await buildPlayground(temporary)).href;
  for (const [name, view] of [...views, printed]) await write(`${name}.png`, audit, view);
  for (const [name, view] of views) await write(`playground-${name}.png`, playground, view);
  // The audit's head, findings and plot; the playground to the end of the trace.
  await write("readme.webp", audit, readmeView, "985");
  const endOfTrace = `Math.ceil(document.getElementById("trace").getBoundingClientRect().bottom) + 20`;
  await write("playground.webp", playground, readmeView, endOfTrace);
} finally {
  await browser.close();
  rmSync(temporary, { recursive: true, force: true });
}
