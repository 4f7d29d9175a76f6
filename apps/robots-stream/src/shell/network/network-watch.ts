// Codes of fetched origins in, an IoError when this machine's own network is down out: then no origin is unreachable.
import { IoError } from "@robots-stream/engine/internal";

/** Origins in a row with such a code. No log has as many while the network is up. */
const maxInARow = 100;

/** Codes of origins when packets do not leave this machine, or no name server answers. */
const suspicious: ReadonlySet<string> = new Set(["network-unreachable", "dns-failed", "dns-timeout"]);

/** Watches the codes of origins. */
export interface NetworkWatch {
  /** Takes the code of an origin that was just fetched. Throws an `IoError` when the network is down. */
  take(code: string): void;
}

/** A watch over one run. Any response, and any other failure, shows that the network is up. */
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
