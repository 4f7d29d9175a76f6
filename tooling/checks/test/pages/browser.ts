// Shows one page at a time in headless Chromium and records its requests, messages and pictures.
import type { CDPSession, Browser as Chromium, Page } from "playwright-core";
import { launchChromium } from "./chromium.ts";

/** How a page is shown. */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly media?: "screen" | "print" | undefined;
  readonly scheme?: "light" | "dark" | undefined;
  /** Whether scripts run; true by default. */
  readonly hasScripts?: boolean | undefined;
}

/** One page in a Chromium of its own. Call `close` at the end. */
export class Browser {
  /** URLs of all requests, including the page itself. */
  readonly requests: string[] = [];
  /** Console messages, script errors, log entries of workers, and reports of the content security policy. */
  readonly messages: string[] = [];
  readonly #chromium: Chromium;
  #shown: Page | undefined;

  private constructor(chromium: Chromium) {
    this.#chromium = chromium;
  }

  /** Starts Chromium. If it does not start in time, ends it and rejects. */
  static async start(path: string): Promise<Browser> {
    return new Browser(await launchChromium(path));
  }

  /** Shows a page in a new context, without state of the previous page, and waits until it is loaded. */
  async show(url: string, { width, height, media, scheme, hasScripts }: View): Promise<void> {
    await this.#shown?.context().close();
    this.requests.length = 0;
    this.messages.length = 0;
    const context = await this.#chromium.newContext({
      viewport: { width, height },
      colorScheme: scheme ?? "light",
      javaScriptEnabled: hasScripts !== false,
    });
    // No time limit here, because the caller has one.
    context.setDefaultTimeout(0);
    context.on("request", (request) => this.requests.push(request.url()));
    context.on("console", (message) => this.messages.push(message.text()));
    context.on("weberror", (error) => this.messages.push(String(error.error())));
    const page = await context.newPage();
    this.#shown = page;
    page.on("websocket", (socket) => this.requests.push(socket.url()));
    const session = await this.#watchRest(page);
    // Set the media in both sessions: a navigation to another process restores the media of each session, and the last one wins.
    await page.emulateMedia({ media: media ?? "screen" });
    await session.send("Emulation.setEmulatedMedia", { media: media ?? "screen" });
    await page.goto(url);
  }

  /** The value of an expression, or of its promise, evaluated in the page. Rejects if the expression throws. */
  evaluate(expression: string): Promise<unknown> {
    return this.#page.evaluate(expression);
  }

  /** Presses a key, such as "Tab", "Enter" or a letter. */
  press(key: string): Promise<void> {
    return this.#page.keyboard.press(key);
  }

  /** Moves the pointer to a position in the window. */
  point(x: number, y: number): Promise<void> {
    return this.#page.mouse.move(x, y);
  }

  /** A picture of the whole page, or of its first `height` pixels, as PNG or WebP. */
  async picture(
    width: number,
    { height, format = "png" }: { readonly height?: number; readonly format?: "png" | "webp" } = {},
  ): Promise<Buffer> {
    const full = Number(await this.evaluate("document.documentElement.scrollHeight"));
    return this.#page.screenshot({
      type: format,
      ...(format === "webp" ? { quality: 80 } : {}),
      fullPage: true,
      clip: { x: 0, y: 0, width, height: Math.min(height ?? full, full) },
    });
  }

  /** Ends Chromium and removes its profile. */
  close(): Promise<void> {
    return this.#chromium.close();
  }

  get #page(): Page {
    if (this.#shown === undefined) throw new Error("no page is shown");
    return this.#shown;
  }

  /** Records what playwright-core's events omit: data: URLs, the page's icon, and log entries about workers. */
  async #watchRest(page: Page): Promise<CDPSession> {
    const session = await page.context().newCDPSession(page);
    session.on("Network.requestWillBeSent", ({ request: { url } }) => {
      if (url.startsWith("data:") || url.endsWith("/favicon.ico")) this.requests.push(url);
    });
    session.on("Log.entryAdded", ({ entry: { source, text } }) => {
      if (source === "worker") this.messages.push(text);
    });
    await session.send("Network.enable");
    await session.send("Log.enable");
    return session;
  }
}
