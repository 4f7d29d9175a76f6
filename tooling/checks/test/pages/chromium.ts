// Starts headless Chromium without access beyond loopback, and evaluates a script there with the given input.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium as launcher } from "playwright-core";

const startMs = 30_000;

/** The path of a Chromium or Chrome on the PATH; undefined if there is none. */
export function findChromium(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return ["chromium", "chromium-browser", "google-chrome"]
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Starts the Chromium at a path. Chromium ends with `close`, or with this process. */
export function launchChromium(path: string): Promise<Browser> {
  return launcher.launch({
    executablePath: path,
    // The sandbox is not available to root, for example in a container.
    chromiumSandbox: false,
    // Chromium sends requests to its vendor when it starts, so its host resolver is limited to loopback.
    args: ["--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
    timeout: startMs,
  });
}

/** The script, the expression and the input of an evaluation. */
export interface Page {
  /** A script that defines the names used in the expression. */
  readonly script: string;
  /** The expression whose value, or resolved promise, is returned as JSON. It can use the variable `input`. */
  readonly expression: string;
  readonly input: unknown;
}

/**
 * Evaluates the expression in a new page, and resolves to its value. Rejects if script or expression throws, if Chromium exits early, or
 * after `timeoutMs`. Always ends Chromium.
 */
export async function evaluateInChromium(
  path: string,
  { script, expression, input }: Page,
  timeoutMs: number,
): Promise<unknown> {
  const browser = await launchChromium(path);
  const timer = setTimeout(
    () => void browser.close({ reason: `Chromium did not answer in ${timeoutMs} ms` }),
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
