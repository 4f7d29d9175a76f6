// Finds the redirects of an exchange that changed the scheme between http and https. Pure.
import type { Hop } from "../common/types.ts";

/** A redirect from http to https ("upgrade") or from https to http ("downgrade": the network can then change the file). */
export interface SchemeChange {
  readonly change: "upgrade" | "downgrade";
  /** The URL that redirected. */
  readonly from: string;
  readonly to: string;
}

/** All changes of the scheme, in the order of the hops. */
export function schemeChangesOf(hops: readonly Hop[]): readonly SchemeChange[] {
  return hops.flatMap(({ url: to }, at): readonly SchemeChange[] => {
    const from = hops[at - 1]?.url ?? "";
    if (from.startsWith("http:") && to.startsWith("https:")) return [{ change: "upgrade", from, to }];
    if (from.startsWith("https:") && to.startsWith("http:")) return [{ change: "downgrade", from, to }];
    return [];
  });
}
