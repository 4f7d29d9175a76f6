// Nothing in; V8 kept from making its best machine code for a run that may be over before the code is made.
import { setFlagsFromString } from "node:v8";

/**
 * Records after which a run is taken for a long one. What reads and sorts robots.txt has met most origins by then, and is not
 * compiled for nothing: that alone is a third of all compiling in a run over a thousand origins.
 */
const longRunRecords = 80_000;

/** Before V8 had a compiler in the middle, what its last one did not compile was slow. */
const firstWithMiddle = 24;

/**
 * Whether a flag leaves V8's compilers as they are: V8 has many of its own, some of which must not be set against one another.
 * Node's are those that it takes from the environment, too, and one of V8's that are among these has no compilers at all.
 */
function isHarmless(flag: string): boolean {
  const name = flag.replace(/=.*/su, "").replaceAll("_", "-");
  return process.allowedNodeEnvironmentFlags.has(name) && !name.endsWith("jitless");
}

const flags = [...process.execArgv, ...(process.env["NODE_OPTIONS"] ?? "").split(/\s+/u)].filter((text) =>
  text.startsWith("-"),
);
const isManaged = Number.parseInt(process.versions.node, 10) >= firstWithMiddle && flags.every(isHarmless);

/** To be called before a run: functions get no further than to the compiler in the middle, and keep their place in line. */
export function holdBackLastCompiler(): void {
  if (isManaged) setFlagsFromString("--no-turbofan --force-emit-interrupt-budget-checks");
}

let isLong = false;

/** To be called now and then with the records so far: when they are many, functions that are still in use are compiled for good. */
export function compileForLength(records: number): void {
  if (isLong || records < longRunRecords) return;
  isLong = true;
  if (isManaged) setFlagsFromString("--turbofan");
}
