// Builds groups from the lines of a file and adds findings about user-agent lines (RFC 9309 §2.2.1).
import { lowerKeyOf } from "../read/bytes.ts";
import type { DirectiveCursor } from "../read/directives.ts";
import { EVERYBODY, tokenLengthOf } from "../read/token.ts";
import type { UsageRecordName } from "../values/usage-lines.ts";
import type { FindingsList, Place } from "./findings-list.ts";
import { BLANK, COMMENT, type LineName, TEXT } from "./keys.ts";
import type { LintRule } from "./rule.ts";
import { directiveInside } from "./spelling.ts";

interface Agent {
  /** The product token in lower case, cut as Google's parser cuts it, possibly empty; `*` for all crawlers. */
  readonly key: string;
  /**
   * The whole name in lower case, possibly empty; `*` for all crawlers. Findings across groups compare this name: Google's parser cuts
   * "MJ12bot" and "MJ13crawler" to the same product token, and "360Spider" to nothing, but they are different crawlers.
   */
  readonly name: string;
  readonly place: Place;
}

/** The name of a user-agent line as written. */
export function nameOf(list: FindingsList, { name, place }: Agent): string {
  return list.shown(place.at, place.at + name.length);
}

/** One `key=value` that states a preference. */
export interface LintUsage {
  readonly name: UsageRecordName;
  /** The path as written; empty if there is none. */
  readonly path: string;
  readonly key: string;
  /** Whether the statement allows the use; undefined for a value that states nothing by itself, such as `use=full`. */
  readonly allows: boolean | undefined;
  readonly place: Place;
  /** The statement as written; only statements with a known key and value are kept. */
  readonly statement: string;
}

/** User-agent lines and the rules that follow them. */
export interface LintGroup {
  readonly agents: Agent[];
  readonly rules: LintRule[];
  /** The preferences that the group's Content-Usage and Content-Signal lines state. */
  readonly usages: LintUsage[];
  /** The line of the group's first crawl-delay; 0 if it has none. */
  crawlDelayLine: number;
}

/** A line between two user-agent lines of one group. The finding `joined-groups` has its number as `byLine`. */
interface Between {
  readonly name: LineName;
  readonly line: number;
}

/** Builds groups as Google's parser does: a user-agent line begins a new group only if the current group has a rule. */
export class GroupReader {
  readonly groups: LintGroup[] = [];
  readonly #list: FindingsList;
  /** For each name: the last group that names it, and the first user-agent line that names it. */
  readonly #named = new Map<string, { group: LintGroup; readonly firstLine: number }>();
  #between: Between | undefined;
  #lastAgentLine = 0;

  constructor(list: FindingsList) {
    this.#list = list;
  }

  /** The last group so far; undefined before the first user-agent line. */
  get current(): LintGroup | undefined {
    return this.groups.at(-1);
  }

  /** Takes a line that is not a user-agent line. A finding `joined-groups` about the next user-agent line may point to this line. */
  takeOther(name: LineName, line: number): void {
    if (name === COMMENT) return;
    // A line with text replaces a blank line, because the text explains the finding better.
    if (this.#between !== undefined && (name === BLANK || this.#between.name !== BLANK)) return;
    this.#between = { name, line };
  }

  /** Adds the cursor's user-agent line to its group, and adds findings about the line. */
  takeUserAgent(cursor: DirectiveCursor): void {
    const { bytes, line, lineStart, valueStart, valueEnd, dialect } = cursor;
    const place = { line, lineStart, at: valueStart };
    let group = this.current;
    if (group === undefined || group.rules.length > 0) {
      group = { agents: [], rules: [], usages: [], crawlDelayLine: 0 };
      this.groups.push(group);
    } else if (this.#between !== undefined) {
      const { name, line: byLine } = this.#between;
      const afterLine = this.#lastAgentLine;
      const by = name === BLANK ? "blank" : name === TEXT ? "text" : "directive";
      const key = by === "directive" ? name : "";
      this.#list.add("joined-groups", { line, lineStart, at: cursor.keyStart }, () => ({ afterLine, by, byLine, key }));
    }
    this.#between = undefined;
    this.#lastAgentLine = line;
    const length = tokenLengthOf(bytes, valueStart, valueEnd, dialect);
    const key = length === EVERYBODY ? "*" : lowerKeyOf(bytes, valueStart, valueStart + length);
    const isWhole = length === EVERYBODY || valueStart + length === valueEnd;
    // Only a version at the end is no part of the name: "Sogou web spider" and "Sogou inst spider" are different crawlers.
    const name = isWhole ? key : lowerKeyOf(bytes, valueStart, valueEnd).replace(/\/v?[\d*][\w.*-]*$/, "");
    const agent = { key, name, place };
    group.agents.push(agent);
    this.#checkValue(cursor, agent);
    if (name !== "") this.#checkRepeated(group, agent);
  }

  #checkValue({ bytes, valueStart, valueEnd }: DirectiveCursor, agent: Agent): void {
    const list = this.#list;
    const { key, place } = agent;
    if (valueStart === valueEnd) return list.add("empty-user-agent", place, () => ({}));
    const tokenEnd = valueStart + key.length;
    if (tokenEnd === valueEnd) return;
    const inside = directiveInside(bytes, valueStart, valueEnd);
    if (inside !== undefined) {
      return list.add("several-directives", { ...place, at: inside.at }, () => ({ name: inside.name }));
    }
    const value = (): string => list.shown(valueStart, valueEnd);
    if (key === "*") return list.add("star-and-text", place, () => ({ value: value() }));
    if (key === "") return list.add("no-token", place, () => ({ value: value() }));
    let next = tokenEnd;
    while (bytes[next] === 0x20 || bytes[next] === 0x09) next++;
    const cutPlace = { ...place, at: tokenEnd };
    const args = (): { value: string; token: string } => ({ value: value(), token: list.shown(valueStart, tokenEnd) });
    if (bytes[next] === 0x2c || bytes[next] === 0x3b || areNames(value())) list.add("several-names", cutPlace, args);
    else if (bytes[tokenEnd] !== 0x2f || (key !== "mozilla" && !isVersion(bytes, tokenEnd + 1)))
      list.add("token-cut", cutPlace, args);
    else if (key === "mozilla") list.add("user-agent-header", place, args);
    else list.add("user-agent-version", cutPlace, args);
  }

  #checkRepeated(group: LintGroup, agent: Agent): void {
    const named = this.#named.get(agent.name);
    if (named === undefined) {
      this.#named.set(agent.name, { group, firstLine: agent.place.line });
      return;
    }
    const { firstLine } = named;
    const code = named.group === group ? "repeated-user-agent" : "duplicate-group";
    this.#list.add(code, agent.place, () => ({ token: nameOf(this.#list, agent), firstLine }));
    named.group = group;
  }

  /** Adds a finding if the last group has no rules and names a crawler for which no other group has rules. */
  checkEnd(): void {
    const last = this.current;
    if (last === undefined || last.rules.length > 0) return;
    const ruled = new Set<string>();
    for (const { rules, agents } of this.groups) {
      // Google's parser applies the rules to each crawler whose name it cuts to the same letters.
      if (rules.length > 0) for (const { name, key } of agents) ruled.add(name).add(key);
    }
    const alone = last.agents.find(
      ({ name, key }) => name !== "" && !ruled.has(name) && (key === "" || !ruled.has(key)),
    );
    if (alone === undefined) return;
    const code = ruled.has("*") ? "unbound-by-star" : "group-without-rules";
    this.#list.add(code, alone.place, () => ({ token: nameOf(this.#list, alone) }));
  }
}

/** Whether a value is several names of crawlers: words of which at least two end as such names do. */
function areNames(value: string): boolean {
  const words = value.split(/\s+/);
  return (
    words.every((word) => /^[a-z_-]+$/i.test(word)) &&
    words.filter((word) => /(?:bot|crawler|spider)$/i.test(word)).length > 1
  );
}

/** Whether a version begins at `at`: a digit, `v` and a digit, or a star for any version. */
function isVersion(bytes: Uint8Array, at: number): boolean {
  const first = (bytes[at]! | 0x20) === 0x76 ? bytes[at + 1]! : bytes[at]!;
  return (first >= 0x30 && first <= 0x39) || first === 0x2a;
}
