// Adds findings about Content-Usage and Content-Signal lines: values that are not statements, and groups that contradict one another.
import { lowerAscii, textOf, utf8Of } from "../read/bytes.ts";
import { type Dictionary, parseDictionary } from "../values/dictionary.ts";
import type { DirectiveCursor } from "../read/directives.ts";
import {
  type UsageRecordName,
  controlTokenKeys,
  signalMembersOf,
  statementPlaceOf,
  usageKeys,
  useValues,
} from "../values/usage-lines.ts";
import type { FindingsList, Place } from "./findings-list.ts";
import { type LintGroup, type LintUsage, nameOf } from "./groups.ts";

/** The values that state a preference, in the notation of each record. */
const statedValues: Readonly<Record<UsageRecordName, readonly [allow: string, disallow: string]>> = {
  "content-usage": ["y", "n"],
  "content-signal": ["yes", "no"],
};

/** For each record: keys that only the other record has, each with the key of the same meaning in this record. */
const otherNames: Readonly<Record<UsageRecordName, Readonly<Record<string, string>>>> = {
  "content-usage": { "ai-train": "train-ai", "ai-input": "ai-use" },
  "content-signal": { "train-ai": "ai-train", "ai-use": "ai-input" },
};

/**
 * Keys of Content-Usage that earlier drafts had. `since`: the first draft of the vocabulary without the key; `meant`: the nearest key of
 * today, empty for a category that contained all others.
 */
const retiredKeys: Readonly<Record<string, { readonly since: string; readonly meant: string }>> = {
  tdm: { since: "02", meant: "" },
  ai: { since: "02", meant: "train-ai" },
  genai: { since: "02", meant: "train-ai" },
  inference: { since: "02", meant: "ai-use" },
  all: { since: "03", meant: "" },
  "train-genai": { since: "04", meant: "train-ai" },
  bots: { since: "05", meant: "" },
  "ai-output": { since: "05", meant: "ai-use" },
};

/** The statement of a key such as `search:yes`, with a colon in place of `=`; else "". */
function meantStatementOf(name: UsageRecordName, key: string): string {
  const [known = "", value] = key.split(/:\s*/, 2);
  return value !== undefined && usageKeys[name].includes(known) ? `${known}=${value}` : "";
}

/** One member of a statement. */
interface Member {
  readonly key: string;
  /** Undefined if there is no value, or if a value of Content-Usage is not a token. */
  readonly value: string | undefined;
  /** The offsets of the member's start and end. */
  readonly at: number;
  readonly end: number;
}

/** Checks a Content-Usage or Content-Signal line that has a value, and adds its valid statements to `group`. */
export function checkUsage(
  list: FindingsList,
  cursor: DirectiveCursor,
  name: UsageRecordName,
  group: LintGroup | undefined,
): void {
  const { bytes, line, lineStart, valueStart, valueEnd } = cursor;
  const placeAt = (at: number): Place => ({ line, lineStart, at });
  const { pathEnd, statementStart } = statementPlaceOf(bytes, valueStart, valueEnd);
  if (pathEnd === valueStart && checkPath(list, cursor, name)) return;
  const members =
    name === "content-usage"
      ? usageMembersOf(list, cursor, statementStart)
      : signalMembersOf(bytes, statementStart, valueEnd);
  const path = textOf(bytes, valueStart, pathEnd);
  for (const { key, value, at, end } of members) {
    if (!usageKeys[name].includes(key)) {
      const known = Object.hasOwn(otherNames[name], key) ? otherNames[name][key]! : meantStatementOf(name, key);
      const isRetired = name === "content-usage" && Object.hasOwn(retiredKeys, key);
      const { since, meant } = isRetired ? retiredKeys[key]! : { since: "", meant: known };
      list.add("usage-unknown-key", placeAt(at), () => ({ name, key: list.shown(at, at + key.length), since, meant }));
      continue;
    }
    const [allow, disallow] = statedValues[name];
    const isUse = key === "use";
    if (value === undefined || !(isUse ? useValues : statedValues[name]).includes(value)) {
      const values = (isUse ? useValues : [allow, disallow]).join(", ");
      list.add("usage-unknown-value", placeAt(at), () => ({ name, statement: list.shown(at, end), key, values }));
      continue;
    }
    group?.usages.push({
      name,
      path,
      key,
      allows: isUse ? undefined : value === allow,
      place: placeAt(at),
      statement: `${key}=${value}`,
    });
  }
}

/** Whether a value begins with a path that lacks the `/` at its beginning. If so, adds the finding. */
function checkPath(list: FindingsList, cursor: DirectiveCursor, name: UsageRecordName): boolean {
  const { bytes, line, lineStart, valueStart, valueEnd } = cursor;
  let wordEnd = valueStart;
  while (wordEnd < valueEnd && bytes[wordEnd] !== 0x20 && bytes[wordEnd] !== 0x09) wordEnd++;
  let rest = wordEnd;
  while (rest < valueEnd && (bytes[rest] === 0x20 || bytes[rest] === 0x09)) rest++;
  if (rest === valueEnd || bytes.subarray(valueStart, wordEnd).includes(0x3d)) return false;
  // A word that contains one of `*/.?` counts as a path only if a statement follows the word.
  const word = list.shown(valueStart, wordEnd);
  if (!/[*/.?]/.test(word) || bytes[wordEnd - 1] === 0x2c || !bytes.subarray(rest, valueEnd).includes(0x3d))
    return false;
  const meant = word.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "");
  list.add("usage-path-without-slash", { line, lineStart, at: valueStart }, () => ({
    name,
    path: word,
    meant: meant.startsWith("/") ? meant : `/${meant}`,
  }));
  return true;
}

/** The members of a Content-Usage statement. If the statement is not a Dictionary, adds a finding and returns no members. */
function usageMembersOf(list: FindingsList, cursor: DirectiveCursor, start: number): readonly Member[] {
  const { bytes, line, lineStart, valueEnd } = cursor;
  const dictionary = parseDictionary(bytes, start, valueEnd);
  const { members, at } = dictionary;
  if (members === undefined) {
    const key = upperCaseKeyOf(bytes, start, valueEnd, dictionary);
    if (key === undefined) {
      list.add("usage-not-a-dictionary", { line, lineStart, at }, () => ({ rest: list.shown(at, valueEnd) }));
    } else {
      const shown = list.shown(key.start, key.end);
      list.add("usage-upper-case", { line, lineStart, at: key.start }, () => ({
        key: shown,
        meant: lowerAscii(shown),
      }));
    }
    return [];
  }
  return Array.from(members.values(), ({ key, type, text, at: keyAt }) => ({
    key,
    value: type === "token" ? text : undefined,
    at: keyAt,
    end: keyAt + key.length + (text === "" ? 0 : "=".length + text.length),
  }));
}

/**
 * The offsets of the key whose upper-case letter makes parsing fail. Undefined if another byte makes parsing fail, or if the statement is
 * not a Dictionary even in lower case.
 */
function upperCaseKeyOf(
  bytes: Uint8Array,
  start: number,
  end: number,
  { at }: Dictionary,
): { readonly start: number; readonly end: number } | undefined {
  if (!isUpper(bytes[at]) || at >= end) return undefined;
  const lower = utf8Of(lowerAscii(textOf(bytes, start, end)));
  if (parseDictionary(lower).members === undefined) return undefined;
  let keyStart = at;
  while (keyStart > start && isKeyByte(bytes[keyStart - 1]!)) keyStart--;
  let keyEnd = at;
  while (keyEnd < end && isKeyByte(bytes[keyEnd]!)) keyEnd++;
  return { start: keyStart, end: keyEnd };
}

function isUpper(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x41 && byte <= 0x5a;
}

function isKeyByte(byte: number): boolean {
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x5f;
}

/**
 * Adds findings about preferences in the groups for `*`, which do not bind a crawler that has its own group. A finding is added if the
 * crawler's own group states the opposite, or states no preference. Linear in the lines.
 */
export function checkUsageGroups(list: FindingsList, groups: readonly LintGroup[]): void {
  const everybodys = groups.filter(isEverybodys).flatMap(({ usages }) => usages);
  const [first] = everybodys;
  if (first === undefined) return;
  const others = groups.filter((group) => !isEverybodys(group));
  checkContradictions(list, everybodys, others);
  const missed = crawlersWithoutUsages(others);
  const [crawler] = missed;
  if (crawler === undefined) return;
  list.add("usage-unbound-by-star", { ...first.place }, () => ({
    name: first.name,
    token: nameOf(list, crawler),
    groupLine: crawler.place.line,
    others: missed.length - 1,
  }));
}

type Agent = LintGroup["agents"][number];

function isEverybodys({ agents }: LintGroup): boolean {
  return agents.some(({ name }) => name === "*");
}

/**
 * The user-agent lines of crawlers whose groups state no preference, one line for each crawler. Groups that disallow everything are left
 * out, and so are control tokens, whose groups are themselves preferences.
 */
function crawlersWithoutUsages(groups: readonly LintGroup[]): readonly Agent[] {
  const stated = new Set(
    groups.filter(({ usages }) => usages.length > 0).flatMap(({ agents }) => agents.map(({ name }) => name)),
  );
  const missed = new Map<string, Agent>();
  for (const { agents, rules } of groups) {
    const isClosed =
      rules.some(({ isAllow, canonical }) => !isAllow && canonical === "/") && !rules.some(({ isAllow }) => isAllow);
    for (const agent of isClosed ? [] : agents) {
      const isCrawler = agent.name !== "" && !controlTokenKeys.includes(agent.name);
      if (isCrawler && !stated.has(agent.name) && !missed.has(agent.name)) missed.set(agent.name, agent);
    }
  }
  return [...missed.values()];
}

/** Adds a finding for each statement of a crawler's group if the group for `*` states the opposite for the same path. */
function checkContradictions(list: FindingsList, everybodys: readonly LintUsage[], others: readonly LintGroup[]): void {
  const keyOf = ({ name, key, path, allows }: LintUsage, isOpposite: boolean): string =>
    `${name} ${key} ${String(isOpposite ? !allows : allows)} ${path}`;
  const stated = new Map(
    everybodys.filter(({ allows }) => allows !== undefined).map((usage) => [keyOf(usage, false), usage]),
  );
  for (const { agents, usages } of others) {
    const agent = agents.find(({ name }) => name !== "");
    if (agent === undefined) continue;
    for (const usage of usages) {
      const opposite = usage.allows === undefined ? undefined : stated.get(keyOf(usage, true));
      if (opposite === undefined) continue;
      list.add("usage-contradicted", usage.place, () => ({
        token: nameOf(list, agent),
        statement: usage.statement,
        other: opposite.statement,
        otherLine: opposite.place.line,
      }));
    }
  }
}
