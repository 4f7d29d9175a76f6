// Finds a shortest target that some patterns match and others do not, or proves that no such target exists.
import { type Automaton, acceptsAll, acceptsEnd, automatonOf, begin, cellsOf, dead } from "./automaton.ts";
import type { CompetingRule } from "@robots-stream/core/internal";
import { type TargetForm, alphabetOf } from "./target-form.ts";

/** The work that is left; shared by all searches of a comparison. A step takes some tens of nanoseconds. */
export interface Work {
  stepsLeft: number;
}

/** The result: a target; the proof that none exists; or that the search reached its limit of work. */
export type Found = { readonly target: string } | "none" | "out-of-work";

/** The maximum number of steps of one search. */
const mostSteps = 1_000_000;
/** The maximum number of characters of a target. Servers refuse longer targets. */
export const longestTarget = 16_384;
/** Steps that a new node of the search costs for each automaton, because the state is stored and looked up. */
const costOfState = 12;
/** The maximum number of cells of automata that are kept for further searches. */
const mostCells = 4_000_000;

/** Finds targets; keeps the automata of patterns. */
export class TargetSearch {
  readonly #form: TargetForm;
  readonly #work: Work;
  #automata = new Map<CompetingRule, Automaton>();
  #cells = 0;

  constructor(form: TargetForm, work: Work) {
    this.#form = form;
    this.#work = work;
  }

  /**
   * Finds a shortest target that all rules of `wanted` match and no rule of `unwanted` matches. The search goes breadth first through the
   * product of the rules' automata and the form of targets. It visits every state once, so it ends, and if it finds no target, no such
   * target exists ("none"). Returns "out-of-work" if the search reaches a limit first: `mostSteps`, `longestTarget` or the work that is left.
   */
  find(wanted: readonly CompetingRule[], unwanted: readonly CompetingRule[]): Found {
    const rules = [...wanted, ...unwanted];
    if (!this.#pay(rules.reduce((sum, rule) => sum + (this.#automata.has(rule) ? 0 : cellsOf(rule)), 0))) {
      return "out-of-work";
    }
    const automata = rules.map((rule) => this.#automatonOf(rule));
    return this.#search(automata, wanted.length);
  }

  #pay(steps: number): boolean {
    this.#work.stepsLeft -= steps;
    return this.#work.stepsLeft >= 0;
  }

  #automatonOf(rule: CompetingRule): Automaton {
    let automaton = this.#automata.get(rule);
    if (automaton === undefined) {
      this.#cells += cellsOf(rule);
      if (this.#cells > mostCells) {
        this.#automata = new Map();
        this.#cells = cellsOf(rule);
      }
      automaton = automatonOf(rule);
      this.#automata.set(rule, automaton);
    }
    return automaton;
  }

  // This function is longer than 60 lines, because any part of its loop over the product's states would need all of its variables.
  #search(automata: readonly Automaton[], wantedCount: number): Found {
    const form = this.#form;
    const size = automata.length;
    const alphabet = alphabetOf(form, (code) => automata.some(({ columnOf }) => columnOf[code] !== 0));
    // For each node: the states of the automata and of the target form, the previous node, and the character that leads from the previous
    // node to this one.
    const width = size + 1;
    const states: number[] = [...automata.map(() => begin), 0];
    const before: number[] = [-1];
    const codes: number[] = [0];
    const seen = new Set<string>([keyOf(states, 0, width)]);
    const after = new Array<number>(width).fill(0);
    let layerEnd = 1;
    let length = 0;
    let steps = 0;
    for (let node = 0; node < before.length; node++) {
      if (node === layerEnd) {
        layerEnd = before.length;
        length++;
      }
      const at = node * width;
      if (isGoal(automata, wantedCount, states, at) && form.canEnd(states[at + size]!)) {
        return { target: targetAt(node, before, codes) };
      }
      if (length === longestTarget) return "out-of-work";
      const only = onlyAt(automata, wantedCount, states, at);
      const digits = form.digitsAt(states[at + size]!);
      const tried = digits === "" ? alphabet : Array.from(digits, (digit) => digit.charCodeAt(0));
      for (const code of only === 0 ? tried : [only]) {
        steps += width;
        const formState = form.next(states[at + size]!, code);
        if (formState < 0 || !step(automata, wantedCount, states, at, code, after)) continue;
        after[size] = formState;
        const key = keyOf(after, 0, width);
        if (seen.has(key)) continue;
        seen.add(key);
        steps += width * costOfState;
        for (const state of after) states.push(state);
        before.push(node);
        codes.push(code);
      }
      if (steps > mostSteps || steps > this.#work.stepsLeft) {
        this.#pay(steps);
        return "out-of-work";
      }
    }
    this.#pay(steps);
    return "none";
  }
}

/** Whether every wanted pattern and no unwanted pattern matches a target that ends in these states. */
function isGoal(automata: readonly Automaton[], wantedCount: number, states: readonly number[], at: number): boolean {
  for (let index = 0; index < automata.length; index++) {
    const matches = (automata[index]!.flags[states[at + index]!]! & acceptsEnd) !== 0;
    if (matches !== index < wantedCount) return false;
  }
  return true;
}

/** The only character after which the target can still match all wanted patterns; 0 if there may be several. */
function onlyAt(automata: readonly Automaton[], wantedCount: number, states: readonly number[], at: number): number {
  for (let index = 0; index < wantedCount; index++) {
    const only = automata[index]!.only[states[at + index]!]!;
    if (only !== 0) return only;
  }
  return 0;
}

/**
 * Writes the states after a character into `after`. Returns false if no continuation leads to a goal: a wanted pattern can no longer match,
 * or an unwanted pattern matches every continuation.
 */
function step(
  automata: readonly Automaton[],
  wantedCount: number,
  states: readonly number[],
  at: number,
  code: number,
  after: number[],
): boolean {
  for (let index = 0; index < automata.length; index++) {
    const { next, columns, columnOf, flags } = automata[index]!;
    const state = next[states[at + index]! * columns + columnOf[code]!]!;
    if (index < wantedCount ? state === dead : (flags[state]! & acceptsAll) !== 0) return false;
    after[index] = state;
  }
  return true;
}

/** The states of a node as a key for a map. A state has up to 21 bits and becomes one or two characters that are unique to it. */
function keyOf(states: readonly number[], at: number, width: number): string {
  let key = "";
  for (let index = at; index < at + width; index++) {
    const state = states[index]!;
    key += state < 0x8000 ? String.fromCharCode(state) : String.fromCharCode(0x8000 | (state >> 15), state & 0x7fff);
  }
  return key;
}

function targetAt(node: number, before: readonly number[], codes: readonly number[]): string {
  const characters: string[] = [];
  for (let at = node; at > 0; at = before[at]!) characters.push(String.fromCharCode(codes[at]!));
  return characters.toReversed().join("");
}
