// Converts a question to the fragment of a link and back: JSON, deflated, in base64url. Browsers never send a fragment to a server.
import { type Question, members, questionOf } from "./state.ts";

/** Maximum number of bytes of a fragment's JSON, so that a stranger's link cannot exhaust the memory. */
export const mostBytes = 2_000_000;

/** The version of this encoding; each change of the encoding gets a new number. */
const version = "1.";

/** The fragment that encodes a question, without `#`; undefined if the question is too long for a link. */
export async function fragmentOf(question: Question): Promise<string | undefined> {
  const given = members.filter((member) => question[member] !== "").map((member) => [member, question[member]]);
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(given)));
  if (text.length > mostBytes) return undefined;
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const deflated = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of deflated) binary += String.fromCharCode(byte);
  return version + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The question that a fragment (with or without its `#`) encodes; undefined for any other text. */
export async function questionIn(fragment: string): Promise<Question | undefined> {
  const text = fragment.replace(/^#/u, "");
  if (!text.startsWith(version)) return undefined;
  try {
    const binary = atob(text.slice(version.length).replaceAll("-", "+").replaceAll("_", "/"));
    const deflated = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const given: unknown = JSON.parse(new TextDecoder().decode(await bytesOf(stream)));
    if (typeof given !== "object" || given === null) return undefined;
    const texts = members.flatMap((member) => {
      const value = (given as Readonly<Record<string, unknown>>)[member];
      return typeof value === "string" ? [[member, value] as const] : [];
    });
    return questionOf(Object.fromEntries(texts));
  } catch {
    return undefined;
  }
}

/** The bytes of a stream. Rejects if there are more than `mostBytes`. */
async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length;
    if (length > mostBytes) {
      await reader.cancel();
      throw new RangeError(`more than ${mostBytes} bytes`);
    }
    parts.push(read.value);
  }
  const all = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}
