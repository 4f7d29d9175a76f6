// Creates an engine from checked options and an input, runs it, and returns its counts. `Decisions`, `DecideDuplex` and `decideMessages`
// share this code.
import type { Writable } from "node:stream";
import { Engine, runEngine } from "../stream/engine.ts";
import type { RecordWriter } from "../formats/types.ts";
import { HeldRecords } from "./held-records.ts";
import { createLibraryInput, type LibraryInputOptions } from "./input.ts";
import { sourceOf } from "./loader.ts";
import type { StreamSettings } from "./settings.ts";
import type { DecideOptions, DecideSummary } from "./types.ts";

export interface RunOptions extends LibraryInputOptions {
  readonly options: DecideOptions;
  readonly writer: RecordWriter;
}

/** Creates the `HeldRecords` of a run whose output is decisions. */
export function createHeldRecords({ engine, decisionsEach }: StreamSettings): HeldRecords {
  return new HeldRecords({ maxBytes: engine.parkBytes, answersEach: decisionsEach });
}

/** Creates the engine of a run. The engine reads nothing before it is started. */
export function createRun({ options, settings, items, held, writer }: RunOptions): Engine {
  return new Engine({
    settings: settings.engine,
    objects: held === undefined ? undefined : { hasDialect: settings.hasDialect },
    input: createLibraryInput({ options, settings, items, held }),
    source: sourceOf(options.robots),
    writer,
    members: options.members,
    now: options.now,
    // The input has already passed the rejects to the option `onReject`.
    onRejects: () => undefined,
  });
}

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
