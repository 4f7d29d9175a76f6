// How one request ends: a response, or a failure.
import type { Failure } from "./failure-codes.ts";
import type { ExchangeResponse } from "./types.ts";

/** A response, or the reason why there is none. */
export type HopEnd = ExchangeResponse | Failure;

/** Whether it is a failure; also of other unions in which only failures have a `code`. */
export function isFailure(end: object): end is Failure {
  return "code" in end;
}
