// Assigns numbers to the outcomes of requests for one origin. Requests share an outcome if they have the same interval, ground, state,
// direction and flags. Keeps the outcomes of decisions.
import type { Window } from "../history.ts";
import type { AuditDecision, Bound, Judgement } from "../states/judge.ts";
import { directions, stateNumberOf } from "../states/states.ts";
import { intervalRoom, stateRoom } from "./keys.ts";

/**
 * The ground of a decision: a rule, identified by its group, directive, pattern and dialect, or a reason such as "no-rule". The line number
 * of a rule may differ between versions.
 */
interface AuditRule {
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

/**
 * A node of a tree of outcomes. The edges from the root to the node are the decisions by the versions of a window, in their order. Most
 * nodes have at most one edge, which takes no map: the decision `first`, which leads to `afterFirst`.
 */
interface KnownOutcome {
  /** The outcome of the decisions; -1 until it is computed. */
  number: number;
  first: AuditDecision | undefined;
  afterFirst: KnownOutcome | undefined;
  /** All other edges. */
  others: Map<AuditDecision, KnownOutcome> | undefined;
}

const noOutcome = (): KnownOutcome => ({ number: -1, first: undefined, afterFirst: undefined, others: undefined });

/**
 * The cached outcomes of one window: a tree for crawlers that robots.txt binds, a tree for crawlers that it does not bind, and a tree for
 * crawlers that it binds by name.
 */
interface WindowOutcomes {
  readonly bound: KnownOutcome;
  readonly free: KnownOutcome;
  readonly byName: KnownOutcome;
}

const noOutcomes = (): WindowOutcomes => ({ bound: noOutcome(), free: noOutcome(), byName: noOutcome() });

/** The numbers of outcomes that were computed before, by window, kind of crawler and decisions. Decisions are compared by identity. */
export class KnownOutcomes {
  readonly #byWindow = new WeakMap<Window, WindowOutcomes>();
  /** The window whose outcomes were looked up last; the next line of a log usually has the same window. */
  #lastWindow: Window | undefined;
  #last: WindowOutcomes = noOutcomes();

  /** The root of the tree of a window's outcomes for crawlers with this `bound`. */
  of(window: Window, bound: Bound): KnownOutcome {
    if (window !== this.#lastWindow) {
      let known = this.#byWindow.get(window);
      if (known === undefined) this.#byWindow.set(window, (known = noOutcomes()));
      this.#lastWindow = window;
      this.#last = known;
    }
    if (bound === "by-name") return this.#last.byName;
    return bound === "no" ? this.#last.free : this.#last.bound;
  }

  /** The node to which a decision leads. */
  after(outcome: KnownOutcome, decision: AuditDecision): KnownOutcome {
    if (outcome.first === decision) return outcome.afterFirst!;
    if (outcome.first === undefined) {
      outcome.first = decision;
      return (outcome.afterFirst = noOutcome());
    }
    const others = (outcome.others ??= new Map<AuditDecision, KnownOutcome>());
    let known = others.get(decision);
    if (known === undefined) others.set(decision, (known = noOutcome()));
    return known;
  }
}
