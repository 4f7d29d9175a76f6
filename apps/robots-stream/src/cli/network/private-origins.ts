// Recognizes the results of origins with private addresses, and says how to request these origins.
import type { StoredRobots } from "@robots-stream/fetch";

/** Whether the origin itself has a private address that was not requested. False if only a redirect leads to a private address. */
export function isPrivateOrigin({ code, hops }: Pick<StoredRobots, "code" | "hops">): boolean {
  return code === "blocked-address" && hops.length === 0;
}

export const privateOriginsSentence =
  "origins with private addresses are requested only with --allow-private: their robots.txt files count as unreachable (blocked-address)";
