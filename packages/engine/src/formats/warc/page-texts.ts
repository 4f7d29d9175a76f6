// Finds the X-Robots-Tag fields and the HTML in the beginning of an HTTP response's block.
import { decodedOf, messageOf } from "./warc-entry.ts";
import type { FieldTexts } from "../../records/row-heads.ts";

/** Number of bytes kept of a page: Google Search reads no more of it. */
const mostPageBytes = 2 * 1_048_576;

/** The type of {@link pageTextsOf}, for format.ts, which imports this module on demand. */
export type PageTextsOf = typeof pageTextsOf;

/**
 * Returns the texts of a response, as bytes in the page's character encoding. `block`: the response or its beginning; `head`: the text of
 * its header. The value of each X-Robots-Tag field ends with a line feed. The content coding of the page is removed, also when only the
 * beginning of the page is given. `html` is undefined without `asksPage`, for media types other than HTML and XHTML, and for an unknown or
 * damaged coding.
 */
export function pageTextsOf(block: Buffer, head: string, asksPage: boolean): FieldTexts {
  const xRobotsTag = linesOf(head, "x-robots-tag")
    .map((line) => `${line}\n`)
    .join("");
  return { xRobotsTag, html: asksPage ? htmlOf(block, head) : undefined };
}

function htmlOf(block: Buffer, head: string): string | undefined {
  const [type = "text/html"] = linesOf(head, "content-type");
  if (!/^(?:text\/html|application\/xhtml\+xml)(?:[;\s]|$)/i.test(type)) return undefined;
  const message = messageOf(block);
  if (message === undefined) return undefined;
  const body = decodedOf(message, true);
  if (body === undefined || body === "incomplete") return undefined;
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, mostPageBytes)).toString("latin1");
}

/** The values of all header fields of a name, in the head of a message. `name` is in lower case. */
function linesOf(head: string, name: string): readonly string[] {
  const values: string[] = [];
  for (const line of head.split("\n")) {
    if (line === "" || line === "\r") break;
    const colon = line.indexOf(":");
    if (colon === name.length && line.slice(0, colon).toLowerCase() === name) values.push(line.slice(colon + 1).trim());
  }
  return values;
}
