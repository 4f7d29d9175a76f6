// Writes the messages of a command to stderr, as lines that begin with the program's name.
import { safeTextOf } from "./terminal-output.ts";

/** Creates a function that writes a sentence as one line to stderr. */
export function createSay(stderr: { write(text: string): unknown }): (sentence: string) => void {
  return (sentence) => void stderr.write(`robots-stream: ${safeTextOf(sentence)}\n`);
}

/** Maximum number of sentences of one kind. */
const mostTold = 10;

/** Returns a function that says the first `mostTold` sentences, and after them that further `things` are only counted. */
export function tellSome(say: (sentence: string) => void, things: string): (sentence: string) => void {
  let told = 0;
  return (sentence) => {
    told++;
    if (told <= mostTold) say(sentence);
    if (told === mostTold) say(`… further ${things} are only counted`);
  };
}
