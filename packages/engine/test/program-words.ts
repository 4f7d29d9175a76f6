// Gives the messages of a test file the words of a program that has every option.
import { afterAll, beforeAll } from "vitest";
import { type CallerWords, setCallerWords } from "../src/common/caller-words.ts";

/** Call it at the top of a test file. Options are written as NAME VALUE. */
export function useProgramWords(): void {
  let before: CallerWords;
  beforeAll(() => {
    before = setCallerWords({
      option: (name, value) => (value === undefined ? name : `${name} ${value}`),
      texts: {},
    });
  });
  afterAll(() => void setCallerWords(before));
}
