// Options and an input in, an engine with its counts out: the part that the iterable and the stream share.
import type { Writable } from "node:stream";
import { Engine, runEngine } from "../engine.ts";
import type { RecordWriter } from "../formats/types.ts";
import { HeldRecords } from "./held-records.ts";
import { createLibraryInput } from "./input.ts";
import { sourceOf } from "./loader.ts";
import type { AnyIterable } from "./reading.ts";
import type { StreamSettings } from "./settings.ts";
import type { DecideOptions, DecideSummary } from "./types.ts";

/** The parts of a run. */
export interface RunOptions {
  readonly options: DecideOptions;
  readonly settings: StreamSettings;
  readonly items: AnyIterable<unknown>;
  /** Holds the records of a run that gives decisions; undefined for rows of bytes. */
  readonly held: HeldRecords | undefined;
  readonly writer: RecordWriter;
}

/** Creates the holder of records of a run that gives decisions. */
export function createHeldRecords({ engine, decisionsEach, hasDialect }: StreamSettings): HeldRecords {
  const { parkBytes, only } = engine;
  return new HeldRecords({ maxBytes: parkBytes, rowsEach: decisionsEach, hasDialect, only });
}

/** Composes a run; nothing is read before the run starts. */
export function createRun({ options, settings, items, held, writer }: RunOptions): Engine {
  return new Engine({
    settings: held === undefined ? settings.engine : { ...settings.engine, only: undefined },
    input: createLibraryInput({ options, settings, items, held }),
    source: sourceOf(options.robots),
    writer,
    members: options.members,
    now: options.now,
    // The input has already reported them.
    onRejects: () => undefined,
  });
}

/** Runs an engine whose rows go to `output`. Rejects also when the counts do not add up, which is a bug. */
export async function runExactly(engine: Engine, output: Writable): Promise<void> {
  await runEngine(engine, output);
  const { records, decided, rejects, notDecided } = engine.tally;
  if (engine.tally.isExact) return;
  throw new Error(
    `a bug: ${records} records came in, ${decided} went out, ${rejects} were rejects, ${notDecided} not decided`,
  );
}

/** The counts so far. */
export function summaryOf({ tally }: Engine, held: HeldRecords | undefined): DecideSummary {
  const { records, decided, rejects, notDecided, noCrawler, origins, fetches, unavailable, unreachable } = tally;
  const leftOut = held?.leftOut ?? tally.rowsLeftOut;
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
    leftOut,
    origins,
    fetches,
    unavailable,
    unreachable,
    agents,
  };
}
