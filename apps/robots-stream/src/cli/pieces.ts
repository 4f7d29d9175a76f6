// Writes a text that is made in pieces, such as a report, so that a signal ends the command between two pieces.
import type { CommandOutput } from "./command-output.ts";
import { endedBySignals } from "./ended-by-signals.ts";
import { writeText } from "./ending.ts";

/** Writes the pieces that `make` returns, one after another. Rejects with the signal's reason when the signal aborts. */
export async function writePieces(
  stream: CommandOutput["stream"],
  make: () => Iterable<string>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const made = endedBySignals(() => make()[Symbol.iterator]());
  for (;;) {
    const next = endedBySignals(() => made.next());
    if (next.done === true) return;
    await writeText(stream, next.value);
    // Signals are handled between two pieces.
    await new Promise(setImmediate);
    signal?.throwIfAborted();
  }
}
