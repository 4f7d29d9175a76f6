// Loaded into a measured program before its own code: at the end it writes the CPU time and memory the program took to a file.
import { readFileSync, writeFileSync } from "node:fs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(
    process.env.BENCH_USAGE_FILE,
    JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMb: (peakOfThisProgram() ?? maxRSS) / 1024 }),
  );
});

/** KiB. The system's own maxRSS counts the memory of the process that started this one, where it was larger. */
function peakOfThisProgram() {
  try {
    const [, peak] = /^VmHWM:\s*(\d+)/mu.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return peak === undefined ? undefined : Number(peak);
  } catch {
    return undefined;
  }
}
