// Assigns numbers to the outcomes of requests for one origin. Requests share an outcome if they have the same interval, ground, state,
// direction and flags.
import type { AuditDecision, Judgement } from "../states/judge.ts";
import { directions, stateNumberOf } from "../states/states.ts";
import { intervalRoom, stateRoom } from "./keys.ts";

/**
 * The ground of a decision: a rule, identified by its group, directive, pattern and dialect, or a reason such as "no-rule". The line number
 * of a rule may differ between versions.
 */
export interface AuditRule {
  /** The names of the group's user-agent lines; empty for a ground that is not a rule. */
  readonly tokens: readonly string[];
  /** "allow", "disallow", or the ground of a decision without a rule: "no-rule", "no-group", "unavailable", … */
  readonly directive: string;
  readonly pattern: string;
  /**
   * The dialect in which the rule was read; empty for a ground that is not a rule, and for a decision that names no dialect. Two lines that
   * are spelt differently, such as `/%61` and `/a`, are the same rule in some dialects only; the first of them is then the rule's line.
   */
  readonly dialect: string;
  /** The line number of the rule in each version that contains it. */
  readonly lines: ReadonlyMap<string, number>;
}

/** The facts that requests with the same outcome share. */
export interface Outcome {
  readonly interval: number;
  /** The position of the rule in `rules`. */
  readonly rule: number;
  readonly state: number;
  readonly direction: number;
  readonly proven: boolean;
  readonly disputed: boolean;
}

/** The smallest number of an outcome. A smaller number is the number of a state, for a request without an outcome. */
export const firstOutcome: number = stateRoom;

/** The outcomes of an origin, numbered from `firstOutcome`. */
export class Outcomes {
  readonly list: Outcome[] = [];
  readonly rules: AuditRule[] = [];
  readonly #outcomes = new Map<number, number>();
  readonly #rules = new Map<string, number>();

  /** Returns the number of a judgement's outcome, or the number of the judgement's state if the request is undecidable. */
  numberOf({ state, interval, version, decision, direction, proven, disputed }: Judgement): number {
    const stateNumber = stateNumberOf(state);
    if (decision === undefined) return stateNumber;
    const position = this.#groundOf(decision);
    if (decision.rule !== undefined) this.addLine(position, version, decision.rule.line);
    return this.intern({
      interval,
      rule: position,
      state: stateNumber,
      direction: directions.indexOf(direction),
      proven,
      disputed,
    });
  }

  #groundOf({ because, rule, productToken, groupTokens, dialect }: AuditDecision): number {
    if (rule === undefined) return this.ruleOf([], because, "", "");
    const tokens = groupTokens ?? (productToken === undefined ? [] : [productToken]);
    return this.ruleOf(tokens, rule.type, rule.pattern, dialect ?? "");
  }

  /** The outcome with a number that `numberOf` returned. */
  of(number: number): Outcome {
    return this.list[number - firstOutcome]!;
  }

  /** Returns the number of an outcome; adds a new outcome. Equal outcomes have the same number. */
  intern(outcome: Outcome): number {
    const { interval, rule, state, direction, proven, disputed } = outcome;
    const flags = (direction * 2 + (proven ? 1 : 0)) * 2 + (disputed ? 1 : 0);
    const key = ((rule * intervalRoom + interval) * stateRoom + state) * 16 + flags;
    let number = this.#outcomes.get(key);
    if (number === undefined) {
      number = this.list.push(outcome) - 1 + firstOutcome;
      this.#outcomes.set(key, number);
    }
    return number;
  }

  /** Returns the position of a rule in `rules`; adds a new rule. */
  ruleOf(tokens: readonly string[], directive: string, pattern: string, dialect: string): number {
    const sorted = tokens.toSorted();
    const key = JSON.stringify([sorted, directive, pattern, dialect]);
    const known = this.#rules.get(key);
    if (known !== undefined) return known;
    const position = this.rules.push({ tokens: sorted, directive, pattern, dialect, lines: new Map() }) - 1;
    this.#rules.set(key, position);
    return position;
  }

  /** Stores the line number of a rule in a version. If a version contains the rule more than once, the first line is kept. */
  addLine(rule: number, version: string, line: number): void {
    const lines = this.rules[rule]!.lines as Map<string, number>;
    lines.set(version, Math.min(line, lines.get(version) ?? Infinity));
  }
}
