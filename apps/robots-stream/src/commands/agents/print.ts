// Renders crawlers as a table, as lines of JSON, as a card with all facts about one crawler, or as the group of a robots.txt that refuses them.
import { type Crawler, dataVersion } from "@robots-stream/agents";
import { shownWordOf } from "@robots-stream/engine/internal";
import { wrapWords } from "../../cli/help-text.ts";
import { versionOf } from "../../version.ts";

const columns: readonly (readonly [heading: string, cell: (crawler: Crawler) => string])[] = [
  ["token", ({ productToken }) => productToken],
  ["operator", ({ operator }) => operator],
  ["for", ({ purposes, kind }) => (kind === "crawler" ? "" : `${kind}: `) + purposes.join(", ")],
  ["obeys", ({ bound }) => bound],
  ["other groups", ({ names, boundByEverybody }) => [...names.slice(1), ...(boundByEverybody ? ["*"] : [])].join(", ")],
];

/** Minimum width in characters to which a column is narrowed. */
const leastWidth = 6;

/**
 * Returns a table with one row for each crawler. If the table is wider than `mostColumns` characters, the widest columns are narrowed to at
 * least `leastWidth`. `all`: the number of known crawlers, for the last line.
 */
export function tableOf(crawlers: readonly Crawler[], all: number, mostColumns: number = Infinity): string {
  const rows = [columns.map(([heading]) => heading), ...crawlers.map((each) => columns.map(([, cell]) => cell(each)))];
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  const room = mostColumns - 2 * (columns.length - 1);
  while (widths.reduce((sum, width) => sum + width, 0) > room && Math.max(...widths) > leastWidth) {
    widths[widths.indexOf(Math.max(...widths))]!--;
  }
  const lines = rows.map((row) =>
    row
      .map((cell, at) => (cell.length > widths[at]! ? `${cell.slice(0, widths[at]! - 1)}…` : cell).padEnd(widths[at]!))
      .join("  ")
      .trimEnd(),
  );
  const count = crawlers.length === all ? `${all} crawlers` : `${crawlers.length} of ${all} crawlers`;
  return `${lines.join("\n")}\n\n${count}, as of ${dataVersion}\n`;
}

const bounds = {
  yes: "obeyed",
  "own-group": "obeyed in a group that names the crawler; the group for * is not obeyed",
  "by-name":
    "obeyed in a group that names the crawler; if none does, another rule than the group for * applies (see note)",
  no: "not obeyed, or not always",
  undocumented: "no documentation says whether it is obeyed",
} as const;

const delays = {
  yes: "obeyed",
  everybody: "obeyed; if its own group has none, it obeys the Crawl-delay of the group for *",
  no: "not obeyed",
  unknown: "not known",
} as const;

const kinds = {
  crawler: "crawler",
  "user-triggered": "user-triggered: fetches single pages because a user asks for them",
  program: "program that anyone may run",
  "control-token": "control token: a name for robots.txt only; crawlers with other names send the requests",
} as const;

const evidences = {
  documented: "the operator's documentation, or a source that quotes it",
  listed: "public lists",
  recalled: "no source: written from memory",
  own: "the file of --crawlers",
} as const;

const labelWidth = 14;

/** Returns a card: all facts about one crawler, each on its own line, wrapped at 100 characters after the indentation of two. */
export function cardOf(crawler: Crawler): string {
  const { productToken, operator, kind, purposes, names, boundByEverybody, bound, crawlDelay } = crawler;
  const told = (name: string | undefined): string | undefined => name && `${name}, as its operator documents`;
  const isOwn = crawler.evidence === "own";
  const order = [...names, ...(boundByEverybody ? ["*"] : [])].join(", then ");
  const given = `${isOwn ? "--crawlers FILE " : ""}--agent ${/\s/.test(productToken) ? `"${productToken}"` : productToken}`;
  const { ifRefused } = crawler;
  /** Facts without a text are left out. */
  const facts: readonly (readonly [label: string, text: string | undefined])[] = [
    ["operator", operator],
    ["kind", kinds[kind]],
    ["for", purposes.join(", ")],
    ["robots.txt", bounds[bound]],
    ["evidence", crawler.boundSource],
    ["group", boundByEverybody ? order : `${order}; the group for * does not apply`],
    ["Crawl-delay", delays[crawlDelay]],
    ["dialect", told(crawler.dialect)],
    ["policy", told(crawler.accessPolicy)],
    ["in headers", crawler.headerNames.length === 0 ? "–" : crawler.headerNames.join(", ")],
    ["header", crawler.exampleHeader],
    ["if refused", ifRefused && `${ifRefused.text} (${ifRefused.source})`],
    ["note", crawler.note],
    ["known from", evidences[crawler.evidence]],
    ...crawler.sources.map((source, index) => [index === 0 ? "sources" : "", source] as const),
    ["as of", isOwn ? undefined : dataVersion],
    ["example", `robots-stream ${given} urls.ndjson`],
  ];
  const lines = facts.flatMap(([label, text = ""]) =>
    (text === "" ? [] : wrapWords(text, 100 - labelWidth)).map((part, index) =>
      `  ${(index === 0 ? label : "").padEnd(labelWidth)}${part}`.trimEnd(),
    ),
  );
  return `${productToken}\n\n${lines.join("\n")}\n`;
}

/** Returns one line of JSON for each crawler. */
export function jsonOf(crawlers: readonly Crawler[]): string {
  return crawlers
    .map(({ productToken, ...facts }) => `${JSON.stringify({ agent: productToken, ...facts, dataVersion })}\n`)
    .join("");
}

/**
 * Returns the lines that refuse `chosen`: comments, a user-agent line for each crawler, and `Disallow: /`. `names` are the words by which
 * the crawlers were chosen, `all` the known crawlers.
 */
export function closingGroupOf(names: readonly string[], chosen: readonly Crawler[], all: readonly Crawler[]): string {
  const crawlers = [...new Set(chosen)];
  const tokens = crawlers.map(({ productToken }) => productToken);
  const listed = new Set(tokens.map((token) => token.toLowerCase()));
  const follows = ({ names: own }: Crawler): boolean => own.some((name) => listed.has(name.toLowerCase()));
  const namesOf = (some: readonly Crawler[]): readonly string[] => some.map(({ productToken }) => productToken);
  const several = crawlers.filter(({ purposes }) => purposes.length > 1);
  const others = all.filter((crawler) => !crawlers.includes(crawler) && follows(crawler));
  const comments: readonly (readonly [about: string, names: readonly string[]])[] = [
    ["Several purposes", several.map(({ productToken, purposes }) => `${productToken} (${purposes.join(", ")})`)],
    ["Also refused, unless the file has a group for them", namesOf(others)],
    ["Not bound by robots.txt, or not always", namesOf(crawlers.filter(({ bound }) => bound === "no"))],
    ["No source says whether these obey", namesOf(crawlers.filter(({ bound }) => bound === "undocumented"))],
  ];
  const what = names.map((name) => shownWordOf(name, 60)).join(", ");
  const lines = [
    `# Refuses ${what}: list of ${dataVersion}, robots-stream ${versionOf()}`,
    ...comments.flatMap(([about, some]) => (some.length === 0 ? [] : commentLines(about, some))),
    ...tokens.map((token) => `User-agent: ${token}`),
    "Disallow: /",
  ];
  return `${lines.join("\n")}\n`;
}

const mostCharacters = 100;

/** Comments that name crawlers: "# No source says whether these obey: Bytespider, PanguBot". */
function commentLines(about: string, names: readonly string[]): readonly string[] {
  const lines = [`# ${about}:`];
  for (const [at, name] of names.entries()) {
    const word = ` ${name}${at < names.length - 1 ? "," : ""}`;
    const last = lines.at(-1)!;
    if (last.length + word.length > mostCharacters) lines.push(`#  ${word}`);
    else lines[lines.length - 1] = last + word;
  }
  return lines;
}
