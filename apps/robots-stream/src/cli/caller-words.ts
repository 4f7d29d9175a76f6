// The words in which messages of the engine name flags and commands of this program.
import type { setCallerWords } from "@robots-stream/engine/internal";

type CallerWords = Parameters<typeof setCallerWords>[0];
type OptionName = Parameters<CallerWords["option"]>[0];

/** The flags whose names are not those of the engine's options. */
const otherNames: Readonly<Partial<Record<OptionName, string>>> = { agents: "agent", inputFormat: "input" };

function flagOf(name: OptionName): string {
  return `--${otherNames[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export const callerWords: CallerWords = {
  option: (name, value) => (value === undefined ? flagOf(name) : `${flagOf(name)} ${value}`),
  texts: {
    detectNames: "robots-stream detect FILE shows the names",
    detectWhich: "robots-stream detect FILE shows which holds one",
    detectReading: "robots-stream detect FILE shows how the source is read",
    oneCrawler: "or ask for one crawler: robots-stream --agent bingbot FILE",
    fieldToLines:
      "extract its URLs: awk '!/^#/ { print $2 }' FILE | robots-stream --input lines …, where 2 is the number of their field",
    headingBefore:
      "put that line before it, from the beginning of an older file: (grep -m1 '^#Fields:' OLDER; cat FILE) | robots-stream --input w3c …",
    newSnapshot:
      "make a new one with robots-stream fetch ORIGINS --snapshot NEWDIR, or from a cache with robots-stream cache export --snapshot NEWDIR",
  },
};
