// Defines the result of one request: a response or a failure.
import type { Failure } from "./failure-codes.ts";
import type { ExchangeResponse } from "./types.ts";

/** A response, or the failure that prevented it. */
export type HopEnd = ExchangeResponse | Failure;

/** Whether `end` is a failure. Also valid for other unions in which only failures have a `code`. */
export function isFailure(end: object): end is Failure {
  return "code" in end;
}
