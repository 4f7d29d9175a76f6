// Converts UTF-16 text, as spreadsheets write it, to UTF-8. UTF-16 is recognized by its byte order mark (Unicode 17, §23.8). Any other text
// is treated as UTF-8 or a superset of ASCII and stays unchanged.
import { peek } from "./peek.ts";

/** An encoding that is converted to UTF-8. */
export type Encoding = "utf-16le" | "utf-16be";

/** A source as UTF-8. */
export interface Decoded {
  readonly encoding: Encoding | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Determines the encoding from the byte order mark in the first two bytes, and converts the chunks to UTF-8. Invalid UTF-16 becomes U+FFFD.
 */
export async function decodeText(chunks: AsyncIterable<Uint8Array>): Promise<Decoded> {
  let seen = 0;
  const peeked = await peek(chunks, (chunk) => {
    // When the first byte does not begin a byte order mark, the second byte is not needed.
    const isOther = seen === 0 && chunk.byteLength > 0 && chunk[0]! < 0xfe;
    return isOther || (seen += chunk.byteLength) >= 2;
  });
  const [first, second] = peeked.beginning;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : undefined;
  return { encoding, chunks: encoding === undefined ? peeked.chunks : utf8Of(peeked.chunks, encoding) };
}

async function* utf8Of(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== "") yield Buffer.from(text, "utf8");
  }
  const rest = decoder.decode();
  if (rest !== "") yield Buffer.from(rest, "utf8");
}
