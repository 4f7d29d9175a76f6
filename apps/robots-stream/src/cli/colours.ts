// Determines from a stream and the environment (NO_COLOR, FORCE_COLOR) whether and how text for the stream is coloured.
import type { Writable } from "node:stream";
import { WriteStream } from "node:tty";
import { styleText } from "node:util";

/** Adds colour to a text, or returns it unchanged. */
export type Paint = (style: "bold" | "dim" | "green" | "yellow" | "red", text: string) => string;

/**
 * Returns a function that adds colour if `stream` is a terminal with colours and NO_COLOR is absent or empty. FORCE_COLOR replaces both
 * conditions. Node's `getColorDepth` interprets FORCE_COLOR, TERM and CI.
 */
export function paintFor(stream: Writable & { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint {
  const { FORCE_COLOR, NO_COLOR = "", ...others } = env;
  const isWanted = FORCE_COLOR !== undefined || (stream.isTTY === true && NO_COLOR === "");
  // Node 22 treats an empty NO_COLOR as set.
  const hasColours = isWanted && WriteStream.prototype.getColorDepth.call(stream, { FORCE_COLOR, ...others }) > 1;
  return hasColours ? (style, text) => styleText(style, text, { validateStream: false }) : (_style, text) => text;
}
