// An ftp:// robots.txt URL → the failure `ftp-unsupported`: the scheme has robots.txt files, this transport does not read
// them yet, and says so as a value instead of guessing.
import type { Transport } from "./types.ts";

/** A transport that answers every ftp:// URL with the failure `ftp-unsupported`, without a connection. */
export function createFtpTransport(now: () => number = Date.now): Transport {
  return {
    exchange(robotsUrl) {
      const at = now();
      const failure = { code: "ftp-unsupported", message: "ftp is not supported yet", url: robotsUrl } as const;
      return Promise.resolve({ hops: [], startedAt: at, endedAt: at, failure });
    },
  };
}
