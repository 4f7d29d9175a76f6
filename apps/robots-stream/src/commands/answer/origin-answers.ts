// Answers frames of URLs with frames of origins.
import type { Writable } from "node:stream";
import { RequestPlaces } from "@robots-stream/engine/internal";
import { packedOf } from "./column-records.ts";
import { writeText } from "../../cli/ending.ts";
import { answerHeadOf, type Frame } from "./frames.ts";

/** Answers each frame with one line for each row: the origin, or an empty line if the row has no URL or the URL has no origin. */
export async function answerOrigins(frames: AsyncIterable<Frame>, stdout: Writable): Promise<void> {
  const places = new RequestPlaces();
  for await (const frame of frames) {
    const { rows } = frame;
    const [urls] = frame.columns;
    const packed = packedOf(frame);
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
