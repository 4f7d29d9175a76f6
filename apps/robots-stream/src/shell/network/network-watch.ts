// Codes of fetched origins in, whether it is this machine's own network that is gone out: then no origin is to blame.
import { IoError } from "@robots-stream/engine/internal";

/** Distinct origins in a row: no log has so many that fail for such reasons while the network stands. */
const maxInARow = 100;

/** What an origin comes to when packets leave this machine no more, or name servers answer none of them. */
const suspicious: ReadonlySet<string> = new Set(["network-unreachable", "dns-failed", "dns-timeout"]);

/** Watches what origins come to. */
export interface NetworkWatch {
  /** Takes the code of an origin that was just asked. Throws an `IoError` when the network is gone. */
  take(code: string): void;
}

/** A watch over one run. Any answer, and any other failure, shows that the network is there. */
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
