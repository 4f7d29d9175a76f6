// Watches the codes of fetched origins and throws an IoError when this machine's own network is down. Without this check, such failures
// would be recorded as unreachable origins.
import { IoError } from "@robots-stream/engine";

/**
 * Number of consecutive origins with a suspicious code after which the network is considered down. While the network is up, so many of
 * these origins in a row are not expected in any log.
 */
const maxInARow = 100;

/** Codes that origins get when packets do not leave this machine or no name server answers. */
const suspicious: ReadonlySet<string> = new Set(["network-unreachable", "dns-failed", "dns-timeout"]);

export interface NetworkWatch {
  /** Takes the code of an origin that was just fetched. Throws an `IoError` when the network is down. */
  take(code: string): void;
}

/** Creates the watch of one run. Any response and any failure with another code show that the network is up. */
export function createNetworkWatch(): NetworkWatch {
  let inARow = 0;
  const codes = new Set<string>();
  return {
    take(code) {
      if (!suspicious.has(code)) {
        inARow = 0;
        codes.clear();
        return;
      }
      codes.add(code);
      if (++inARow < maxInARow) return;
      const why = `none of the last ${inARow} origins could be reached (${[...codes].join(", ")}); is this machine connected?`;
      throw new IoError("input", "network", new Error(why));
    },
  };
}
