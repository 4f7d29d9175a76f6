// The hops of an exchange → where the way changed between http and https. Pure.
import type { Hop } from "./types.ts";

/** A redirect from http to https ("upgrade"), or from https to http ("downgrade": anyone on the way can change the file). */
export interface SchemeChange {
  readonly change: "upgrade" | "downgrade";
  /** The URL that redirected, and the one it led to. */
  readonly from: string;
  readonly to: string;
}

/** Every change, in order. */
export function schemeChangesOf(hops: readonly Hop[]): readonly SchemeChange[] {
  return hops.flatMap(({ url: to }, at): readonly SchemeChange[] => {
    const from = hops[at - 1]?.url ?? "";
    if (from.startsWith("http:") && to.startsWith("https:")) return [{ change: "upgrade", from, to }];
    if (from.startsWith("https:") && to.startsWith("http:")) return [{ change: "downgrade", from, to }];
    return [];
  });
}
