// Finds the groups of many crawlers in one pass over a parsed file, and makes the matcher of each crawler (RFC 9309 §2.2.1).
//
// A file of 500 KB can name ten thousand crawlers, and createMatcher reads the whole file for each of them. CrawlerGroups
// reads each user-agent line once, and crawlers bound by the same groups share the rules and their table. But if a long file
// puts each crawler into a long common group and into a group of its own, no two crawlers are bound by the same groups, and
// the long group would be copied for each of them. Such crawlers therefore share a table of each single group.
import type { Binding } from "../choose/binding.ts";
import { lowerAscii, lowerKeyOf, utf8Of } from "../read/bytes.ts";
import { entriesOf } from "../match/entries.ts";
import { ALLOW, DISALLOW, USER_AGENT } from "../read/keys.ts";
import { endColumn, kindOfRow, REFUSED_MARK, rowSize, startColumn } from "../read/parsed-file.ts";
import { type MatcherOptions, RulesMatcher, tokenMatchOf } from "./match.ts";
import { type ParsedRobots, checkParsed } from "../read/parse.ts";
import { type BoundRules, rulesFor } from "../choose/rules.ts";
import { RuleTable } from "../match/rule-table.ts";
import { endOfName, endsName, EVERYBODY, tokenLengthOf } from "../read/token.ts";
import type { Ground, Matcher, RobotsTxt, TokenMatch } from "../read/types.ts";

/** Group numbers, ascending, without duplicates. */
type Groups = readonly number[];

const noGroups: Groups = [];

/** Rules of several groups are copied into one buffer until the copies exceed this many bytes in total. */
const defaultMostCopied = 256 * 1024;

/** The rules that crawlers bound by the same groups share. */
type SharedRules = Omit<BoundRules, "binding">;

/**
 * The groups of one file, indexed by the product tokens that the groups name. Construction is linear in the file; a look-up is
 * linear in the product token and in the number of groups that name it; with tokenMatch "whole" and a name that contains white space or
 * `/*;(`, it is linear in the values that do so, too. Keeps a reference to the file.
 */
export class CrawlerGroups {
  readonly #robots: ParsedRobots;
  readonly #tokenMatch: TokenMatch;
  readonly #rows: Int32Array;
  /** The rows of all rules, group by group. */
  readonly #ruleRows: number[] = [];
  /** The start of each group's rows in `#ruleRows`. */
  readonly #ruleStarts: number[] = [];
  /**
   * For each name in user-agent lines, in the form of `lowerKeyOf`: the groups with a user-agent line of this name. With tokenMatch "whole" a
   * name stops before the first byte that ends a name.
   */
  readonly #byKey = new Map<string, number[]>();
  readonly #everybody: number[] = [];
  /** Only with tokenMatch "whole": the values with text after the name, for the look-up of names that contain white space or `/*;(`. */
  readonly #longValues: { readonly key: string; readonly group: number }[] = [];
  readonly #shared = new Map<string, SharedRules>();
  /** The number of bytes in all copies that combine the rules of several groups. */
  #copiedBytes = 0;
  readonly #mostCopied: number;
  /** The tables of single groups. */
  readonly #tables = new Map<number, RuleTable>();
  readonly #matchers = new Map<string | undefined, Matcher>();

  /**
   * Throws a `CoreError` when the RobotsTxt was not made by `parseRobotsTxt` (`ERR_FOREIGN_ROBOTS`) and for an unknown
   * token match (`ERR_UNKNOWN_TOKEN_MATCH`).
   */
  constructor(robots: RobotsTxt, options?: MatcherOptions, mostCopied: number = defaultMostCopied) {
    this.#mostCopied = mostCopied;
    checkParsed(robots);
    this.#tokenMatch = tokenMatchOf(options);
    this.#robots = robots;
    this.#rows = robots.rows;
    this.#readGroups();
  }

  /** The names in user-agent lines, in lower case, without values that are compared as a whole and have text after the name. */
  get names(): Iterable<string> {
    return this.#byKey.keys();
  }

  /**
   * The name that chooses a crawler's group: the first of `productTokens` that a user-agent line names; else `"*"` if a line has it; else
   * undefined. The same result as the function `groupNameOf`.
   */
  groupNameOf(productTokens: readonly string[]): string | undefined {
    const named = productTokens.find((productToken) => this.#groupsNaming(productToken).length > 0);
    return named ?? (this.#everybody.length > 0 ? "*" : undefined);
  }

  /**
   * A matcher equal to the result of `createMatcher` for one product token, or for none (undefined). Crawlers bound by the
   * same groups share the rules and their table; making the first matcher of a set of groups is linear in their rules.
   */
  matcherOf(productToken: string | undefined): Matcher {
    const known = this.#matchers.get(productToken);
    if (known !== undefined) return known;
    const productTokens = productToken === undefined ? [] : [productToken];
    const named = productToken === undefined ? noGroups : this.#groupsNaming(productToken);
    const groups = named.length > 0 ? named : this.#everybody;
    const robots = this.#robots;
    const tokenMatch = this.#tokenMatch;
    const rules = this.#rulesOf(groups, named.length > 0 ? "named" : groups.length > 0 ? "everybody" : "none");
    // Only a trace needs the user-agent lines. Computing them for every name of a group would cost names × lines.
    const binding = (): Binding => rulesFor(robots, productTokens, tokenMatch).binding;
    const matcher = new RulesMatcher({ ...rules, binding }, productTokens, tokenMatch, robots.dialect);
    this.#matchers.set(productToken, matcher);
    return matcher;
  }

  /** The rules of a set of groups: the same tables for the same set. */
  #rulesOf(groups: Groups, ground: Ground): SharedRules {
    const key = `${ground} ${groups.join(" ")}`;
    let shared = this.#shared.get(key);
    if (shared === undefined) this.#shared.set(key, (shared = this.#makeRules(groups, ground)));
    return shared;
  }

  #makeRules(groups: Groups, ground: Ground): SharedRules {
    if (groups.length < 2 || this.#copiedBytes <= this.#mostCopied) {
      const table = this.#tableOf(groups);
      if (groups.length > 1) this.#copiedBytes += table.entries.length;
      return { tables: [table], ownBytes: table.entries.length, ground };
    }
    let ownBytes = 0;
    const tables = groups.map((group) => {
      let table = this.#tables.get(group);
      if (table === undefined) {
        this.#tables.set(group, (table = this.#tableOf([group])));
        ownBytes += table.entries.length;
      }
      return table;
    });
    return { tables, ownBytes, ground };
  }

  #tableOf(groups: Groups): RuleTable {
    const chosen: number[] = [];
    for (const group of groups) {
      const end = this.#ruleStarts[group + 1] ?? this.#ruleRows.length;
      for (let at = this.#ruleStarts[group]!; at < end; at++) chosen.push(this.#ruleRows[at]!);
    }
    const { bytes, dialect } = this.#robots;
    const entries = entriesOf(this.#rows, dialect, bytes, chosen);
    return new RuleTable(entries, chosen.length, dialect.countsLiteralOctets);
  }

  /** Fills the tables with the names and the rules of each group. Only a rule ends a run of user-agent lines. */
  #readGroups(): void {
    const rows = this.#rows;
    let group = -1;
    let sawRule = true;
    for (let at = 0; at < rows.length; at += rowSize) {
      const kind = kindOfRow(rows[at]!);
      if (kind === USER_AGENT) {
        if (sawRule) this.#ruleStarts[++group] = this.#ruleRows.length;
        sawRule = false;
        this.#readUserAgent(rows[at + startColumn]!, rows[at + endColumn]!, group);
      } else if (kind === ALLOW || kind === DISALLOW) {
        sawRule = true;
        if (group >= 0 && (rows[at]! & REFUSED_MARK) === 0) this.#ruleRows.push(at);
      }
    }
  }

  #readUserAgent(start: number, end: number, group: number): void {
    const { bytes, dialect } = this.#robots;
    const length = tokenLengthOf(bytes, start, end, dialect);
    if (length === EVERYBODY) addGroup(this.#everybody, group);
    else if (this.#tokenMatch !== "whole") {
      if (length >= 0) this.#addKey(lowerKeyOf(bytes, start, start + length), group);
    } else {
      const nameEnd = endOfName(bytes, start, end);
      if (nameEnd > start) this.#addKey(lowerKeyOf(bytes, start, nameEnd), group);
      if (nameEnd < end) this.#longValues.push({ key: lowerKeyOf(bytes, start, end), group });
    }
  }

  #addKey(key: string, group: number): void {
    const groups = this.#byKey.get(key);
    if (groups === undefined) this.#byKey.set(key, [group]);
    else addGroup(groups, group);
  }

  #groupsNaming(productToken: string): Groups {
    const key = keyOf(productToken);
    if (this.#tokenMatch !== "whole" || !holdsEndOfName(key)) return this.#byKey.get(key) ?? noGroups;
    // The value is the name, or the name and a byte that ends names follow.
    const naming = this.#longValues.filter(
      (value) => value.key.startsWith(key) && (value.key === key || endsName(value.key.charCodeAt(key.length))),
    );
    return [...new Set(naming.map(({ group }) => group))];
  }
}

/** Whether a name in the form of `lowerKeyOf` contains a byte that ends names, so that a value must be compared with all of it. */
function holdsEndOfName(key: string): boolean {
  for (let at = 0; at < key.length; at++) if (endsName(key.charCodeAt(at))) return true;
  return false;
}

/** Adds a group unless it is there already: groups are read in order, so a duplicate can only be the last element. */
function addGroup(groups: number[], group: number): void {
  if (groups.at(-1) !== group) groups.push(group);
}

/** A name as a map key, as `lowerKeyOf` makes it of a name in the file. */
function keyOf(name: string): string {
  if (!/[^\0-\x7f]/.test(name)) return lowerAscii(name);
  const bytes = utf8Of(name);
  return lowerKeyOf(bytes, 0, bytes.length);
}
