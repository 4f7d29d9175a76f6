// Makes the text of a verification.
import type { Verification } from "../states/states.ts";

/** "verified", "claimed", "false", "no check". */
export function identityTextOf(verification: Verification): string {
  return verification === "no-check" ? "no check" : verification;
}
