// Writes a measured program's CPU time and memory to a file when the program exits. Node preloads this file into the program.
import { writeFileSync } from "node:fs";
import { peakMbOfThisProcess } from "./peak.mjs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  writeFileSync(
    process.env.BENCH_USAGE_FILE,
    JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMb: peakMbOfThisProcess() }),
  );
});
