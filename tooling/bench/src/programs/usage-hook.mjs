// Writes a measured program's CPU time and memory to a file when the program exits. Node preloads this file into the program.
import { readFileSync, writeFileSync } from "node:fs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(
    process.env.BENCH_USAGE_FILE,
    JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMb: (peakOfThisProgram() ?? maxRSS) / 1024 }),
  );
});

/**
 * Peak memory in KiB; undefined without /proc. On Linux, maxRSS is not used: if the parent process had a larger peak, maxRSS is that peak.
 */
function peakOfThisProgram() {
  try {
    const [, peak] = /^VmHWM:\s*(\d+)/mu.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return peak === undefined ? undefined : Number(peak);
  } catch {
    return undefined;
  }
}
