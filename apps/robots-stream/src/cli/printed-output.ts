// Converts rows to text for people and writes the text to a stream.
import { Writable } from "node:stream";

/**
 * Creates a stream that takes chunks of whole rows and writes their text to `stream`. A chunk is done when `stream` has written its text,
 * so the backpressure of `stream` applies. The end of the created stream does not end `stream`.
 */
export function createPrintedOutput(stream: Writable, printer: { print(rows: Buffer): string }): Writable {
  const output = new Writable({
    write: (rows: Buffer, _encoding, callback) => void stream.write(printer.print(rows), callback),
  });
  // Each write reports its error; an "error" event without a listener would end the process.
  output.on("error", () => undefined);
  return output;
}
