// Returns the peak memory of this process, in the bench's unit: a MB is 1,048,576 bytes.
const { readFileSync } = require("node:fs");

exports.peakMbOfThisProcess = () => (peakKib() ?? process.resourceUsage().maxRSS) / 1_024;

/**
 * Peak memory in KiB; undefined without /proc. On Linux, maxRSS is not used: if the parent process had a larger peak, maxRSS is that peak.
 */
function peakKib() {
  try {
    const [, peak] = /^VmHWM:\s*(\d+)/mu.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return peak === undefined ? undefined : Number(peak);
  } catch {
    return undefined;
  }
}
