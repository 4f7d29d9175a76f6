// Checks the names of crawlers that a caller wrote, and the crawlers that a caller adds to the registry.
import { productTokenOf, type CrawlerList, createCrawlerList, type OwnCrawler } from "@robots-stream/agents";
import { optionText } from "../common/caller-words.ts";
import { UsageError } from "../common/errors.ts";
import { shownWordOf } from "../common/text.ts";
import { nearestOf } from "@robots-stream/core/internal";

/**
 * The names in a list with commas, checked as `checkToken` does. A User-Agent header, which may contain commas, is not split, so that the
 * error message can quote the whole header.
 */
export function tokensIn(value: string, where: string): readonly string[] {
  const names = headerMark.test(value) ? [value] : value.split(",").map((name) => name.trim());
  for (const name of names) checkToken(name, where);
  return names;
}

/** Matches characters, and a first word, that a User-Agent header contains and a product token does not. */
const headerMark = /[/();]|^mozilla\b/i;

/** The wording of errors about a name. */
interface TokenMessage {
  /** Whether to quote the name. A name from a file is not quoted, because the file may contain anything. */
  readonly isShown?: boolean;
  /** Writes an example in the caller's form: a flag, or an option. */
  readonly write?: (...examples: readonly string[]) => string;
}

/**
 * Checks the name of a crawler. `where` is the beginning of the messages, such as "agents ". Throws a `UsageError` for an empty name, a
 * name of more than 500 characters, "*", a User-Agent header and a name with a comma. Accepts other names that are not product tokens (RFC
 * 9309 §2.2.1), because nearly a quarter of the names in real files are not.
 */
export function checkToken(
  token: string,
  where: string,
  { isShown = true, write = (...examples) => optionText("agents", examples.join(",")) }: TokenMessage = {},
): void {
  const shown = isShown ? `${where}${JSON.stringify(shownWordOf(token, 100))}` : `${where}${token.length} characters`;
  if (token.trim() === "" || token.length > 500) {
    const what = token.trim() === "" ? `${where}must not be empty` : `${shown}: that is too long for a name`;
    throw new UsageError("no-product-token", what, `for example: ${write("bingbot")}`);
  }
  if (token === "*") {
    throw new UsageError(
      "no-product-token",
      `${shown}: "*" means every crawler without a group of its own, and is not a crawler's name`,
      `to use the group for "*", give a name that no robots.txt has, such as ${write("any")}`,
    );
  }
  if (headerMark.test(token)) {
    const guess = isShown ? guessToken(token) : undefined;
    throw new UsageError(
      "no-product-token",
      `${shown}: this is a User-Agent header; robots.txt names crawlers by product token`,
      guess === undefined ? `for example: ${write("bingbot")}` : `probably: ${write(guess)}`,
    );
  }
  if (token.includes(",")) {
    throw new UsageError(
      "no-product-token",
      `${shown}: contains a comma, which no product token may contain`,
      isShown ? `several names: ${write("bingbot", "GPTBot")}` : "several names: one per line",
    );
  }
}

/**
 * The probable name of the crawler in a User-Agent header: a known crawler, else the name after "compatible;", else the first name;
 * undefined when that is "Mozilla" or there is none.
 */
function guessToken(header: string): string | undefined {
  const known = productTokenOf(header);
  if (known !== undefined) return known;
  const name = /compatible;\s*([\w.-]+)/.exec(header)?.[1] ?? /^[\w.-]*/.exec(header)![0];
  return name === "" || name.toLowerCase() === "mozilla" ? undefined : name;
}

/**
 * Maximum number of crawlers, of strings in a member of a crawler, and of characters in a string. The limits are needed because each
 * User-Agent header is compared with every pattern.
 */
const mostCrawlers = 1_000;
const mostTexts = 50;
const longestText = 200;

/** The members of a crawler, with the type of their values. */
const members: Readonly<Record<keyof OwnCrawler, "name" | "names" | "boolean" | "text">> = {
  productToken: "name",
  names: "names",
  headerNames: "names",
  boundByEverybody: "boolean",
  operator: "text",
  note: "text",
};

const none: readonly OwnCrawler[] = Object.freeze([]);
const lists = new WeakMap<readonly OwnCrawler[], CrawlerList>();

/** Returns the list of the registry's crawlers and the caller's own crawlers. Calls with the same array return the same list. */
export function crawlerListOf(own: readonly OwnCrawler[] = none): CrawlerList {
  const known = lists.get(own);
  if (known !== undefined) return known;
  const list = createCrawlerList(own);
  lists.set(own, list);
  return list;
}

/** Checks the option `crawlers`, and returns a copy. Throws a `UsageError` for the first mistake. */
export function checkedOwnCrawlers(given: unknown): readonly OwnCrawler[] {
  if (!Array.isArray(given)) throw new UsageError("wrong-value", "crawlers: must be a list of objects", crawlerExample);
  const count = Math.min(given.length, mostCrawlers + 1);
  const crawlers = Array.from({ length: count }, (_, index) => (given as readonly unknown[])[index]);
  return checkedCrawlers(
    crawlers.map((crawler, index) => ({ crawler, where: `crawlers[${index}]: ` })),
    "crawlers",
  );
}

/**
 * Reads crawlers from a text with one JSON object per line; empty lines and lines that begin with # are ignored. `shown`: the text's name
 * in messages. Throws a `UsageError` for the first mistake.
 */
export function crawlersInText(text: string, shown: string): readonly OwnCrawler[] {
  const found: { readonly crawler: unknown; readonly where: string }[] = [];
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const where = `${shown}, line ${index + 1}: `;
    try {
      found.push({ crawler: JSON.parse(line) as unknown, where });
    } catch {
      throw wrong(where, "is not JSON");
    }
  }
  return checkedCrawlers(found, shown);
}

/**
 * Checks crawlers, each with the place that the messages name before it, and returns copies. `shown`: what holds them all. Throws a
 * `UsageError` for the first mistake.
 */
function checkedCrawlers(
  given: readonly { readonly crawler: unknown; readonly where: string }[],
  shown: string,
): readonly OwnCrawler[] {
  if (given.length > mostCrawlers)
    throw new UsageError("wrong-value", `${shown}: has more than ${mostCrawlers} crawlers`);
  const used = new Set<string>();
  return given.map(({ crawler, where }) => {
    const checked = checkedCrawler(crawler, where);
    const token = checked.productToken.toLowerCase();
    if (used.has(token)) throw wrong(where, "has the productToken of an earlier crawler");
    used.add(token);
    return checked;
  });
}

function checkedCrawler(given: unknown, where: string): OwnCrawler {
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw wrong(where, "is not an object");
  const crawler: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const type = Object.hasOwn(members, name) ? members[name as keyof OwnCrawler] : undefined;
    if (type === undefined) {
      const near = nearestOf(name, Object.keys(members));
      const hint = near === undefined ? crawlerExample : `did you mean ${near}?`;
      throw new UsageError(
        "wrong-value",
        `${where}has an unknown member; the members are ${Object.keys(members).join(", ")}`,
        hint,
      );
    }
    crawler[name] = checkedValue(type, value, `${where}${name} `);
  }
  if (crawler["productToken"] === undefined) throw wrong(where, "has no productToken");
  return crawler as unknown as OwnCrawler;
}

function checkedValue(type: (typeof members)[keyof OwnCrawler], value: unknown, where: string): unknown {
  switch (type) {
    case "boolean":
      if (typeof value !== "boolean") throw wrong(where, "must be true or false");
      return value;
    case "name":
      if (typeof value !== "string") throw wrong(where, "must be a string");
      checkToken(value, where, { isShown: false });
      return checkedText(value, where);
    case "text":
      return checkedText(value, where);
    case "names":
      if (!Array.isArray(value) || value.length > mostTexts)
        throw wrong(where, `must be a list of at most ${mostTexts} strings`);
      return Array.from({ length: value.length }, (_, index) =>
        checkedText((value as readonly unknown[])[index], where, "a list of strings"),
      );
  }
}

function checkedText(value: unknown, where: string, what = "a string"): string {
  if (typeof value !== "string" || value.trim() === "" || value.length > longestText) {
    throw wrong(where, `must be ${what} of 1 to ${longestText} characters`);
  }
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x1f\x7f-\x9f]/.test(value)) throw wrong(where, "has a control character");
  if (/^[*\s]+$/.test(value)) throw wrong(where, "consists only of *, which matches every header");
  return value;
}

/** A hint with an example of a crawler. */
const crawlerExample =
  'for example: {"productToken":"AcmeBot","names":["Acme"],"headerNames":["AcmeBot","*acme.example/bot*"]}';

function wrong(where: string, what: string): UsageError {
  return new UsageError("wrong-value", `${where}${what}`, crawlerExample);
}
