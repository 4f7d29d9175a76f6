// A slow evaluator of preferences, written literally from the drafts, with which tests compare the real evaluator.
import type { Category, PreferenceValue } from "../src/index.ts";

export type SlowValues = Record<Category, PreferenceValue>;

interface Line {
  readonly key: string;
  readonly value: string;
}

// The grammar of RFC 9651 §3.2 as one regular expression, without byte sequences and display strings, which test inputs do not have.
const key = "[a-z*][a-z0-9_.*-]*";
const bare = String.raw`(?:-?(?:\d{1,12}\.\d{1,3}|\d{1,15}(?![\d.]))|"(?:[ !#-[\]-~]|\\["\\])*"|[A-Za-z*][A-Za-z0-9!#$%&'*+.^_${"`"}|~:/-]*|\?[01]|@-?\d{1,15}(?![\d.]))`;
const parameters = `(?:; *${key}(?:=${bare})?)*`;
const list = String.raw`\( *(?:${bare}${parameters}(?: +${bare}${parameters})* *)?\)`;
const member = `(?<key>${key})(?:=(?<value>${list}|${bare}))?${parameters}`;
const unnamed = member.replaceAll(/\?<\w+>/g, "?:");
const dictionary = new RegExp(`^ *(?:${unnamed}(?:[ \t]*,[ \t]*${unnamed})*[ \t]*)?$`);

/** The values of one Content-Usage statement; undefined when it is not a dictionary. */
export function slowStatement(text: string): Partial<SlowValues> | undefined {
  if (!dictionary.test(text)) return undefined;
  const values: Partial<SlowValues> = {};
  for (const { groups } of text.matchAll(new RegExp(`(?<=^ *|,[ \t]*)${member}(?=[ \t]*(?:,|$))`, "g"))) {
    const category = ({ "train-ai": "train-ai", search: "search", "ai-use": "ai-input" } as const)[groups!["key"]!];
    if (category === undefined) continue;
    const value = groups!["value"];
    values[category] = value === "y" ? "allow" : value === "n" ? "disallow" : "unknown";
  }
  return values;
}

/**
 * The values of Content-Usage and Content-Signal in a file of ASCII lines, for one product token and one path; `isOpen`: whether the path
 * may be crawled.
 */
export function slowValues(text: string, productToken: string, path: string, isOpen: boolean): SlowValues {
  const lines = text.split(/\r\n|\r|\n/).flatMap((line): Line[] => {
    const [, name, value] = /^[ \t]*([^:#]*?)[ \t]*:[ \t]*([^#]*?)[ \t]*(?:#.*)?$/s.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [{ key: name.toLowerCase(), value }];
  });
  const said: Partial<SlowValues>[] = [];
  if (isOpen) {
    const usages = linesFor(lines, productToken, "content-usage", true);
    for (const statement of longestOf(usages, path)) said.push(slowStatement(statement) ?? {});
  }
  const signals = linesFor(lines, productToken, "content-signal", false);
  for (const statement of longestOf(signals, path)) said.push(...signalValues(statement));
  const combined = (category: Category): PreferenceValue => {
    const values = new Set(said.map((each) => each[category]));
    if (values.has("disallow")) return "disallow";
    return values.has("allow") ? "allow" : "unknown";
  };
  return { "train-ai": combined("train-ai"), search: combined("search"), "ai-input": combined("ai-input") };
}

/**
 * The values of the lines with the key `record` that bind a crawler. `endsRun`: such a line ends a run of user-agent lines, as a rule does.
 */
function linesFor(lines: readonly Line[], productToken: string, record: string, endsRun: boolean): string[] {
  const groups: { names: string[]; values: string[] }[] = [];
  const before: string[] = [];
  let isEnded = true;
  for (const { key: name, value } of lines) {
    if (name === "user-agent") {
      if (isEnded) groups.push({ names: [], values: [] });
      groups.at(-1)!.names.push(value.toLowerCase());
      isEnded = false;
    } else {
      if (name === "allow" || name === "disallow" || (endsRun && name === record)) isEnded = true;
      if (name === record) (groups.at(-1)?.values ?? before).push(value);
    }
  }
  const own = groups.filter(({ names }) => names.includes(productToken.toLowerCase()));
  const binding = own.length > 0 ? own : groups.filter(({ names }) => names.includes("*"));
  return [...(record === "content-signal" ? before : []), ...binding.flatMap(({ values }) => values)];
}

/** The statements of the values with the longest pattern (in octets) that matches the path. */
function longestOf(values: readonly string[], path: string): string[] {
  const matching = values.flatMap((value) => {
    const [, pattern = "", statement = value] = /^(\/[^ \t]*)[ \t]*(.*)$/s.exec(value) ?? [];
    const source = pattern
      .split("")
      .map((character, at) =>
        character === "*"
          ? ".*"
          : character === "$" && at === pattern.length - 1
            ? "$"
            : character.replace(/[\\^$.|?+()[\]{}]/, String.raw`\$&`),
      );
    return new RegExp(`^${source.join("")}`, "s").test(path) ? [{ octets: pattern.length, statement }] : [];
  });
  const most = Math.max(...matching.map(({ octets }) => octets));
  return matching.filter(({ octets }) => octets === most).map(({ statement }) => statement);
}

function signalValues(statement: string): Partial<SlowValues>[] {
  return statement.split(",").map((part) => {
    const [, name, value] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/s.exec(part.toLowerCase()) ?? [];
    const category = ({ "ai-train": "train-ai", search: "search", "ai-input": "ai-input" } as const)[name ?? ""];
    return category === undefined
      ? {}
      : { [category]: value === "yes" ? "allow" : value === "no" ? "disallow" : "unknown" };
  });
}
