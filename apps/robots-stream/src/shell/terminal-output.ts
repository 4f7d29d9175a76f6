// Makes rows safe for a terminal: control characters and characters that change the writing direction are written as escapes. Rows
// for pipes and files stay unchanged.
import { Writable } from "node:stream";
import { printableOf } from "@robots-stream/engine/internal";

/** The stream to write rows to: an escaping stream in front of `stdout` if `stdout` is a terminal, else `stdout` itself. */
export function fitForTerminal(stdout: Writable & { readonly isTTY?: boolean }): Writable {
  if (stdout.isTTY !== true) return stdout;
  const output = createTerminalOutput(stdout);
  // Each write reports its error; an "error" event without a listener would end the process.
  output.on("error", () => undefined);
  return output;
}

/** A stream that escapes its chunks and writes them to `terminal`. Every chunk must end with a line end. */
function createTerminalOutput(terminal: Writable): Writable {
  return new Writable({
    write: (chunk: Uint8Array, _encoding, callback) => {
      const text = Buffer.from(chunk).toString("utf8");
      const shown = text.replaceAll(/[^\n\t]+/gu, (part) => printableOf(part, Number.POSITIVE_INFINITY));
      terminal.write(shown, callback);
    },
  });
}
