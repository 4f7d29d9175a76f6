// Tests the playground's file in Chromium: no requests, no messages, no axe-core findings, use by keyboard, the same answers as Node.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { lint } from "@robots-stream/core/lint";
import { isProductToken } from "@robots-stream/core/product-tokens";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "./chromium.ts";
import { checkout } from "../../src/workspace.ts";
import { Browser, type View } from "./browser.ts";
import { buildPlayground, fragmentOf } from "../../src/alone/playground-page.ts";

const chromium = findChromium();
const timeout = 120_000;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const wide: View = { width: 1_280, height: 1_000 };
const phone: View = { width: 400, height: 800 };

let folder = "";
let url = "";
let browser: Browser;

/** A promise that resolves when the page shows the answers to its current input. */
const settled = `(async () => {
  for (let rest = 0, last; rest < 4; rest = last !== undefined && last === document.body.dataset.ready ? rest + 1 : 0) {
    last = document.body.dataset.ready;
    await new Promise((done) => setTimeout(done, 20));
  }
})()`;
/** Waits longer than the page's debounce of typing, then for the answers. */
const typed = `new Promise((done) => setTimeout(done, 300)).then(() => ${settled})`;
const choose = (at: number): string =>
  `{ const select = document.getElementById("example"); select.value = "${at}"; select.dispatchEvent(new Event("change")); }`;
const editor = `document.getElementById("robots").shadowRoot`;

// Without Chromium the tests fail in CI, where .ci/run installs it.
describe.skipIf(chromium === undefined && !process.env["CI"])("the playground", () => {
  beforeAll(async () => {
    if (chromium === undefined) throw new Error("there is no Chromium on the PATH");
    folder = mkdtempSync(join(tmpdir(), "robots-stream-playground-"));
    browser = await Browser.start(chromium);
    url = pathToFileURL(await buildPlayground(folder)).href;
  }, timeout);

  afterAll(async () => {
    await (browser as Browser | undefined)?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(view: View, fragment = ""): Promise<void> {
    await browser.show(url + fragment, view);
    await browser.evaluate(settled);
  }

  test("works from a file: no example makes a request or logs a message", async () => {
    await open(wide);
    const count = Number(await browser.evaluate(`document.querySelectorAll("#example option").length`));
    expect(count).toBeGreaterThan(5);
    for (let at = 0; at < count; at++) {
      await browser.evaluate(`${choose(at)} ${settled}`);
      expect(
        Number(await browser.evaluate(`document.querySelectorAll("[data-cell]").length`)),
        `${at}`,
      ).toBeGreaterThan(0);
      expect(await browser.evaluate(`document.querySelectorAll(".trace").length`), `${at}`).toBe(2);
    }
    expect(browser.requests).toEqual([url]);
    expect(browser.messages).toEqual([]);
  });

  test.each([
    `new Promise((done) => { const image = new Image(); image.onerror = done; image.src = "http://127.0.0.1:9/x.png"; document.body.append(image); })`,
    `fetch("http://127.0.0.1:9/").catch(() => 0)`,
    `{ const script = document.createElement("script"); try { script.text = "document.title = 'hacked'"; document.body.append(script); } catch {} }`,
  ])("the policy forbids %s", async (expression) => {
    await open(wide);
    await browser.evaluate(expression);
    expect(browser.messages.join("\n")).toMatch(/Content Security Policy|requires 'TrustedScript'/u);
    expect(await browser.evaluate("document.title")).toBe("robots.txt playground");
  });

  test.each<[example: number, view: View]>([
    [0, wide],
    [0, { ...wide, scheme: "dark" }],
    [0, phone],
    [1, { ...phone, scheme: "dark" }],
    [6, wide],
    [7, wide],
    [7, { ...phone, scheme: "dark" }],
  ])("example %i: no axe-core findings, and only tables scroll sideways, %j", async (example, view) => {
    await open(view);
    await browser.evaluate(`${choose(example)} ${settled}`);
    await browser.evaluate(`${axe}; 1`);
    const found = await browser.evaluate(
      "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html, failureSummary }) => [html, failureSummary])]))",
    );
    expect(found).toEqual([]);
    expect(await browser.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  });

  test("the keyboard alone writes a rule, opens its trace, and moves on", async () => {
    await open(wide, fragmentOf({ robots: "User-agent: *\nDisallow: /a\n", urls: "/a\n/b", crawlers: "FooBot" }));
    const focused = `(document.activeElement.shadowRoot?.activeElement ?? document.activeElement)`;
    const tabTo = async (wanted: string): Promise<void> => {
      for (let tab = 0; tab < 60; tab++) {
        await browser.press("Tab");
        if (await browser.evaluate(`${focused}.matches(${JSON.stringify(wanted)})`)) return;
      }
      throw new Error(`no Tab leads to ${wanted}`);
    };
    await tabTo(".cm-content");
    await browser.press("Enter");
    await tabTo(`[data-cell="0.0"]`);
    await browser.evaluate(typed);
    expect(await browser.evaluate(`document.querySelector('[data-cell="0.0"]').dataset.google`)).toBe("false 3");
    await tabTo(`[data-cell="1.0"]`);
    await browser.press("Enter");
    expect(await browser.evaluate(`document.activeElement.getAttribute("aria-pressed")`)).toBe("true");
    expect(await browser.evaluate(`document.querySelector(".traces h3").textContent`)).toBe("/b for FooBot");
    await tabTo(".traces .line");
    await browser.press("Enter");
    expect(await browser.evaluate(`${focused}.matches(".cm-content")`)).toBe(true);
    expect(await browser.evaluate(`document.getElementById("line-note").textContent`)).toContain("Line 2. Names every");
  });

  test("an answer's lines are highlighted, findings are underlined, and a line names the crawlers that it binds", async () => {
    const robots = "User-agent: FooBot\nCrawl-delay: 1\nUser-agent: BarBot\nDisalow: /a\n";
    await open(wide, fragmentOf({ robots, urls: "/a", crawlers: "FooBot" }));
    const texts = (selector: string): Promise<unknown> =>
      browser.evaluate(`[...${editor}.querySelectorAll("${selector}")].map((each) => each.textContent)`);
    expect(await texts(".cm-lit-disallow .cm-lit-note")).toEqual(["decides: disallowed"]);
    expect(await texts(".cm-lit-agent .cm-lit-note")).toEqual(["chooses the group"]);
    expect(String(await texts(".cm-lintRange"))).toContain("Disalow");
    const place = (await browser.evaluate(
      `(({ left, top }) => [left + 20, top + 8])(${editor}.querySelectorAll(".cm-line")[3].getBoundingClientRect())`,
    )) as readonly [number, number];
    for (const offset of [0, 2]) {
      await browser.point(place[0] + offset, place[1]);
    }
    await browser.evaluate("new Promise((done) => setTimeout(done, 800))");
    expect(String(await texts(".cm-line-note"))).toContain("Binds FooBot, BarBot (lines 1 to 3).");
    expect(String(await texts(".cm-diagnostic"))).toContain("is read as disallow");
  });

  test("a second file: each change has a URL", async () => {
    const [robots, next] = ["User-agent: *\nDisallow: /tmp\n", "User-agent: *\nDisallow: /*?sort=\n"];
    await open(wide, fragmentOf({ robots, next, urls: "/tmp", crawlers: "FooBot" }));
    const text = String(await browser.evaluate(`document.getElementById("changes").innerText`));
    expect(text).toContain("newly disallowed: /?sort=");
    expect(text).toContain("newly allowed: /tmp");
  });

  test("a link carries what was typed, texts are never markup, and an overlong link is not read", async () => {
    const hostile = `</textarea><img src=x onerror="document.title='hacked'">`;
    const question = {
      robots: `User-agent: ${hostile}\nDisallow: /${hostile}`,
      urls: `/${hostile}`,
      crawlers: hostile,
    };
    await open(wide, fragmentOf({ ...question, headers: "X-Robots-Tag: noindex", html: hostile, next: hostile }));
    expect(await browser.evaluate(`[document.querySelectorAll("img").length, document.title]`)).toEqual([
      0,
      "robots.txt playground",
    ]);
    expect(await browser.evaluate(`document.getElementById("urls").value`)).toBe(question.urls);
    await browser.evaluate(`document.getElementById("share").click()`);
    await browser.evaluate(typed);
    const hash = String(await browser.evaluate("location.hash"));
    await open(wide, hash);
    expect(
      await browser.evaluate(`["urls", "crawlers", "headers", "html"].map((id) => document.getElementById(id).value)`),
    ).toEqual([question.urls, question.crawlers, "X-Robots-Tag: noindex", hostile]);
    expect(browser.messages).toEqual([]);
    await open(wide, fragmentOf({ robots: "a".repeat(3_000_000) }));
    expect(await browser.evaluate(`document.getElementById("about").textContent`)).not.toBe("From a link.");
  });

  test("a text that is too long for a link: the button says so, and the address stays", async () => {
    await open(wide, fragmentOf({ robots: "", urls: "/a", crawlers: "FooBot" }));
    const before = await browser.evaluate("location.href");
    await browser.evaluate(`document.getElementById("html").value = "a".repeat(3_000_000)`);
    await browser.evaluate(`document.getElementById("share").click()`);
    await browser.evaluate(typed);
    expect(await browser.evaluate(`document.getElementById("shared").textContent`)).toContain("too long for a link");
    expect(await browser.evaluate("location.href")).toBe(before);
    expect(browser.messages).toEqual([]);
  });

  test("each editor shows at most 500 findings", async () => {
    // The linter lists at most 100 findings with the same code.
    const text = `User-agent: *\n${"Disalow: /a\nfoo: bar\nDisallow: x\nDisallow /b\nAllow: /%zz\n".repeat(300)}`;
    expect(lint(text).length).toBeGreaterThan(500);
    await open(wide, fragmentOf({ robots: text, next: text, urls: "/a", crawlers: "FooBot" }));
    for (const id of ["robots", "next"]) {
      const place = `document.getElementById("${id}").shadowRoot`;
      await browser.evaluate(`${place}.querySelector(".cm-content").focus()`);
      await browser.press("Control+Shift+M");
      expect(await browser.evaluate(`${place}.querySelectorAll(".cm-panel-lint li").length`), id).toBe(500);
    }
  });

  test(
    "the same answers as Node on the recorded cases of Google's parser",
    async () => {
      const cases = quirks();
      expect(cases.length).toBeGreaterThan(170);
      await open(wide);
      const fragments = cases.map(({ robots, url: asked, name }) =>
        fragmentOf({ robots, urls: asked, crawlers: name }),
      );
      const answers = await browser.evaluate(`(async () => {
      const answers = [];
      for (const fragment of ${JSON.stringify(fragments)}) {
        const before = document.body.dataset.ready;
        location.hash = fragment;
        for (let at = 0; at < 500 && document.body.dataset.ready === before; at++) await new Promise((done) => setTimeout(done, 2));
        const { google, rfc9309 } = document.querySelector("[data-cell]")?.dataset ?? {};
        answers.push({ google, rfc9309 });
      }
      return answers;
    })()`);
      expect(answers).toEqual(cases.map(({ google, rfc9309 }) => ({ google, rfc9309 })));
      const recorded = cases.filter(({ name }) => isProductToken(name));
      expect(recorded.length).toBeGreaterThan(150);
      expect(recorded.map(({ google }) => google)).toEqual(recorded.map(({ expected }) => expected));
    },
    timeout,
  );
});

interface Case {
  readonly robots: string;
  readonly url: string;
  readonly name: string;
  /** The answers of core in Node; "false 3" means disallowed by line 3. */
  readonly google: string;
  readonly rfc9309: string;
  /** The recorded answer of Google's parser. */
  readonly expected: string;
}

/** The recorded cases that can be typed into the page: the file is text, the URL is one line, and there is one crawler. */
function quirks(): readonly Case[] {
  const packed = readFileSync(join(checkout, "packages/core/test/fixtures/google-quirks.ndjson.gz"));
  const rows = gunzipSync(packed).toString("utf8").trimEnd().split("\n");
  return rows.flatMap((row) => {
    const { robots, cases } = JSON.parse(row) as {
      robots?: string;
      cases: readonly { agents: readonly string[]; url: string; expected: boolean; line: number }[];
    };
    return cases.flatMap(({ agents, url: asked, expected, line }) => {
      const [name = ""] = agents;
      const isTyped = [asked, name].every((text) => text !== "" && text === text.trim() && !/[\r\n]/u.test(text));
      if (robots === undefined || agents.length !== 1 || !isTyped || /^MJ12bot$/iu.test(name)) return [];
      const answers = (["google", "rfc9309"] as const).map((dialect) => {
        const decision = createMatcher(parseRobotsTxt(robots, { dialect }), name).decide(asked);
        return `${decision.allowed} ${decision.because === "rule" ? decision.rule.line : 0}`;
      });
      const [google = "", rfc9309 = ""] = answers;
      return [{ robots, url: asked, name, google, rfc9309, expected: `${expected} ${line}` }];
    });
  });
}
