// Defines the rows about requests that the server answered against robots.txt.
import type { Verification } from "../states/states.ts";
import type { StatusSum } from "./answers.ts";

/** A kind of mismatch between robots.txt and the server. */
export type MismatchKind = "allowed-yet-refused" | "disallowed-yet-served";

/** Requests of a crawler to an origin that the server answered against the origin's robots.txt. */
export interface MismatchRow {
  readonly origin: string;
  readonly crawler: string;
  readonly verification: Verification;
  readonly kind: MismatchKind;
  /** The number of requests, without disputed ones; if `isProven`, also without assumed ones. */
  readonly requests: number;
  /** The number of requests with the same decision on the same ground whose status is known, whatever the server answered. */
  readonly of: number;
  /** Whether dated observations prove the decisions about `requests`. */
  readonly isProven: boolean;
  /** `requests` by status, most requests first. */
  readonly statuses: readonly StatusSum[];
  readonly first: number | null;
  readonly last: number | null;
  /** The numbers of further requests with this mismatch that the row leaves out. */
  readonly disputed: number;
  readonly assumed: number;
  /** What is not known about the crawler: "its operator does not say whether it obeys"; "" if its operator says so. */
  readonly mark: string;
}
