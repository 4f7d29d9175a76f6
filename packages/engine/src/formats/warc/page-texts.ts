// Finds the texts for crawlers in the beginning of an HTTP response's block: its X-Robots-Tag lines and its HTML.
import { decodedOf, messageOf } from "../../robots/archive/warc-entry.ts";
import type { FieldTexts } from "../../records/row-heads.ts";

/** Bytes of a page that are kept: what Google Search reads of it. */
const mostPageBytes = 2 * 1_048_576;

/** The type of {@link pageTextsOf}, for the reader, which loads this module when texts are asked for. */
export type PageTextsOf = typeof pageTextsOf;

/**
 * The texts as undecoded bytes, each line of X-Robots-Tag with a line end. A page in a content coding is decoded as far as its bytes are
 * there. No page for other media types, and for codings that are unknown or damaged.
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

/** The values of all lines with that name in lower case, in the head of a message. */
function linesOf(head: string, name: string): readonly string[] {
  const values: string[] = [];
  for (const line of head.split("\n")) {
    if (line === "" || line === "\r") break;
    const colon = line.indexOf(":");
    if (colon === name.length && line.slice(0, colon).toLowerCase() === name) values.push(line.slice(colon + 1).trim());
  }
  return values;
}
