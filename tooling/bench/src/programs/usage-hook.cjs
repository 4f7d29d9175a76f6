// Writes a measured program's CPU time and memory to a file when the program exits. Node preloads this file into the program.
const { writeFileSync } = require("node:fs");
const { peakMbOfThisProcess } = require("./peak.cjs");

process.on("exit", () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage = { cpuMs: (userCPUTime + systemCPUTime) / 1_000, peakMb: peakMbOfThisProcess() };
  writeFileSync(process.env.BENCH_USAGE_FILE, JSON.stringify(usage));
});
