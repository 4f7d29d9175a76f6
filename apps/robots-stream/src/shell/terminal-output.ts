// Rows on their way to a terminal in, the same without anything a terminal would obey out: control characters and those
// that turn the writing direction become escapes. Only a terminal gets them so; pipes and files get every byte as it is.
import { Writable } from "node:stream";
import { printableOf } from "@robots-stream/engine/internal";

/** Where rows go: `stdout` itself, with a stream in front of it where it is a terminal. */
export function fitForTerminal(stdout: Writable & { readonly isTTY?: boolean }): Writable {
  if (stdout.isTTY !== true) return stdout;
  const output = createTerminalOutput(stdout);
  // Errors come back with each write; unheard "error" events would end the process.
  output.on("error", () => undefined);
  return output;
}

/** A stream in front of `terminal`. Every chunk must end with a line end. */
function createTerminalOutput(terminal: Writable): Writable {
  return new Writable({
    write: (chunk: Uint8Array, _encoding, callback) => {
      const text = Buffer.from(chunk).toString("utf8");
      const shown = text.replaceAll(/[^\n\t]+/gu, (part) => printableOf(part, Number.POSITIVE_INFINITY));
      terminal.write(shown, callback);
    },
  });
}
