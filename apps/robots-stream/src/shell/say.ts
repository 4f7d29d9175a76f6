// Sentences of a command in, lines on stderr that name the program out.

/** Writes each sentence as one line to stderr. */
export function createSay(stderr: { write(text: string): unknown }): (sentence: string) => void {
  return (sentence) => void stderr.write(`robots-stream: ${sentence}\n`);
}
