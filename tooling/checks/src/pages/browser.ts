// Headless Chromium with one page, driven over its remote debugging protocol: what the page asks for, says and shows.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { chromiumArguments } from "../alone/chromium.ts";

/** How a page is shown. */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly media?: "screen" | "print" | undefined;
  readonly scheme?: "light" | "dark" | undefined;
  /** Default: true. */
  readonly hasScripts?: boolean | undefined;
  /** Pixels of the screen by pixel of the page. Default: 1. */
  readonly scale?: number | undefined;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

const startMs = 30_000;

/** One page in its own Chromium. Call `close` in the end. */
export class Browser {
  /** URLs that the page asked for, its own among them. */
  readonly requests: string[] = [];
  /** Messages of the console, errors of scripts, and reports of the policy. */
  readonly messages: string[] = [];
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #answers = new Map<number, (message: Message) => void>();
  #nextId = 1;
  #session: string | undefined;
  #loaded: () => void = () => {};

  private constructor(child: ChildProcess, profile: string, socket: WebSocket) {
    this.#child = child;
    this.#profile = profile;
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#hear(JSON.parse(String(data)) as Message));
  }

  /** Starts Chromium. Rejects when it does not listen in time; it is then ended. */
  static async start(chromium: string): Promise<Browser> {
    const profile = mkdtempSync(join(tmpdir(), "chromium-"));
    const flags = [
      ...chromiumArguments,
      "--remote-debugging-port=0",
      "--hide-scrollbars",
      "--force-color-profile=srgb",
    ];
    const child = spawn(chromium, [...flags, `--user-data-dir=${profile}`, "about:blank"], {
      detached: true,
      stdio: "ignore",
    });
    try {
      const socket = new WebSocket(await addressIn(profile, child));
      await new Promise<void>((opened, failed) => {
        socket.addEventListener("open", () => opened(), { once: true });
        socket.addEventListener("error", () => failed(new Error("Chromium does not answer")), { once: true });
      });
      const browser = new Browser(child, profile, socket);
      await browser.#attach();
      return browser;
    } catch (error) {
      end(child, profile);
      throw error;
    }
  }

  /** Shows a page, and waits until it is loaded. */
  async show(url: string, { width, height, media, scheme, hasScripts, scale }: View): Promise<void> {
    await this.send("Emulation.setScriptExecutionDisabled", { value: hasScripts === false });
    await this.send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: scale ?? 1,
      mobile: false,
    });
    await this.send("Emulation.setEmulatedMedia", {
      media: media ?? "screen",
      features: [{ name: "prefers-color-scheme", value: scheme ?? "light" }],
    });
    this.requests.length = 0;
    this.messages.length = 0;
    const loaded = new Promise<void>((resolve) => (this.#loaded = resolve));
    await this.send("Page.navigate", { url });
    await loaded;
  }

  /** The value of an expression, or of its promise, in the page. Rejects when it throws. */
  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = (await this.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })) as { result: { value?: unknown }; exceptionDetails?: { exception?: { description?: string } } };
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? "failed in the page");
    return result.value;
  }

  /** Presses a key: "Tab", "Enter", or a letter. */
  async press(key: string): Promise<void> {
    const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
    const code = key === "Enter" ? 13 : key === "Tab" ? 9 : key.toUpperCase().codePointAt(0);
    const event = { key, windowsVirtualKeyCode: code, ...(text === undefined ? {} : { text }) };
    await this.send("Input.dispatchKeyEvent", { type: text === undefined ? "rawKeyDown" : "keyDown", ...event });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, windowsVirtualKeyCode: code });
  }

  /** A picture of the page: of all of it, or of its first `height` pixels; a PNG unless it is to be a WebP. */
  async picture(
    width: number,
    { height, format = "png" }: { readonly height?: number; readonly format?: "png" | "webp" } = {},
  ): Promise<Buffer> {
    const full = Number(await this.evaluate("document.documentElement.scrollHeight"));
    const clip = { x: 0, y: 0, width, height: Math.min(height ?? full, full), scale: 1 };
    const { data } = await this.send("Page.captureScreenshot", {
      format,
      ...(format === "webp" ? { quality: 80 } : {}),
      captureBeyondViewport: true,
      clip,
    });
    return Buffer.from(String(data), "base64");
  }

  /** Sends a command of the protocol; resolves to its result. */
  async send(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const id = this.#nextId++;
    const answer = new Promise<Message>((resolve) => this.#answers.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params, sessionId: this.#session }));
    const { result = {}, error } = await answer;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** Ends Chromium and removes its profile. */
  close(): void {
    this.#socket.close();
    end(this.#child, this.#profile);
  }

  async #attach(): Promise<void> {
    const { targetInfos } = (await this.send("Target.getTargets")) as {
      targetInfos: readonly { type: string; targetId: string }[];
    };
    const page = targetInfos.find(({ type }) => type === "page");
    const { sessionId } = await this.send("Target.attachToTarget", { targetId: page?.targetId, flatten: true });
    this.#session = String(sessionId);
    for (const domain of ["Page", "Network", "Runtime", "Log"]) await this.send(`${domain}.enable`);
  }

  #hear({ id, method, params, result, error }: Message): void {
    if (id !== undefined) {
      this.#answers.get(id)?.({
        ...(result === undefined ? {} : { result }),
        ...(error === undefined ? {} : { error }),
      });
      this.#answers.delete(id);
      return;
    }
    if (method === "Page.loadEventFired") this.#loaded();
    if (method === "Network.requestWillBeSent") this.requests.push((params!["request"] as { url: string }).url);
    if (method === "Log.entryAdded") this.messages.push((params!["entry"] as { text: string }).text);
    if (method === "Runtime.consoleAPICalled" || method === "Runtime.exceptionThrown") {
      this.messages.push(JSON.stringify(params));
    }
  }
}

/** The address that Chromium writes into its profile once it listens. */
async function addressIn(profile: string, child: ChildProcess): Promise<string> {
  for (let waited = 0; waited < startMs; waited += 50) {
    if (child.exitCode !== null) throw new Error(`Chromium ended with ${child.exitCode}`);
    try {
      const [port, path] = readFileSync(join(profile, "DevToolsActivePort"), "utf8").split("\n");
      if (path !== undefined && path !== "") return `ws://127.0.0.1:${port}${path}`;
    } catch {
      // The file is not there yet.
    }
    await delay(50);
  }
  throw new Error(`Chromium does not listen after ${startMs} ms`);
}

/** Ends the process group: Chromium's helper processes are in it. */
function end(child: ChildProcess, profile: string): void {
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
