// Measures the memory of parsed files and matchers for generated files, without the memory of the files themselves.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Report, type Row, type SuiteOptions, showNumber, verdictAtMost } from "../report.ts";
import { type Holding, type MemoryCase, holdings, memoryCases } from "./memory-cases.ts";

const program = fileURLToPath(new URL("../programs/hold.ts", import.meta.url));

/** The program's output for one case. */
export interface Held {
  readonly heldBytes: number;
  readonly fileBytes: number;
  readonly count: number;
}

// Upper bound of the bytes that a parsed file holds per byte of the file.
const mostForParsed = 8;

/** Runs the suite: each case in its own process. */
export function runMemory(options: SuiteOptions): Report {
  const rows: Row[] = [];
  for (const files of memoryCases) {
    for (const holding of holdings) {
      const name = `${files.name}: ${holding.name}`;
      if (!options.wants(name)) continue;
      options.progress(name);
      rows.push(rowOf(files, holding, measureHeld(files, holding, options)));
    }
  }
  return {
    suite: "memory",
    title: "memory on and off the heap",
    columns: [
      { key: "files", heading: "files" },
      { key: "holding", heading: "object" },
      { key: "perFile", heading: "bytes a file", show: showNumber },
      { key: "perByte", heading: "bytes per byte of file" },
      { key: "wanted", heading: "wanted ≤" },
      { key: "verdict", heading: "" },
    ],
    rows,
    notes: [
      "The files themselves are in memory before and after, so they do not count. A matcher is measured without its parsed file.",
      "decided once: after one decision. hot: after 1,000 decisions, with an index.",
    ],
  };
}

function measureHeld(files: MemoryCase, holding: Holding, options: SuiteOptions): Held {
  const child = spawnSync(
    process.execPath,
    [
      ...process.execArgv,
      "--expose-gc",
      "--no-opt",
      program,
      files.name,
      holding.name,
      String(options.seed),
      String(options.quick),
    ],
    { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  );
  if (child.status !== 0) throw new Error(`measuring memory failed: ${files.name}, ${holding.name}`);
  return JSON.parse(child.stdout) as Held;
}

function rowOf(files: MemoryCase, holding: Holding, held: Held): Row {
  const perByte = held.heldBytes / held.fileBytes;
  const wanted = holding.name.startsWith("parsed file") && files.isLarge ? mostForParsed : null;
  return {
    files: files.name,
    holding: holding.name,
    perFile: Math.round(held.heldBytes / held.count),
    perByte,
    wanted,
    verdict: verdictAtMost(perByte, wanted),
    ...held,
  };
}
