// Writes the messages of a command to stderr, as lines that begin with the program's name.
import { FirstTold } from "@robots-stream/engine/internal";
import { safeTextOf } from "./terminal-output.ts";

/** Creates a function that writes a sentence as one line to stderr. */
export function createSay(stderr: { write(text: string): unknown }): (sentence: string) => void {
  return (sentence) => void stderr.write(`robots-stream: ${safeTextOf(sentence)}\n`);
}

/** Returns what says the first sentences of one kind, and after them that further `things` are only counted. */
export function firstTold(say: (sentence: string) => void, things: string): FirstTold {
  return new FirstTold(say, `… further ${things} are only counted`);
}
