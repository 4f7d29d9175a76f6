// Makes the text that is kept of the User-Agent header of an unknown agent.
import { escapedTextOf } from "./names.ts";

/** The text that is kept of an unknown agent's User-Agent header: its first 200 bytes, with bytes other than printable ASCII as `%XX`. */
export function shownAgentOf(header: Uint8Array): string {
  const shown = header.subarray(0, 200);
  const words: string[] = [];
  for (let start = 0; start <= shown.length;) {
    const space = shown.indexOf(0x20, start);
    const end = space < 0 ? shown.length : space;
    words.push(escapedTextOf(shown, start, end));
    start = end + 1;
  }
  return words.join(" ");
}
