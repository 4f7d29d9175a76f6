// Computes the figures of a census a second time, slowly and without the code of the packages: its own reading of groups and rules by the
// documentation of Google's parser, and targets made from the file's patterns instead of a proof.
import { createHash } from "node:crypto";

interface SlowCrawler {
  readonly productToken: string;
  readonly names: readonly string[];
  readonly boundByEverybody: boolean;
  readonly bound: string;
}

interface SlowRule {
  readonly isAllow: boolean;
  readonly pattern: string;
}

interface SlowGroup {
  readonly values: readonly string[];
  readonly rules: readonly SlowRule[];
}

/** The lines of a file, one character for each byte. */
function linesOf(bytes: Uint8Array): readonly string[] {
  let text = Buffer.from(bytes).toString("latin1");
  for (const mark of ["\xef\xbb\xbf", "\xef\xbb", "\xef"]) {
    if (!text.startsWith(mark)) continue;
    text = text.slice(mark.length);
    break;
  }
  return text.split(/\r\n|\n|\r/);
}

/** Key and value of a line, as Google's parser splits it. */
function keyAndValueOf(line: string): readonly [key: string, value: string] | undefined {
  const text = trimmed(line.slice(0, 16_663).split("#")[0]!);
  const colon = text.indexOf(":");
  if (colon >= 0)
    return colon === 0 ? undefined : [trimmed(text.slice(0, colon)).toLowerCase(), trimmed(text.slice(colon + 1))];
  const words = text.split(/[ \t]+/).filter((word) => word !== "");
  return words.length === 2 ? [words[0]!.toLowerCase(), words[1]!] : undefined;
}

function trimmed(text: string): string {
  return text.replace(/^[ \t\v\f\0]+|[ \t\v\f\0]+$/g, "");
}

const disallowKeys = ["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"];

function groupsOf(lines: readonly string[]): readonly SlowGroup[] {
  const groups: { values: string[]; rules: SlowRule[] }[] = [];
  let sawRule = true;
  for (const line of lines) {
    const [key, value] = keyAndValueOf(line) ?? ["", ""];
    if (/^user[- ]?agent/.test(key)) {
      if (sawRule) groups.push({ values: [], rules: [] });
      sawRule = false;
      groups.at(-1)!.values.push(value);
    } else if (key.startsWith("allow") || disallowKeys.some((name) => key.startsWith(name))) {
      if (groups.length === 0) continue;
      sawRule = true;
      groups.at(-1)!.rules.push({ isAllow: key.startsWith("allow"), pattern: escaped(value) });
    }
  }
  return groups;
}

/** A pattern with every byte beyond ASCII as an escape, and the digits of escapes in upper case. */
function escaped(value: string): string {
  return value
    .replaceAll(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
    .replaceAll(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
}

const isEverybody = (value: string): boolean => /^\*(?:[ \t\v\f]|$)/.test(value);

/** Whether a user-agent line names a crawler. A name that is no product token is compared as a whole. */
function names(value: string, name: string, isWhole: boolean): boolean {
  if (!isWhole) return /^[A-Za-z_-]*/.exec(value)![0].toLowerCase() === name.toLowerCase() && !isEverybody(value);
  const start = value.slice(0, name.length).toLowerCase();
  return start === name.toLowerCase() && /^(?:$|[ \t\v\f/*;(])/.test(value.slice(name.length));
}

/** The groups that bind a crawler, and why. */
function groupsFor(
  groups: readonly SlowGroup[],
  crawler: SlowCrawler,
): { readonly ground: string; readonly own: readonly SlowGroup[] } {
  const isWhole = !/^[A-Za-z_-]+$/.test(crawler.names[0]!);
  for (const [rank, name] of crawler.names.entries()) {
    const own = groups.filter(({ values }) => values.some((value) => names(value, name, isWhole)));
    if (own.length > 0) return { ground: rank === 0 ? "own" : "fallback", own };
  }
  const all = groups.filter(({ values }) => values.some(isEverybody));
  const isBound = crawler.boundByEverybody && crawler.bound !== "by-name" && all.length > 0;
  return isBound ? { ground: "everybody", own: all } : { ground: "none", own: [] };
}

const expressions = new Map<string, RegExp>();

/** Whether a pattern matches a target. */
function matches(pattern: string, target: string): boolean {
  let expression = expressions.get(pattern);
  if (expression === undefined) {
    const isTied = pattern.endsWith("$");
    const pieces = (isTied ? pattern.slice(0, -1) : pattern)
      .split(/\*+/)
      .map((piece) => piece.replaceAll(/[^\w/]/g, String.raw`\$&`));
    expression = new RegExp(`^${pieces.join("[^]*?")}${isTied ? "$" : ""}`);
    expressions.set(pattern, expression);
  }
  return expression.test(target);
}

/** The longest pattern wins, and of equally long ones the allow rule. */
function isAllowed(rules: readonly SlowRule[], target: string): boolean {
  const best = { allow: 0, disallow: 0 };
  for (const { isAllow, pattern } of rules) {
    const kind = isAllow ? "allow" : "disallow";
    if (matches(pattern, target)) best[kind] = Math.max(best[kind], pattern.length);
    const [, folder] = /^(.*\/)index\.htm/.exec(pattern) ?? [];
    if (isAllow && folder !== undefined && !folder.includes("/index.htm") && matches(`${folder}$`, target)) {
      best.allow = Math.max(best.allow, folder.length + 1);
    }
  }
  return best.allow >= best.disallow;
}

/** Targets that URLs can have, made from the patterns of a group. */
function* targetsOf(rules: readonly SlowRule[]): Generator<string> {
  yield* ["/", "/x", "/zq.y", "/?zq", "/x?y", "//x"];
  const bodies = [...new Set(rules.map(({ pattern }) => pattern.replace(/\$$/, "")))];
  const joined =
    bodies.length > 12 ? [] : bodies.flatMap((one) => bodies.map((other) => one.replace("*", other.slice(1))));
  for (const body of [...bodies, ...joined]) {
    for (const filling of ["", "x", "/", "x/y"]) {
      const filled = body.replaceAll("*", filling);
      for (const tail of ["", "x", "/", "/x", "?x"]) {
        yield filled + tail;
        yield `/${filled}${tail}`;
      }
    }
  }
}

const isOfUrl = (target: string): boolean =>
  /^\/[!$-;=?-~]*$/.test(target) &&
  !/\\/.test(target.split("?")[0]!) &&
  !/%(?:[a-f][0-9A-Fa-f]|[0-9A-F][a-f])/.test(target);

/** The state in which rules leave a crawler. */
function stateOf(rules: readonly SlowRule[]): string {
  let [allowed, disallowed] = [false, false];
  for (const target of targetsOf(rules)) {
    if (allowed && disallowed) break;
    if (!isOfUrl(target)) continue;
    if (isAllowed(rules, target)) allowed = true;
    else disallowed = true;
  }
  if (!allowed) return "closed";
  if (!disallowed) return "open";
  return isAllowed(rules, "/") ? "partly-closed" : "mostly-closed";
}

/** The items by the result of `keyOf`. */
export function groupedBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const known = groups.get(keyOf(item));
    if (known === undefined) groups.set(keyOf(item), [item]);
    else known.push(item);
  }
  return groups;
}

/** A capture of an origin: seconds since 1970, and the file. */
export interface SlowCapture {
  readonly origin: string;
  readonly seconds: number;
  readonly body: Uint8Array;
}

export function quarterOf(seconds: number): string {
  const date = new Date(seconds * 1_000);
  return `${date.getUTCFullYear()}-Q${Math.floor(date.getUTCMonth() / 3) + 1}`;
}

/** What the census says about one file. */
export interface SlowFile {
  readonly isRobotsTxt: boolean;
  /** By product token: state and ground. */
  readonly cells: ReadonlyMap<string, readonly [state: string, ground: string]>;
  /** By table: the keys, each once. */
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>;
}

const files = new Map<string, SlowFile>();

export function fileOf(body: Uint8Array, crawlers: readonly SlowCrawler[]): SlowFile {
  const key = createHash("sha256").update(body).digest("hex");
  let file = files.get(key);
  if (file === undefined) files.set(key, (file = readFile(body, crawlers)));
  return file;
}

function readFile(body: Uint8Array, crawlers: readonly SlowCrawler[]): SlowFile {
  const lines = linesOf(body);
  const groups = groupsOf(lines);
  const said = lines.flatMap((line) => {
    const found = keyAndValueOf(line);
    return found === undefined ? [] : [found];
  });
  const sitemaps = said.filter(([key]) => /^site-?map/.test(key)).length;
  const text = Buffer.from(body).toString("utf8");
  const beginning = Buffer.from(body.subarray(0, 512)).toString("utf8");
  // oxlint-disable-next-line no-control-regex
  const looksOther = /^\s*[<{[]/.test(beginning) || /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(beginning);
  const isOther = looksOther && groups.length === 0 && sitemaps === 0;
  const keys = new Map<string, Set<string>>([
    ["sizes", new Set([classOf(body.length, [0, 1, 100, 1_000, 10_000, 100_000, 512_001])])],
  ]);
  const lineCount = text === "" ? 0 : text.split(/\r\n|\n|\r/).length - (/[\r\n]$/.test(text) ? 1 : 0);
  keys.set("lines", new Set([classOf(lineCount, [0, 1, 10, 100, 1_000, 10_000])]));
  if (isOther) return { isRobotsTxt: false, cells: new Map(), keys };
  keys.set("sitemaps", new Set([classOf(sitemaps, [0, 1, 2, 6, 51])]));
  const values = groups.flatMap((group) => group.values);
  const nameOf = (value: string): string =>
    Buffer.from(/^[^\s/*;(]*/.exec(value)![0], "latin1")
      .toString("utf8")
      .toLowerCase();
  keys.set(
    "names",
    new Set([...values.map(nameOf).filter((name) => name !== ""), ...(values.some(isEverybody) ? ["*"] : [])]),
  );
  const delays = said.filter(([key]) => key === "crawl-delay").map(([, value]) => value);
  keys.set(
    "crawl-delays",
    new Set(
      delays.map((value) => (/^(?:\d+\.?\d*|\.\d+)$/.test(value) ? String(Math.min(300, Number(value))) : "no number")),
    ),
  );
  const states = new Map<string, string>();
  const cells = new Map(
    crawlers.map((crawler) => {
      const { ground, own } = groupsFor(groups, crawler);
      const numbers = own.map((group) => groups.indexOf(group)).join(" ");
      const state = states.get(numbers) ?? stateOf(own.flatMap(({ rules }) => rules));
      states.set(numbers, state);
      return [crawler.productToken, [state, ground] as const];
    }),
  );
  return { isRobotsTxt: true, cells, keys };
}

function classOf(count: number, least: readonly number[]): string {
  const at = least.findLastIndex((each) => count >= each);
  const next = least[at + 1];
  if (next === undefined) return `${least[at]} or more`;
  return next === least[at]! + 1 ? String(least[at]) : `${least[at]}–${next - 1}`;
}
