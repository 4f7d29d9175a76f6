// Answers frames of URLs with frames of origins.
import type { Writable } from "node:stream";
import { RequestPlaces } from "@robots-stream/engine/internal";
import { packedOfColumns } from "./column-records.ts";
import { writeText } from "../../cli/ending.ts";
import { answerHeadOf, type Frame } from "./frames.ts";

/** Answers each frame with one line for each row: the origin, or an empty line if the row has no URL or the URL has no origin. */
export async function answerOrigins(frames: AsyncIterable<Frame>, stdout: Writable): Promise<void> {
  const places = new RequestPlaces();
  for await (const { bytes, rows, columns } of frames) {
    const [urls] = columns;
    const packed = packedOfColumns(bytes, rows, { url: urls! });
    let text = "";
    let record = 0;
    for (let row = 0; row < rows; row++) {
      if (urls!.has(row)) {
        places.locate(packed, record++);
        text += places.origin;
      }
      text += "\n";
    }
    const lines = Buffer.from(text, "latin1");
    await writeText(stdout, Buffer.concat([answerHeadOf(rows, rows, lines.length), lines]));
  }
}
