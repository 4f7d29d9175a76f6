// Reads the records of files, batch after batch, for the commands that write no rows.
import { Input, type PackedRecords, type Reject, type RecordWriter } from "@robots-stream/engine/internal";
import type { InputRun } from "./command-body.ts";

interface RecordSurroundings extends Pick<InputRun, "stdin" | "signal"> {
  /** Takes the sentences about what was assumed of a file. */
  readonly say?: InputRun["say"];
  /** Whether the beginning of every file is checked before the first is read; true by default. */
  readonly isChecked?: boolean;
}

/**
 * Reads the files and passes the records and the rejects of each batch to `take`. Resolves to the input at its end: its `failures` are the
 * errors that ended the reading of a file midway. Rejects with a `UsageError` for a file that cannot be read, with the error of `take`, and
 * with the signal's reason.
 */
export async function readRecords(
  files: readonly string[],
  options: Omit<ConstructorParameters<typeof Input>[2], "onAssumed">,
  { stdin, signal, say, isChecked = true }: RecordSurroundings,
  take: (records: PackedRecords, rejects: readonly Reject[]) => void | Promise<void>,
): Promise<Input> {
  const input = new Input(files, stdin, {
    ...options,
    onAssumed(assumed, hint) {
      say?.(assumed);
      say?.(`  ${hint}`);
    },
  });
  const stop = (): void => input.stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (isChecked) await input.check(createNoRowsWriter);
    for await (const { records, rejects } of input.batches(createNoRowsWriter())) {
      signal.throwIfAborted();
      await take(records, rejects);
      records.recycle?.();
    }
    signal.throwIfAborted();
    return input;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

export function createNoRowsWriter(): RecordWriter {
  return {
    // A name that records do not use, so that the result key does not conflict with a member.
    resultKey: "\u0000",
    keepsObjects: true,
    headOfObject: () => "",
    startRows: () => true,
    headOfFields: () => "",
    memberOpenings: () => [""],
    tailOf: () => "",
    header: () => "",
    losses: () => [],
    known: () => ({}),
  };
}
