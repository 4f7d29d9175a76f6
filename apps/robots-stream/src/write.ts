// Output rows in, bytes on the output stream out, no faster than it takes them.
import { Writable } from "node:stream";
import { IoError } from "./exit.ts";
import { createTerminalOutput } from "./terminal-output.ts";

/**
 * The last stage: writes pieces of rows to `stdout`, the header before the first unless it is there already. Does not end
 * `stdout`.
 */
export function createOutlet(
  stdout: Writable & { readonly isTTY?: boolean },
  headerOf: () => string,
  hasHeader = false,
): Writable {
  const output = stdout.isTTY === true ? createTerminalOutput(stdout) : stdout;
  // Errors come back with each write; unheard "error" events would end the process.
  if (output !== stdout) output.on("error", () => undefined);
  let begun = hasHeader;
  const write = (rows: Buffer, callback: (error?: Error) => void): void => {
    const bytes = begun ? rows : Buffer.concat([Buffer.from(headerOf(), "latin1"), rows]);
    begun = true;
    if (bytes.length === 0) {
      callback();
      return;
    }
    output.write(bytes, (error) => {
      // What had to be done first may have failed.
      const isOwn = error === null || error === undefined || error instanceof IoError;
      callback(isOwn ? (error ?? undefined) : new IoError("output", "output", error));
    });
  };
  return new Writable({
    objectMode: true,
    highWaterMark: 2,
    write: (rows: Buffer, _encoding, callback) => write(rows, callback),
    // A run without records still has a header when its input had one.
    final: (callback) => (begun ? callback() : write(Buffer.alloc(0), callback)),
  });
}
