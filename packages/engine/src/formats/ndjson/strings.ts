// Raw JSON strings in, quotes included, as in the bytes of a line; their values out, as text or as bytes.
import { utf8TextOf } from "../../text.ts";

/** What a raw JSON string means, as text. */
export function textOfJson(raw: string): string {
  return JSON.parse(utf8TextOf(raw)) as string;
}

/** What a raw JSON string means, as bytes. */
export function byteStringOfJson(raw: string): string {
  if (!raw.includes("\\")) return raw.slice(1, -1);
  // Not `byteStringOf`: half a surrogate pair has to become U+FFFD as well.
  return Buffer.from(textOfJson(raw), "utf8").toString("latin1");
}
