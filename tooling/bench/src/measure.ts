// Measures CPU and wall time of several pieces of work in turns, so that disturbances of the machine affect all of them alike.

/** One piece of work that can be repeated. */
export interface Work {
  /** Does the work once; the result is used only to prevent dead-code elimination. */
  readonly run: () => number;
  /** Units per run (files, decisions); times are reported per unit. */
  readonly units: number;
}

/** Times of one unit in nanoseconds. Garbage collection needs --expose-gc. */
export interface Times {
  readonly cpuNs: number;
  readonly wallNs: number;
}

interface MeasureOptions {
  readonly rounds: number;
  /** A round repeats its work for at least this long. */
  readonly minRoundMs: number;
}

/** The sum of all results. Using each result keeps the compiler from removing the work as dead code. */
const results = { sum: 0 };

/** Does each work once in each round, in the order A B, B A, A B …; returns each work's results. */
export function inTurns<T>(rounds: number, works: readonly (() => T)[]): T[][] {
  const turns: T[][] = works.map(() => []);
  const order = works.map((_, at) => at);
  for (let round = 0; round < rounds; round++) {
    for (const at of order) turns[at]!.push(works[at]!());
    order.reverse();
  }
  return turns;
}

/**
 * Measures pieces of work side by side. Garbage is collected before each turn. The time of a turn includes the collection of its own
 * garbage, on all threads of the process.
 */
export function measure(works: readonly Work[], options: MeasureOptions): Times[] {
  const repeats = works.map((work) => repeatsFor(work, options.minRoundMs));
  const turns = works.map((work, at) => (): Times => {
    const times = repeats[at]!;
    globalThis.gc!();
    const cpuStart = process.cpuUsage();
    const wallStart = performance.now();
    for (let repeat = 0; repeat < times; repeat++) results.sum += work.run();
    const wallMs = performance.now() - wallStart;
    const used = process.cpuUsage(cpuStart);
    const units = times * work.units;
    return { cpuNs: ((used.user + used.system) * 1000) / units, wallNs: (wallMs * 1e6) / units };
  });
  const measured = inTurns(options.rounds, turns);
  if (Number.isNaN(results.sum)) throw new Error("a piece of work did not return a number");
  return measured.map((each) => ({
    cpuNs: medianOf(each.map(({ cpuNs }) => cpuNs)),
    wallNs: medianOf(each.map(({ wallNs }) => wallNs)),
  }));
}

// V8 compiles on other threads, whose CPU time is counted, so the first round must not begin before these threads have finished.
const warmRounds = 4;

/** Warms up the work and returns how often it must run to fill a round. */
function repeatsFor(work: Work, minRoundMs: number): number {
  const start = process.cpuUsage();
  for (let runs = 1; ; runs++) {
    const runStart = performance.now();
    results.sum += work.run();
    const runMs = performance.now() - runStart;
    if (runMs > 20 * minRoundMs) return 1;
    // CPU time, not wall time: on a busy machine, little work may be done in a second.
    const { user, system } = process.cpuUsage(start);
    if (runs >= 2 && (user + system) / 1000 >= warmRounds * minRoundMs) {
      return Math.max(1, Math.ceil(minRoundMs / runMs));
    }
  }
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
