// The exit codes of the process, by how a run ended.

/** One meaning for each code. */
export const exitCodes = {
  /** All input was processed; decisions have no effect on this code. */
  done: 0,
  /** All input was processed, and a `--fail-on` condition was met. */
  conditionMet: 1,
  /** Wrong usage: nothing was read. */
  usage: 2,
  /** Input or output failed midway, or records in were not records out plus rejects. */
  failed: 3,
} as const;

/** Stopped by a signal (128 and its number): what was decided is written. */
export const signalCodes: Readonly<Record<"SIGHUP" | "SIGINT" | "SIGTERM", number>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
};

/** The exit code of a run that was stopped; its abort signal's reason is the name of the system's signal. */
export function exitCodeOfSignal(reason: unknown): number {
  const name = String(reason);
  return Object.hasOwn(signalCodes, name) ? signalCodes[name as keyof typeof signalCodes] : signalCodes.SIGINT;
}
