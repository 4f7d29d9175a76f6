// Defines the exit codes of the process, and lets signals end it during long computations.

/** The exit codes of a run that no signal stopped. */
export const exitCodes = {
  /** All input was processed, or the reader of the output closed its pipe. Decisions have no effect on this code. */
  done: 0,
  /**
   * All input was processed, and the condition of `--fail-on` was met, which has a default in `lint`; or a test of `test` failed; or `cache show` or `ranges show` did not
   * find an entry, a robots.txt or a list.
   */
  conditionMet: 1,
  /** Wrong usage, or a source whose first records have no URL: nothing was decided. */
  usage: 2,
  /**
   * Input or output failed midway; or saved robots.txt files are damaged; or all input was read and no record had a URL; or the number of records read did not equal the sum of
   * the records that were decided, rejected, not decided or left out; or the system had no free file descriptors; or the command has a bug.
   */
  failed: 3,
} as const;

/** Exit codes of a run that a signal stopped (128 plus the signal's number). Decided records are written. */
export const signalCodes: Readonly<Record<"SIGHUP" | "SIGINT" | "SIGTERM", number>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
};

/**
 * The exit code of a stopped run. `reason` is the reason of the run's abort signal: the name of the system's signal. For any other reason,
 * returns the code of SIGINT.
 */
export function exitCodeOfSignal(reason: unknown): number {
  const name = String(reason);
  return Object.hasOwn(signalCodes, name) ? signalCodes[name as keyof typeof signalCodes] : signalCodes.SIGINT;
}

const names = Object.keys(signalCodes) as (keyof typeof signalCodes)[];

/**
 * Calls `act` and returns its result. Meanwhile a signal has its default action, which ends the process at once: handlers would wait for
 * the end of `act`. `act` must leave no file half written.
 */
export function endedBySignals<Result>(act: () => Result): Result {
  const handlers = names.flatMap((name) => process.listeners(name).map((handler) => [name, handler] as const));
  for (const [name, handler] of handlers) process.off(name, handler);
  try {
    return act();
  } finally {
    for (const [name, handler] of handlers) process.on(name, handler);
  }
}
