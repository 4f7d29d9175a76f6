// Decodes raw JSON strings (bytes of a line, quotes included) to text or to bytes.
import { utf8TextOf } from "../../common/text.ts";

/** The decoded text of a raw JSON string. */
export function textOfJson(raw: string): string {
  return JSON.parse(utf8TextOf(raw)) as string;
}

/** The decoded text of a raw JSON string, as bytes. */
export function byteStringOfJson(raw: string): string {
  if (!raw.includes("\\")) return raw.slice(1, -1);
  // Does not use `byteStringOf`, because half a surrogate pair has to become U+FFFD as well.
  return Buffer.from(textOfJson(raw), "utf8").toString("latin1");
}
