// Runs an engine, and returns its counts: for `decideStream` and `decideMessages`.
import type { Writable } from "node:stream";
import { type Engine, runEngine } from "../stream/engine.ts";
import type { DecideSummary } from "./types.ts";

/** Runs an engine and writes its rows to `output`. Rejects as `runEngine` does, and when the counts do not add up, which is a bug. */
export async function runExactly(engine: Engine, output: Writable): Promise<void> {
  await runEngine(engine, output);
  const { records, decided, rejects, notDecided } = engine.tally;
  if (engine.tally.isExact) return;
  throw new Error(
    `a bug: ${records} records came in, ${decided} went out, ${rejects} were rejects, ${notDecided} not decided`,
  );
}

/** The counts of a run so far. */
export function summaryOf({ tally }: Engine): DecideSummary {
  const { records, decided, rejects, notDecided, noCrawler, origins, fetches, unavailable, unreachable } = tally;
  const agents = tally.questions.map(({ question: { agent, dialect, isUnknown }, allowed, disallowed, undecided }) => ({
    agent,
    ...(isUnknown === true ? { known: false as const } : {}),
    dialect,
    allowed,
    disallowed,
    undecided,
  }));
  return {
    records,
    decided,
    rejects,
    notDecided,
    noCrawler,
    leftOut: tally.rowsLeftOut,
    origins,
    fetches,
    unavailable,
    unreachable,
    agents,
  };
}
