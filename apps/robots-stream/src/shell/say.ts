// Writes the sentences of a command to stderr, as lines that begin with the program's name.

/** Writes each sentence as one line to stderr. */
export function createSay(stderr: { write(text: string): unknown }): (sentence: string) => void {
  return (sentence) => void stderr.write(`robots-stream: ${sentence}\n`);
}
