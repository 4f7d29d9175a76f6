// Tests that unusual and hostile options and records lead to a result, a `UsageError` or a reject; no run hangs or loses a record.
import { afterEach, describe, expect, test } from "vitest";
import { fileURLToPath } from "node:url";
import { type DecideRecordsOptions, type RecordDecision, createSavedRobots, decideStream } from "../index.ts";
import type { RecordReject } from "./types.ts";

/** A path in this folder at which nothing exists. */
const missing = fileURLToPath(new URL("no-such-folder", import.meta.url));
const saved = createSavedRobots(fileURLToPath(new URL("../../../../examples/robots", import.meta.url)));
const shop = "https://shop.example";
const bing = { agents: "bingbot", robots: saved } as const;

const thrower = (): never => {
  throw new Error("hunter2");
};
const throwing = (name: string, rest: object = bing): object =>
  Object.defineProperty({ ...rest }, name, { get: thrower, enumerable: true });
/** A proxy that throws whenever it is read. */
const closed = (target: object): object =>
  new Proxy(target, {
    get: thrower,
    has: thrower,
    ownKeys: thrower,
    getOwnPropertyDescriptor: thrower,
    getPrototypeOf: thrower,
  });
const long = "x".repeat(1_000_000);
const noText = { toString: thrower, [Symbol.toPrimitive]: thrower };

const names =
  "agents agentField robots dialects tokenMatch fallback target inputFormat inputName urlField base maxLineBytes ordered concurrency parkBytes matcherBytes signal only onReject input accepts output resultKey csvSafe".split(
    " ",
  );
const numbers = ["maxLineBytes", "concurrency", "parkBytes", "matcherBytes"];
const values: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["a symbol", Symbol("x")],
  ["a BigInt", 10n],
  ["an object that cannot be converted to a string", noText],
  ["an object without a prototype", Object.create(null)],
  ["a proxy that throws", closed({})],
];

const mistakes: readonly (readonly [string, unknown])[] = [
  ["nothing", undefined],
  ["null", null],
  ["a text", "bingbot"],
  ["a proxy that throws", closed({})],
  ["a member __proto__", JSON.parse('{"__proto__":{"agents":"bingbot"},"agents":"bingbot"}')],
  ["a member constructor", { ...bing, constructor: "x" }],
  ["agents of a prototype", Object.create(bing)],
  ["a very long name", { ...bing, [long]: 1 }],
  ...names.map((name) => [`${name}: a getter that throws`, throwing(name)] as const),
  ...names.flatMap((name) => values.map(([what, value]) => [`${name}: ${what}`, { ...bing, [name]: value }] as const)),
  ...numbers.flatMap((name) =>
    [Number.NaN, Infinity, -Infinity, 1e308, 2 ** 53, -1, 0, 0.5, "5"].map(
      (value) => [`${name}: ${value}`, { ...bing, [name]: value }] as const,
    ),
  ),
  ["agents: a list with a number", { ...bing, agents: ["a", 5] }],
  ["agents: a list with holes", { ...bing, agents: ["a", , "b"] }], // eslint-disable-line no-sparse-arrays
  ["agents: a list of infinite length", { ...bing, agents: new Proxy([], { get: () => Infinity }) }],
  [
    "agents: a list that is too long",
    {
      ...bing,
      agents: new Proxy(["a"], { get: (list, name) => (name === "length" ? 2 ** 52 : Reflect.get(list, name)) }),
    },
  ],
  ["agents: a list that throws", { ...bing, agents: closed([]) }],
  ["agents: a text with a comma", { ...bing, agents: "bingbot,GPTBot" }],
  ["agents: a text that is not a name", { ...bing, agents: long }],
  ["dialects: __proto__", { ...bing, dialects: "__proto__" }],
  ["inputFormat: constructor", { ...bing, inputFormat: "constructor" }],
  ["tokenMatch: toString", { ...bing, tokenMatch: "toString" }],
  ["target: very long", { ...bing, target: long }],
  ["robots: a getter of load that throws", { ...bing, robots: throwing("load", {}) }],
  [
    "signal: an object that only inherits from AbortSignal.prototype",
    { ...bing, signal: Object.create(AbortSignal.prototype) as unknown },
  ],
  [
    "input: an iterable that throws when its iterator is read",
    { ...bing, input: throwing("readableEncoding", { [Symbol.iterator]: () => [].values() }) },
  ],
];

describe("options", () => {
  test.each(mistakes)("are refused: %s", (_what, options) => {
    let error: unknown;
    try {
      decideStream(options as never);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      name: "UsageError",
      code: expect.stringMatching(/^ERR_(?:WRONG_VALUE|INVALID_OPTION|MISSING_AGENT|NO_PRODUCT_TOKEN)$/),
    });
    const { message } = error as Error;
    expect(message.length).toBeLessThan(450);
    expect(message).not.toContain("hunter2");
  });

  test.each([
    ["null", null],
    ["maxBytes: NaN", { maxBytes: Number.NaN }],
    ["maxBytes: Infinity", { maxBytes: Infinity }],
    ["maxBytes: a text", { maxBytes: "5" }],
    ["warn: not a function", { warn: true }],
    ["a getter that throws", throwing("warn", {})],
  ])("createSavedRobots refuses %s", (_what, options) => {
    expect(() => createSavedRobots(missing, options as never)).toThrow(
      expect.objectContaining({ name: "UsageError", code: "ERR_WRONG_VALUE" }),
    );
  });

  test.each([
    ["client", { ...bing, client: saved }, "client: is not an option"],
    ["agnets", { ...bing, agnets: "bingbot" }, "agnets: is not an option; did you mean agents?"],
    ["parkbytes", { ...bing, parkbytes: 5 }, "parkbytes: is not an option; did you mean parkBytes?"],
  ])("the unknown option %s is refused, with the nearest name if any", (_name, options, message) => {
    expect(() => decideStream(options as never)).toThrow(
      expect.objectContaining({ name: "UsageError", code: "ERR_INVALID_OPTION", message }),
    );
    expect(() => createSavedRobots(missing, { maxbytes: 5 } as never)).toThrow(
      expect.objectContaining({
        code: "ERR_INVALID_OPTION",
        message: "maxbytes: is not an option; did you mean maxBytes?",
      }),
    );
  });

  test("options are read once, at the call, and later changes have no effect", async () => {
    const reads: Record<string, number> = {};
    const once = <T>(object: object, name: string, first: T, later: unknown): object =>
      Object.defineProperty(object, name, {
        enumerable: true,
        get: () => ((reads[name] = (reads[name] ?? 0) + 1) === 1 ? first : later),
      });
    const client = once({}, "load", saved.load.bind(saved), undefined);
    const rejects: RecordReject[] = [];
    const options = {};
    const agents = ["bingbot"];
    const given: readonly (readonly [string, unknown, unknown])[] = [
      ["agents", agents, closed([])],
      ["robots", client, undefined],
      ["dialects", ["google"], closed([])],
      ["tokenMatch", "google", "none"],
      ["fallback", true, "no"],
      ["target", "raw", "none"],
      ["inputFormat", "ndjson", "none"],
      ["inputName", "name", 5],
      ["urlField", "url", 5],
      ["base", shop, 5],
      ["maxLineBytes", 1_000, Number.NaN],
      ["ordered", true, "no"],
      ["concurrency", 5, Number.NaN],
      ["parkBytes", 100_000, Number.NaN],
      ["matcherBytes", 100_000, Number.NaN],
      ["signal", new AbortController().signal, {}],
      ["onReject", (reject: RecordReject) => void rejects.push(reject), 5],
      ["input", [{ url: "/cart" }, 5], undefined],
    ];
    for (const [name, first, later] of given) once(options, name, first, later);
    const decisions = decideStream(options as DecideRecordsOptions<object>);
    agents.push("GPTBot");
    const found: RecordDecision[] = [];
    for await (const batch of decisions) found.push(...batch);
    expect(found).toMatchObject([{ url: `${shop}/cart`, agent: "bingbot", allowed: false }]);
    expect(rejects).toMatchObject([{ code: "not-an-object", record: 5 }]);
    expect(reads).toEqual(Object.fromEntries([...given.map(([name]) => [name, 1]), ["load", 1]]));
  });

  test("the largest numbers are accepted", async () => {
    const most = Object.fromEntries(numbers.map((name) => [name, Number.MAX_SAFE_INTEGER]));
    const found: RecordDecision[] = [];
    for await (const batch of decideStream({ ...bing, ...most, input: [shop] })) found.push(...batch);
    expect(found).toHaveLength(1);
  });
});

const polluted = Object.prototype as Record<string, unknown>;
afterEach(() => {
  delete polluted["url"];
  delete polluted["agents"];
});

describe("records", () => {
  const cyclic: Record<string, unknown> = { url: `${shop}/cart` };
  cyclic["self"] = cyclic;
  class Page {
    get url(): string {
      return `${shop}/cart`;
    }
  }
  let reads = 0;
  const changing = { get url() { return reads++ === 0 ? `${shop}/cart` : 5; } }; // prettier-ignore
  const records: [what: string, record: unknown, expected: string, urlField?: string][] = [
    ["a cycle", cyclic, "rule"],
    ["a BigInt in another member", { url: `${shop}/cart`, n: 1n }, "rule"],
    ["a toJSON that throws", { url: `${shop}/cart`, toJSON: thrower }, "rule"],
    ["a toJSON that returns another URL", { url: `${shop}/cart`, toJSON: () => ({ url: "x" }) }, "rule"],
    ["no prototype", Object.assign(Object.create(null) as object, { url: `${shop}/cart` }), "rule"],
    ["a getter of a class", new Page(), "rule"],
    ["a getter that changes", changing, "rule"],
    ["a frozen object", Object.freeze({ url: `${shop}/cart` }), "rule"],
    ["a member __proto__", JSON.parse(`{"__proto__":{"url":"x"},"url":"${shop}/cart"}`), "rule"],
    ["a URL in a member __proto__ only", JSON.parse(`{"__proto__":{"url":"${shop}/cart"}}`), "no-url-field"],
    ["a URL that is a BigInt", { url: 1n }, "url-not-text"],
    ["a URL that is a String object", { url: new String(shop) }, "url-not-text"],
    ["a URL that is a symbol", { url: Symbol("x") }, "url-not-text"],
    ["a getter that throws", throwing("url", {}), "url-not-text"],
    ["a proxy that throws", closed({}), "url-not-text"],
    ["a proxy of bytes that throws", closed(new Uint8Array(5)), "url-not-text"],
    ["a list", [`${shop}/cart`], "no-url-field"],
    ["a function", () => shop, "not-an-object"],
    ["undefined", undefined, "not-an-object"],
    ["a symbol", Symbol("x"), "not-an-object"],
    ["a path through __proto__", { a: {} }, "no-url-field", "a.__proto__"],
    ["a path through constructor.name", { a: {} }, "no-url-field", "constructor.name"],
    ["toString", {}, "no-url-field", "toString"],
    ["an own toString", { toString: `${shop}/cart` }, "rule", "toString"],
    ["hasOwnProperty", { hasOwnProperty: `${shop}/cart` }, "rule", "hasOwnProperty"],
    ["an own __proto__", JSON.parse(`{"__proto__":"${shop}/cart"}`), "rule", "__proto__"],
  ];
  test.each(records)("%s", async (_what, record, expected, urlField: string = "url") => {
    const rejects: RecordReject[] = [];
    const input = [record, { [urlField]: `${shop}/cart` }] as object[];
    if (urlField.includes(".") || urlField === "__proto__") input.pop();
    const decisions = decideStream({ ...bing, input, urlField, onReject: (reject) => void rejects.push(reject) });
    const found: RecordDecision[] = [];
    for await (const batch of decisions) found.push(...batch);
    expect(rejects[0]?.code ?? found[0]?.because).toBe(expected);
    expect(rejects[0] === undefined ? found[0]!.record : rejects[0].record).toBe(record);
    expect(decisions.summary).toMatchObject({ records: input.length, decided: found.length, rejects: rejects.length });
    expect(found.length + rejects.length).toBe(input.length);
  });

  test("members added to Object.prototype are not members of records or options", async () => {
    polluted["url"] = `${shop}/cart`;
    polluted["agents"] = "GPTBot";
    expect(() => decideStream({ robots: saved } as never)).toThrow(
      expect.objectContaining({ code: "ERR_MISSING_AGENT" }),
    );
    const rejects: RecordReject[] = [];
    const decisions = decideStream({ ...bing, input: [{}], onReject: (reject) => void rejects.push(reject) });
    for await (const batch of decisions) expect(batch).toEqual([]);
    expect(rejects.map(({ code }) => code)).toEqual(["no-url-field"]);
  });
});

const odd = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "length"];
const documents = (name: string): readonly (readonly [format: string, text: string])[] => [
  ["ndjson", `{"a":1,"${name}":"${shop}/cart"}\n{"${name}":{"url":"x"}}\n{"a":1}\n`],
  [
    "ndjson, escaped",
    `{"a":1,"\\u${name.charCodeAt(0).toString(16).padStart(4, "0")}${name.slice(1)}":"${shop}/cart"}\n[]\n{"${name}":null}\n`,
  ],
  ["csv", `a,${name}\n1,${shop}/cart\n1\n1,2,3\n`],
  ["tsv", `a\t${name}\n1\t${shop}/cart\n1\n1\t2\t3\n`],
];

describe.each(odd)("a field called %s", (name) => {
  test.each(documents(name))("of %s holds the URL", async (_format, text) => {
    const rejects: RecordReject[] = [];
    const input = Buffer.from(text);
    const decisions = decideStream({ ...bing, input, urlField: name, onReject: (reject) => void rejects.push(reject) });
    const found: RecordDecision[] = [];
    for await (const batch of decisions) found.push(...batch);
    expect(found).toMatchObject([{ url: `${shop}/cart`, because: "rule" }]);
    expect(Object.hasOwn(found[0]!.record as object, name)).toBe(true);
    expect(Object.getPrototypeOf(found[0]!.record)).toBe(Object.prototype);
    expect(rejects).toHaveLength(2);
    expect(decisions.summary).toMatchObject({ records: 3, decided: 1, rejects: 2 });
  });

  test.each(documents(name).slice(0, 1))("of %s holds the User-Agent header", async () => {
    const input = Buffer.from(`{"url":"${shop}/cart","${name}":"bingbot/2.0"}\n{"url":"${shop}/cart"}\n`);
    const found: RecordDecision[] = [];
    for await (const batch of decideStream({ robots: saved, agentField: name, input })) found.push(...batch);
    expect(found.map(({ agent, because }) => [agent, because])).toEqual([
      ["bingbot", "rule"],
      [null, "not-a-crawler"],
    ]);
    const objects = [JSON.parse(input.toString().split("\n")[0]!), { url: `${shop}/cart` }] as object[];
    const again: RecordDecision[] = [];
    for await (const batch of decideStream({ robots: saved, agentField: name, input: objects })) again.push(...batch);
    expect(again.map(({ agent }) => agent)).toEqual(["bingbot", null]);
  });

  test("can be the result key", async () => {
    const stream = decideStream({ ...bing, resultKey: name });
    stream.end(`{"url":"${shop}/cart"}\n{"url":"x","${name}":1}\n`);
    let rows = "";
    for await (const chunk of stream) rows += String(chunk);
    const [row = ""] = rows.split("\n");
    expect(Object.getOwnPropertyDescriptor(JSON.parse(row), name)?.value).toMatchObject({ allowed: false });
    expect(stream.summary).toMatchObject({ records: 2, decided: 1, rejects: 1 });
  });
});
