// Computes the states of crawlers a second time, slowly and without the code of the packages: its own reading of groups and rules by
// docs/DIFFERENCES.md, and targets made from the file's patterns instead of a proof.

export interface SlowCrawler {
  readonly productToken: string;
  readonly names: readonly string[];
  readonly boundByEverybody: boolean;
  readonly bound: string;
}

interface SlowRule {
  readonly isAllow: boolean;
  /** As the line has it. */
  readonly text: string;
  /** In the form that is compared; also the pattern of the folder that an allowed index file opens. */
  readonly patterns: readonly string[];
}

interface SlowGroup {
  readonly values: readonly string[];
  readonly rules: readonly SlowRule[];
}

type Pair = readonly [key: string, value: string];

/** The choices of a dialect. */
export interface SlowDialect {
  readonly marks: readonly string[];
  pairOf(line: string): Pair | undefined;
  readonly userAgent: RegExp;
  readonly allow: RegExp;
  readonly disallow: RegExp;
  isEverybody(value: string): boolean;
  /** The product token of a value; "" for none. */
  tokenOf(value: string): string;
  patternOf(value: string): string;
  matches(pattern: string, target: string): boolean;
  /** The length by which a rule competes. */
  lengthOf(pattern: string): number;
  /** Whether a URL can have a target. */
  isOfUrl(target: string): boolean;
  readonly allowsFolderOfIndex: boolean;
}

function trimmed(text: string): string {
  return text.replace(/^[ \t\v\f]+|[ \t\v\f]+$/g, "");
}

/** A text with the bytes beyond ASCII as escapes, and the digits of escapes in upper case. */
function escaped(value: string): string {
  return value
    .replaceAll(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
    .replaceAll(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
}

const google: SlowDialect = {
  marks: ["\xef\xbb\xbf", "\xef\xbb", "\xef"],
  pairOf(line) {
    const text = trimmed(line.slice(0, 16_663).split(/[#\0]/)[0]!);
    const colon = text.indexOf(":");
    if (colon === 0) return undefined;
    if (colon > 0) return [trimmed(text.slice(0, colon)).toLowerCase(), trimmed(text.slice(colon + 1))];
    const words = text.split(/[ \t]+/).filter((word) => word !== "");
    return words.length === 2 ? [words[0]!.toLowerCase(), words[1]!] : undefined;
  },
  userAgent: /^user[- ]?agent/,
  allow: /^allow/,
  disallow: /^(?:disallow|dissallow|dissalow|disalow|diasllow|disallaw)/,
  isEverybody: (value) => /^\*(?:[ \t\v\f]|$)/.test(value),
  tokenOf: (value) => /^[A-Za-z_-]*/.exec(value)![0],
  patternOf: escaped,
  matches: (pattern, target) => expressionOf(pattern).test(target),
  lengthOf: (pattern) => pattern.length,
  isOfUrl: (target) =>
    /^\/[!$-;=?-~]*$/.test(target) &&
    !/\\/.test(target.split("?")[0]!) &&
    !/%(?:[a-f][0-9A-Fa-f]|[0-9A-F][a-f])/.test(target),
  allowsFolderOfIndex: true,
};

/** Characters that stay as they are when the standard's form is made. */
const plain = /[A-Za-z0-9\-._~:/?[\]@!&'()+,;=]/;

/** The form of RFC 9309: each octet that is not plain is one character from U+0100 on. A pattern's `*` and its last `$` stay. */
function literal(text: string, isPattern: boolean): string {
  let form = "";
  for (let at = 0; at < text.length; at++) {
    const [escape, digits] = /^%([0-9a-f]{2})/i.exec(text.slice(at, at + 3)) ?? [];
    const octet = digits === undefined ? text[at]! : String.fromCharCode(Number.parseInt(digits, 16));
    const isSpecial = isPattern && escape === undefined && (octet === "*" || (octet === "$" && at === text.length - 1));
    form += isSpecial || plain.test(octet) ? octet : String.fromCharCode(0x100 + octet.charCodeAt(0));
    at += escape === undefined ? 0 : 2;
  }
  return form;
}

let [lastTarget, lastForm] = ["", ""];

function literalTarget(target: string): string {
  if (target !== lastTarget) [lastTarget, lastForm] = [target, literal(target, false)];
  return lastForm;
}

const rfc9309: SlowDialect = {
  marks: ["\xef\xbb\xbf"],
  pairOf(line) {
    const [text = ""] = line.split(/[#\0]/);
    const [, key, value] = /^([^:]+):(.*)$/s.exec(trimmed(text)) ?? [];
    if (key === undefined || trimmed(key) === "") return undefined;
    // oxlint-disable-next-line no-control-regex
    const isRefused = /[\0-\x08\x0b\x0c\x0e-\x1f]/.test(line.split("#")[0]!);
    return [trimmed(key).toLowerCase(), isRefused ? "\0" : trimmed(value!)];
  },
  userAgent: /^user-agent$/,
  allow: /^allow$/,
  disallow: /^disallow$/,
  isEverybody: (value) => value === "*",
  tokenOf: (value) => (/^[A-Za-z_-]+$/.test(value) ? value : ""),
  patternOf: (value) => (/^[/*]/.test(value) ? literal(value, true) : ""),
  matches: (pattern, target) => pattern !== "" && expressionOf(pattern).test(literalTarget(target)),
  lengthOf(pattern) {
    const octets = pattern.replace(/\$$/, "").replaceAll("*", "").length;
    return octets + (/^\*+(?!\*|\/)/.test(pattern) ? 1 : 0);
  },
  isOfUrl: (target) => google.isOfUrl(target) && target !== "/robots.txt",
  allowsFolderOfIndex: false,
};

export const dialects = { google, rfc9309 } as const;

/** The keys and values of the lines of a file, one character for each byte. */
export function pairsOf(bytes: Uint8Array, dialect: SlowDialect): readonly Pair[] {
  const text = Buffer.from(bytes).toString("latin1");
  const mark = dialect.marks.find((each) => text.startsWith(each)) ?? "";
  const lines = text.slice(mark.length).split(/\r\n|\n|\r/);
  return lines.flatMap((line) => {
    const pair = dialect.pairOf(line);
    return pair === undefined ? [] : [pair];
  });
}

export function groupsOf(pairs: readonly Pair[], dialect: SlowDialect): readonly SlowGroup[] {
  const groups: { values: string[]; rules: SlowRule[] }[] = [];
  let sawRule = true;
  for (const [key, value] of pairs) {
    const isAllow = dialect.allow.test(key);
    if (dialect.userAgent.test(key)) {
      if (sawRule) groups.push({ values: [], rules: [] });
      sawRule = false;
      groups.at(-1)!.values.push(value);
    } else if (isAllow || dialect.disallow.test(key)) {
      sawRule = true;
      const pattern = dialect.patternOf(value);
      const [, folder] = (dialect.allowsFolderOfIndex && isAllow && /^(.*\/)index\.htm/.exec(pattern)) || [];
      const patterns = [pattern, ...(folder === undefined || folder.includes("/index.htm") ? [] : [`${folder}$`])];
      groups.at(-1)?.rules.push({ isAllow, text: value, patterns });
    }
  }
  return groups;
}

/** Whether a user-agent line names a crawler. A name that is no product token is compared as a whole. */
function isNamed(value: string, name: string, isWhole: boolean, dialect: SlowDialect): boolean {
  if (dialect.isEverybody(value)) return false;
  if (!isWhole) return dialect.tokenOf(value).toLowerCase() === name.toLowerCase();
  const start = value.slice(0, name.length).toLowerCase();
  return start === name.toLowerCase() && /^(?:$|[ \t\v\f/*;(])/.test(value.slice(name.length));
}

const isToken = (name: string): boolean => /^[A-Za-z_-]+$/.test(name);

/** The name, in lower case or `*`, that chooses the groups that bind a crawler, these groups, and the ground. */
function groupsFor(
  groups: readonly SlowGroup[],
  { names, boundByEverybody, bound }: SlowCrawler,
  dialect: SlowDialect,
): { readonly name: string; readonly ground: string; readonly own: readonly SlowGroup[] } {
  for (const [rank, name] of names.entries()) {
    const own = groups.filter(({ values }) =>
      values.some((value) => isNamed(value, name, !isToken(names[0]!), dialect)),
    );
    if (own.length > 0) return { name: name.toLowerCase(), ground: rank === 0 ? "own" : "fallback", own };
  }
  const all = groups.filter(({ values }) => values.some(dialect.isEverybody));
  const isBound = boundByEverybody && bound !== "by-name" && all.length > 0;
  return isBound ? { name: "*", ground: "everybody", own: all } : { name: "", ground: "none", own: [] };
}

const expressions = new Map<string, RegExp>();

/** The expression that a pattern stands for. */
function expressionOf(pattern: string): RegExp {
  let expression = expressions.get(pattern);
  if (expression === undefined) {
    const isTied = pattern.endsWith("$");
    const pieces = (isTied ? pattern.slice(0, -1) : pattern)
      .split(/\*+/)
      .map((piece) => piece.replaceAll(/[^\w/]/g, String.raw`\$&`));
    expression = new RegExp(`^${pieces.join("[^]*?")}${isTied ? "$" : ""}`);
    expressions.set(pattern, expression);
  }
  return expression;
}

/** The rule that decides a target: the longest pattern wins, of equally long ones the allow rule, then the earlier line. */
function decidingRule(rules: readonly SlowRule[], target: string, dialect: SlowDialect): SlowRule | undefined {
  let best: SlowRule | undefined;
  let most = 0;
  for (const rule of rules) {
    let length = 0;
    for (const pattern of rule.patterns) {
      if (dialect.matches(pattern, target)) length = Math.max(length, dialect.lengthOf(pattern));
    }
    if (length > most || (length === most && length > 0 && rule.isAllow && best?.isAllow === false)) {
      best = rule;
      most = length;
    }
  }
  return best;
}

/** Targets made from the patterns of a group. */
function* targetsOf(rules: readonly SlowRule[]): Generator<string> {
  yield* ["/", "/x", "/zq.y", "/?zq", "/x?y", "//x"];
  // A URL has characters that it encodes, such as a space, only as escapes.
  const encoded = (text: string): string =>
    text.replaceAll(/[^!$-;=?-[\]-~]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
  const texts = rules.map(({ text }) => escaped(text).replace(/\$$/, ""));
  const bodies = [...new Set([...texts, ...texts.map(encoded)])];
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

/** The state in which rules leave a crawler, and the rule that closes "/". */
function stateOf(rules: readonly SlowRule[], dialect: SlowDialect): readonly [state: string, rule: string] {
  let [allowed, disallowed] = [false, false];
  for (const target of targetsOf(rules)) {
    if (allowed && disallowed) break;
    if (!dialect.isOfUrl(target)) continue;
    if (decidingRule(rules, target, dialect)?.isAllow === false) disallowed = true;
    else allowed = true;
  }
  const root = decidingRule(rules, "/", dialect);
  const rule = `disallow: ${Buffer.from(root?.text ?? "", "latin1").toString("utf8")}`;
  if (!allowed) return ["closed", rule];
  if (!disallowed) return ["open", ""];
  return root?.isAllow === false ? ["mostly-closed", rule] : ["partly-closed", ""];
}

/** The states of some crawlers: by product token, the state and the ground; and the groups that close, with their rules. */
export interface SlowStates {
  readonly pairs: ReadonlyMap<string, readonly [state: string, ground: string]>;
  readonly closing: readonly (readonly string[])[];
}

export function statesOf(
  groups: readonly SlowGroup[],
  crawlers: readonly SlowCrawler[],
  dialect: SlowDialect,
): SlowStates {
  const known = new Map<string, readonly [state: string, rule: string]>();
  const stateFor = (own: readonly SlowGroup[]): readonly [state: string, rule: string] => {
    const numbers = own.map((group) => groups.indexOf(group)).join(" ");
    const state =
      known.get(numbers) ??
      stateOf(
        own.flatMap(({ rules }) => rules),
        dialect,
      );
    known.set(numbers, state);
    return state;
  };
  const closing: string[][] = [];
  const addClosing = (name: string, own: readonly SlowGroup[]): void => {
    const [state, rule] = stateFor(own);
    if (state === "closed" || state === "mostly-closed") closing.push([name, state, rule]);
  };
  const pairs = new Map<string, readonly [state: string, ground: string]>();
  for (const crawler of crawlers) {
    const { name, ground, own } = groupsFor(groups, crawler, dialect);
    pairs.set(crawler.productToken, [stateFor(own)[0], ground]);
    if (ground === "own" || ground === "fallback") addClosing(name, own);
    // A group counts under each of a crawler's names that it has, also if an earlier name chooses another group.
    for (const each of isToken(crawler.names[0]!) ? crawler.names : []) {
      const found = groups.filter(({ values }) => values.some((value) => isNamed(value, each, false, dialect)));
      if (found.length > 0) addClosing(each.toLowerCase(), found);
    }
  }
  const all = groups.filter(({ values }) => values.some(dialect.isEverybody));
  if (all.length > 0) addClosing("*", all);
  return { pairs, closing };
}
