// Chunks of text in, the same text in UTF-8 out: UTF-16 is told by its byte order mark (Unicode 17, §23.8), as spreadsheets
// write it; all else is taken for UTF-8 or a superset of ASCII, and stays byte for byte.
import { peek } from "./peek.ts";

/** An encoding that is turned into UTF-8. */
export type Encoding = "utf-16le" | "utf-16be";

/** A source as UTF-8. */
export interface Decoded {
  readonly encoding: Encoding | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Looks at the first two bytes and decodes what they announce. What is no UTF-16 becomes U+FFFD. */
export async function decodeText(chunks: AsyncIterable<Uint8Array>): Promise<Decoded> {
  let seen = 0;
  const peeked = await peek(chunks, (chunk) => {
    // What no mark begins with is not kept waiting for a second byte.
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
