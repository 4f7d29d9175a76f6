// Rows for a terminal in, the same without control sequences out: control characters and those that change the writing direction
// become escapes. Pipes and files get every byte unchanged.
import { Writable } from "node:stream";
import { printableOf } from "@robots-stream/engine/internal";

/** Where rows go: `stdout` itself, with a stream in front of it where it is a terminal. */
export function fitForTerminal(stdout: Writable & { readonly isTTY?: boolean }): Writable {
  if (stdout.isTTY !== true) return stdout;
  const output = createTerminalOutput(stdout);
  // Each write reports its error; an "error" event without a listener would end the process.
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
