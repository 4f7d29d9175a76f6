// Options and an input in, an engine with its counts out: what the iterable and the stream have in common.
import type { Writable } from "node:stream";
import { Engine } from "../engine.ts";
import type { RecordWriter } from "../formats/types.ts";
import { HeldRecords } from "./held-records.ts";
import { createLibraryInput } from "./input.ts";
import { sourceOf } from "./loader.ts";
import type { AnyIterable } from "./reading.ts";
import type { StreamSettings } from "./settings.ts";
import type { DecideOptions, DecideSummary } from "./types.ts";

/** What a run is made of. */
export interface RunOptions {
  readonly options: DecideOptions;
  readonly settings: StreamSettings;
  readonly items: AnyIterable<unknown>;
  /** Where records wait whose decisions go out; undefined when rows of bytes do. */
  readonly held: HeldRecords | undefined;
  readonly writer: RecordWriter;
  readonly output: Writable;
}

/** Where records wait, for a run whose decisions go out. */
export function createHeldRecords({ engine, decisionsEach, hasDialect }: StreamSettings): HeldRecords {
  return new HeldRecords({ maxBytes: engine.parkBytes, rowsEach: decisionsEach, hasDialect });
}

/** Composes a run; nothing is read before it runs. */
export function createRun({ options, settings, items, held, writer, output }: RunOptions): Engine {
  return new Engine({
    settings: settings.engine,
    input: createLibraryInput({ options, settings, items, held }),
    source: sourceOf(options.client),
    writer,
    output,
    // The input has told of them.
    onRejects: () => undefined,
  });
}

/** Rejects also when records went missing, which is a bug. */
export async function runExactly(engine: Engine): Promise<void> {
  await engine.run();
  const { records, decided, rejects, dropped } = engine.tally;
  if (engine.tally.isExact) return;
  throw new Error(
    `a bug: ${records} records came in, ${decided} went out, ${rejects} were rejects, ${dropped} dropped`,
  );
}

/** The counts so far. */
export function summaryOf({ tally }: Engine): DecideSummary {
  const { records, decided, rejects, dropped, strangers, origins, fetches, unavailable, unreachable } = tally;
  const agents = tally.questions.map(({ question: { agent, dialect }, allowed, disallowed, undecided }) => ({
    agent,
    dialect,
    allowed,
    disallowed,
    undecided,
  }));
  return { records, decided, rejects, dropped, strangers, origins, fetches, unavailable, unreachable, agents };
}
