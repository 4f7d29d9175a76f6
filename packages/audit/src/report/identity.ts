// Makes the text of a verification.
import type { Verification } from "../states/states.ts";

/** The text of a verification: "verified", "claimed", "false" or "no check". */
export function identityTextOf(verification: Verification): string {
  return verification === "no-check" ? "no check" : verification;
}
