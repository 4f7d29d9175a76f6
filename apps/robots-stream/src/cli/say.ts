// Writes the messages of a command to stderr, as lines that begin with the program's name.
import { safeTextOf } from "./terminal-output.ts";

/** Creates a function that writes a sentence as one line to stderr. */
export function createSay(stderr: { write(text: string): unknown }): (sentence: string) => void {
  return (sentence) => void stderr.write(`robots-stream: ${safeTextOf(sentence)}\n`);
}
