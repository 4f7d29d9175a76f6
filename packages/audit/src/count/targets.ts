// Recognizes special cases among the targets of requests, which are ranges of bytes.
import { bytesOf } from "../hash.ts";

const robotsTxt = bytesOf("/robots.txt");
const questionMark = 0x3f;
const star = 0x2a;
const hash = 0x23;

/** Whether a target is exactly /robots.txt. A caller may have left its fragment, which is no part of a target. */
export function isRobotsTxt(bytes: Uint8Array, start: number, end: number): boolean {
  const after = start + robotsTxt.length;
  if (end !== after && !(end > after && bytes[after] === hash)) return false;
  for (let at = 0; at < robotsTxt.length; at++) if (bytes[start + at] !== robotsTxt[at]) return false;
  return true;
}

/** Whether a target is `*`, as in OPTIONS * (RFC 9112 §3.2.4); the method does not matter. */
export function isAsterisk(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === 1 && bytes[start] === star;
}

/** The position after the first `?`, or `end` if the target has none. */
export function queryStartOf(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) if (bytes[at] === questionMark) return at + 1;
  return end;
}
