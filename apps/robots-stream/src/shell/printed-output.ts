// Converts the rows of a format that is printed for people to text on a stream.
import { Writable } from "node:stream";
import type { RowPrinter } from "@robots-stream/engine/internal";

/** A stream that takes pieces of whole rows and writes their text to `stream`, with its backpressure. Does not end `stream`. */
export function createPrintedOutput(stream: Writable, printer: RowPrinter): Writable {
  const output = new Writable({
    write: (rows: Buffer, _encoding, callback) => void stream.write(printer.print(rows), callback),
  });
  // Each write reports its error; an "error" event without a listener would end the process.
  output.on("error", () => undefined);
  return output;
}
