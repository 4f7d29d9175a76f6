// Lets signals end the process during long computations that give the event loop no turn.
import { signalCodes } from "./exit-codes.ts";

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
