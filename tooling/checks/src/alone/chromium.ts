// Headless Chromium that asks for nothing beyond loopback; and a script with an input in it, whose result is returned.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium as launcher } from "playwright-core";

const startMs = 30_000;

/** The path of the installed Chromium, if any. */
export function findChromium(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return ["chromium", "chromium-browser", "google-chrome"]
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Starts the Chromium at a path. `close` ends it; it also ends with this process. */
export function launchChromium(path: string): Promise<Browser> {
  return launcher.launch({
    executablePath: path,
    // root, as in a container, has no sandbox.
    chromiumSandbox: false,
    // Chromium sends requests to its vendor at start: the host resolver knows only loopback.
    args: ["--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
    timeout: startMs,
  });
}

/** The content of the page. */
export interface Page {
  /** A script that defines the names used in the expression. */
  readonly script: string;
  /** The expression whose value, or resolved promise, is returned as JSON. `input` is a variable in it. */
  readonly expression: string;
  readonly input: unknown;
}

/** Rejects when script or expression throws, when Chromium ends too early, and after `timeoutMs`. Always ends Chromium. */
export async function evaluateInChromium(
  path: string,
  { script, expression, input }: Page,
  timeoutMs: number,
): Promise<unknown> {
  const browser = await launchChromium(path);
  const timer = setTimeout(
    () => void browser.close({ reason: `Chromium gave no answer in ${timeoutMs} ms` }),
    timeoutMs,
  );
  try {
    const page = await browser.newPage();
    const failed = new Promise<never>((_, reject) => page.once("pageerror", reject));
    const answer = page
      .addScriptTag({ content: script })
      .then(() =>
        page.evaluate<string>(`(async (input) => JSON.stringify(await (${expression})))(${JSON.stringify(input)})`),
      );
    return JSON.parse(await Promise.race([answer, failed]));
  } finally {
    clearTimeout(timer);
    await browser.close();
  }
}
