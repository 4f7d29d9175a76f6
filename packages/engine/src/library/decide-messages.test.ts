// Tests the rows, rejects and counts of messages of one or several records, with origins that answer at once, later or never.
import { describe, expect, test } from "vitest";
import { robotsOf } from "../robots/in-force.ts";
import { type DecideMessagesOptions, type MessagePart, decideMessages } from "./decide-messages.ts";
import type { OriginLoader } from "./types.ts";

const rules = "user-agent: *\ndisallow: /private\n";

/** A loader: origins with "slow" in their names are loaded when `release` is called, origins with "silent" never. */
function createLoader(): OriginLoader & { release(): void; readonly loads: string[] } {
  const waiting: (() => void)[] = [];
  const loads: string[] = [];
  const loaded = { ...robotsOf(Buffer.from(rules)), stored: { code: "http-200", body: Buffer.from(rules) } };
  return {
    loads,
    release: () => waiting.splice(0).forEach((go) => go()),
    load(origin, { signal }) {
      loads.push(origin);
      if (/slow/.test(origin)) return new Promise((resolve) => waiting.push(() => resolve(loaded)));
      if (/silent/.test(origin))
        return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
      return loaded;
    },
  };
}

interface Seen {
  rows: string;
  records: number;
  rejects: string[];
  parts: number;
  isLast: boolean;
}

function open(more: Partial<DecideMessagesOptions<string>> = {}) {
  const seen = new Map<string, Seen>();
  const loader = createLoader();
  const waiters: { readonly message: string; resolve(): void }[] = [];
  const onPart = ({ message, rows, records, rejects, isLast, answers }: MessagePart<string>): void => {
    const all = seen.get(message) ?? { rows: "", records: 0, rejects: [], parts: 0, isLast: false };
    const texts =
      answers === undefined
        ? rows.toString()
        : `${answers.allowed.map(String).join("")}|${answers.disallowed.map(String).join("")}`;
    seen.set(message, {
      rows: all.rows + texts,
      records: all.records + records,
      rejects: [...all.rejects, ...rejects.map(({ line, code }) => `${line} ${code}`)],
      parts: all.parts + 1,
      isLast,
    });
    if (all.isLast) throw new Error(`a part of ${message} came after its last one`);
    for (const waiter of waiters) if (waiter.message === message && isLast) waiter.resolve();
  };
  const decider = decideMessages<string>({ agents: "bingbot", robots: loader, onPart, ...more });
  return {
    seen,
    loader,
    decider,
    last: (message: string) => new Promise<void>((resolve) => waiters.push({ message, resolve })),
  };
}

const record = (url: string, more = ""): string => `{"url":"${url}"${more}}`;
const row = (url: string, more = ""): string =>
  `{"url":"${url}"${more},"robots":${JSON.stringify(
    url.includes("/private")
      ? {
          agent: "bingbot",
          allowed: false,
          because: "rule",
          group: "*",
          rule: "disallow: /private",
          line: 2,
          origin: new URL(url).origin,
        }
      : { agent: "bingbot", allowed: true, because: "no-rule", group: "*", origin: new URL(url).origin },
  )}}\n`;

describe("decideMessages", () => {
  test.for([
    ["one record", record("https://a.example/"), row("https://a.example/"), []],
    ["with a line end", `${record("https://a.example/")}\n`, row("https://a.example/"), []],
    [
      "several lines",
      `${record("https://a.example/")}\n${record("https://b.example/private")}`,
      row("https://a.example/") + row("https://b.example/private"),
      [],
    ],
    [
      "a bad line",
      `oops\n${record("https://a.example/")}\n\n{"x":1}\n`,
      row("https://a.example/"),
      ["1 not-json", "4 no-url-field"],
    ],
    ["no record", "oops", "", ["1 not-json"]],
    ["no bytes", "", "", []],
    ["blank lines", "\n \n", "", []],
    ["the result's name is taken", record("https://a.example/", ',"robots":1'), "", ["1 key-taken"]],
  ] as const)("%s", async ([, value, rows, rejects]) => {
    const { seen, decider } = open();
    decider.add("m", Buffer.from(value));
    decider.end();
    await decider.done;
    const { rows: got, rejects: refused, isLast } = seen.get("m")!;
    expect([got, refused, isLast]).toEqual([rows, rejects, true]);
    expect(decider.messages).toBe(0);
  });

  test("each of 2,000 messages of one line gets its own row or reject", async () => {
    const { seen, decider } = open();
    const urls = Array.from({ length: 2_000 }, (_, at) => `https://${at % 7}.example/${at % 3 === 0 ? "private" : at}`);
    urls.forEach((url, at) => decider.add(`m${at}`, Buffer.from(at % 10 === 9 ? "{oops" : record(url, `,"n":${at}`))));
    decider.end();
    await decider.done;
    urls.forEach((url, at) => {
      const { rows, rejects } = seen.get(`m${at}`)!;
      expect([rows, rejects]).toEqual(at % 10 === 9 ? ["", ["1 not-json"]] : [row(url, `,"n":${at}`), []]);
    });
    expect(decider.summary).toMatchObject({ records: 2_000, decided: 1_800, rejects: 200 });
  });

  test("a slow origin delays only its own records, in every message", async () => {
    const { seen, decider, loader, last } = open();
    decider.add(
      "both",
      Buffer.from(
        [record("https://a.example/1"), record("https://slow.example/2"), record("https://a.example/3")].join("\n"),
      ),
    );
    const after = last("after");
    decider.add("after", Buffer.from(record("https://a.example/4")));
    await after;
    expect(seen.get("both")).toMatchObject({
      records: 2,
      isLast: false,
      rows: row("https://a.example/1") + row("https://a.example/3"),
    });
    const both = last("both");
    loader.release();
    await both;
    expect(seen.get("both")!.rows).toBe(
      row("https://a.example/1") + row("https://a.example/3") + row("https://slow.example/2"),
    );
    decider.end();
    await decider.done;
    expect(loader.loads).toEqual(["https://a.example", "https://slow.example"]);
  });

  test("waiting records are withdrawn as lines, and their messages are then complete", async () => {
    const { seen, decider, last } = open();
    const value = Buffer.from(
      [
        "oops",
        record("https://a.example/1"),
        "",
        record("https://silent.example/2"),
        record("https://a.example/3"),
        record("https://silent.example/4"),
      ].join("\n"),
    );
    const after = last("after");
    decider.add("m", value);
    decider.add("single", Buffer.from(record("https://silent.example/5")));
    decider.add("single2", Buffer.from(record("https://silent.example/6")));
    decider.add("after", Buffer.from(record("https://a.example/")));
    await after;
    const { lines, bytes } = decider.withdraw("m", value)!;
    expect(lines).toEqual([4, 6]);
    expect(bytes.toString()).toBe(`${record("https://silent.example/2")}\n${record("https://silent.example/4")}\n`);
    expect(seen.get("m")).toMatchObject({ records: 2, isLast: true, rejects: ["1 not-json"] });
    expect(decider.withdraw("m", value)).toBeUndefined();
    for (const single of ["single", "single2"]) {
      const own = Buffer.from(record(`https://silent.example/${single === "single" ? 5 : 6}`));
      expect(decider.withdraw(single, own)!.bytes.toString()).toBe(`${own.toString()}\n`);
      expect(seen.get(single)).toMatchObject({ records: 0, isLast: true });
    }
    expect(decider.messages).toBe(0);
    await decider.stop();
    expect(decider.summary).toMatchObject({ records: 8, decided: 3, rejects: 1, notDecided: 4 });
  });

  test("a loaded file expires: it decides until its origin is loaded again, and no message waits", async () => {
    let time = 0;
    let body = "user-agent: *\nallow: /\n";
    let loads = 0;
    let answer = (): void => undefined;
    const robots: OriginLoader = {
      async load() {
        loads++;
        if (loads > 1) await new Promise<void>((resolve) => (answer = resolve));
        const bytes = Buffer.from(body);
        return { ...robotsOf(bytes), stored: { code: "http-200", body: bytes, freshUntil: time + 1_000 } };
      },
    };
    const { seen, decider, last } = open({ robots, now: () => time });
    const allowedAfter = async (name: string): Promise<boolean> => {
      const end = last(name);
      decider.add(name, Buffer.from(record("https://a.example/x")));
      await end;
      return (JSON.parse(seen.get(name)!.rows) as { robots: { allowed: boolean } }).robots.allowed;
    };
    expect(await allowedAfter("one")).toBe(true);
    body = "user-agent: *\ndisallow: /\n";
    expect(await allowedAfter("still fresh")).toBe(true);
    time = 1_000_000;
    expect(await allowedAfter("expired")).toBe(true);
    answer();
    // The load takes some turns of the event loop; the old answer decides meanwhile.
    for (let at = 0; await allowedAfter(`later ${at}`); at++) await new Promise((resolve) => setImmediate(resolve));
    expect(loads).toBe(2);
    decider.end();
    await decider.done;
  });

  test("the memory of returned rows is reused, and rows that were not returned keep their bytes", async () => {
    const kept = new Map<string, Buffer>();
    const buffers = new Set<ArrayBufferLike>();
    let complete = 0;
    const decider = decideMessages<string>({
      agents: "bingbot",
      robots: createLoader(),
      onPart({ message, rows, isLast }) {
        if (isLast) complete++;
        if (rows.length === 0) return;
        buffers.add(rows.buffer);
        if (message === "100" || message === "200") kept.set(message, rows);
        else setImmediate(() => decider.giveBack(rows));
      },
    });
    const urlOf = (message: number): string => `https://a.example/private/${message}/${"x".repeat(2_000)}`;
    for (let message = 1; message <= 6_000; message++) {
      decider.add(String(message), Buffer.from(record(urlOf(message))));
      if (message % 250 === 0) while (complete < message) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    decider.end();
    await decider.done;
    expect([...kept].map(([message, rows]) => [message, rows.toString()])).toEqual([
      ["100", row(urlOf(100))],
      ["200", row(urlOf(200))],
    ]);
    // 13 MB of rows are 26 buffers of 512 KiB.
    expect(buffers.size).toBeLessThan(8);
  });

  test("rows sorted by answer keep their bytes, even after they are returned", async () => {
    const kept: Buffer[] = [];
    let complete = 0;
    const decider = decideMessages<number>({
      agents: "bingbot",
      robots: createLoader(),
      byAnswer: true,
      onPart({ answers, isLast }) {
        if (isLast) complete++;
        for (const each of answers!.allowed) kept.push(each);
        for (const each of answers!.allowed) decider.giveBack(each);
      },
    });
    const urlOf = (at: number): string => `https://a.example/${at}/${"x".repeat(2_000)}`;
    const messages = 40;
    for (let message = 0; message < messages; message++) {
      const urls = Array.from({ length: 20 }, (_, line) => record(urlOf(message * 20 + line)));
      decider.add(message, Buffer.from(urls.join("\n")));
      while (complete <= message) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    decider.end();
    await decider.done;
    expect(kept.map(String)).toEqual(Array.from({ length: messages * 20 }, (_, at) => row(urlOf(at))));
  });

  test("with `byAnswer`, rows are grouped by their answers", async () => {
    const { seen, decider } = open({ byAnswer: true });
    decider.add("m", Buffer.from([record("https://a.example/private"), record("https://a.example/")].join("\n")));
    decider.end();
    await decider.done;
    expect(seen.get("m")!.rows).toContain(`${row("https://a.example/")}|${row("https://a.example/private")}`);
  });

  test("with `byAnswer`, a part without rows has empty lists", async () => {
    const parts: MessagePart<string>[] = [];
    const { decider } = open({ byAnswer: true, onPart: (part) => parts.push(part) });
    decider.add("m", Buffer.from("nonsense"));
    decider.end();
    await decider.done;
    expect(parts.flatMap(({ rejects }) => rejects)).toHaveLength(1);
    for (const { answers } of parts) expect(answers).toEqual({ allowed: [], disallowed: [], undecided: [] });
  });

  test("there is no room above `parkBytes`, and again once messages are complete; `heldBytes` counts copies", async () => {
    const { seen, loader, decider } = open({ parkBytes: 100_000 });
    let added = 0;
    const filling = (async () => {
      for (; added < 1_000; added++) {
        await decider.room();
        decider.add(String(added), Buffer.from(record(`https://slow.example/${added}`)));
      }
    })();
    // Every message waits: no more are added.
    let before = -1;
    while (before !== added || loader.loads.length === 0) {
      before = added;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect([decider.hasRoom, decider.messages]).toEqual([false, added]);
    expect(added).toBeLessThan(200);
    // Each message counts with its bytes, its own overhead, and its copy.
    expect(decider.heldBytes).toBeGreaterThan(added * (40 + 512 + 40));
    expect(decider.withdraw("0", Buffer.from(record("https://slow.example/0")))).toMatchObject({ lines: [1] });
    loader.release();
    await filling;
    decider.end();
    await decider.done;
    expect([seen.size, decider.messages, decider.heldBytes, decider.hasRoom]).toEqual([1_000, 0, 0, true]);
  });

  test("after a stop, `room` resolves, and messages that were not read can still be withdrawn or not", async () => {
    const { decider } = open({ parkBytes: 600 });
    decider.add("m", Buffer.from(record("https://silent.example/")));
    decider.add("n", Buffer.from(record("https://silent.example/")));
    expect(decider.hasRoom).toBe(false);
    const waits = decider.room();
    await decider.stop();
    await waits;
    await decider.room();
    expect(decider.messages).toBe(2);
  });

  test("decides lists of URLs, log lines, records for several agents, and records with a path as `urlField`", async () => {
    const cases: readonly (readonly [Partial<DecideMessagesOptions<string>>, string, RegExp])[] = [
      [
        { inputFormat: "lines" },
        "https://a.example/",
        /^\{"url":"https:\/\/a.example\/","robots":\{"agent":"bingbot","allowed":true/,
      ],
      [{ agents: ["bingbot", "GPTBot"] }, record("https://a.example/"), /"agents":\{"bingbot":\{.*"GPTBot":\{/],
      [{ urlField: "request.url" }, '{"request":{"url":"https://a.example/"}}', /"allowed":true/],
      [
        { inputFormat: "combined", base: "https://a.example", agentField: "user_agent", agents: [] },
        '192.0.2.1 - - [02/Jan/2026:03:04:05 +0000] "GET /private HTTP/1.1" 200 1 "-" "Mozilla/5.0 (compatible; bingbot/2.0)"',
        /"agent":"bingbot","allowed":false/,
      ],
    ];
    for (const [options, value, rows] of cases) {
      const { seen, decider } = open(options);
      decider.add("m", Buffer.from(value));
      decider.add("n", Buffer.from(value));
      decider.end();
      await decider.done;
      expect(seen.get("m")!.rows).toMatch(rows);
      expect(seen.get("n")!.rows).toBe(seen.get("m")!.rows);
    }
  });

  test.for([
    ["inputFormat: csv", { inputFormat: "csv" }],
    ["inputFormat: unknown", { inputFormat: "nonsense" }],
    ["two dialects", { dialects: ["google", "rfc9309"] }],
    ["the option rows", { rows: "record" }],
    ["byAnswer of two agents", { agents: ["a", "b"], byAnswer: true }],
    ["no agent", { agents: [] }],
    ["an empty result key", { resultKey: "" }],
  ] as const)("refuses %s", ([, more]) => {
    expect(() => open(more as never)).toThrow(expect.objectContaining({ code: expect.stringMatching(/^ERR_/) }));
  });
});
