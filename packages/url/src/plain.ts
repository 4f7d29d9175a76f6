// A fast path for most URLs: finds origin and target of URLs that need almost no change, two bytes at a time.
import { tableOf } from "./characters.ts";
import { targetOf } from "./encode.ts";
import { inHost, inTarget, kindOf, kindOfPair, lower } from "./kinds.ts";
import type { ParsedTarget } from "./types.ts";

/** TextEncoder is available in all engines, but not declared in the types of ES2023. */
declare const TextEncoder: new () => {
  encodeInto(source: string, destination: Uint8Array): { readonly written: number };
};

/** The maximum number of UTF-16 code units of a URL on this path; longer URLs take the general path. */
const longestUrl = 2048;

// The current URL as bytes, because charCodeAt takes twice as long on a string that is a slice of another string. UTF-8 takes
// at most three bytes per code unit; the rest of the buffer is for the zeros after the last byte.
const room = new ArrayBuffer(4 * longestUrl);
const bytes = new Uint8Array(room);
const pairs = new Uint16Array(room);
const words = new Uint32Array(room);
const encoder = new TextEncoder();

const isUpperHex = tableOf("0123456789ABCDEF");
const isHex = tableOf("0123456789ABCDEFabcdef");

// "http" and "s://" as words in this machine's byte order.
const httpWord = wordOf("http");
const secureWord = wordOf("s://");

function wordOf(text: string): number {
  encoder.encodeInto(text, bytes);
  return words[0]!;
}

/**
 * The result of `parseTarget` for most URLs of at most 2,048 code units with `http://` or `https://`, an ASCII host that is not a number,
 * and no user info. Undefined for any other text, which takes the general path.
 */
export function parsePlain(url: string): ParsedTarget | undefined {
  const end = url.length;
  if (end > longestUrl) return undefined;
  const { written } = encoder.encodeInto(url, bytes);
  // The zeros stop every scan before the bytes of an earlier URL. A byte of 0x80 and above stops every scan, too.
  bytes[written] = bytes[written + 1] = bytes[written + 2] = bytes[written + 3] = 0;
  if (words[0] !== httpWord) return undefined;
  const isSecure = words[1] === secureWord;
  if (!isSecure && (bytes[4] !== 0x3a || bytes[5] !== 0x2f || bytes[6] !== 0x2f)) return undefined;

  const hostStart = isSecure ? 8 : 7;
  // The loop starts at byte 8. An "http" host begins at byte 7, so its first byte is checked here.
  let hostKinds = isSecure ? inHost | lower : kindOf[bytes[7]!]!;
  if ((hostKinds & inHost) === 0) return undefined;
  let pair = 4;
  for (;;) {
    const kinds = kindOfPair[pairs[pair]!]!;
    if ((kinds & inHost) === 0) break;
    hostKinds &= kinds;
    pair++;
  }
  let at = 2 * pair;
  const odd = kindOf[bytes[at]!]!;
  if ((odd & inHost) !== 0) {
    hostKinds &= odd;
    at++;
  }
  if (at === hostStart || mayEndInNumber(hostStart, at)) return undefined;
  let originEnd = at;
  if (bytes[at] === 0x3a) {
    at = portEndOf(originEnd);
    if (!isDefaultPort(originEnd, at, isSecure)) originEnd = at;
  }
  const next = bytes[at]!;
  if (next !== 0x2f && next !== 0x3f && next !== 0x23 && at !== end) return undefined;
  let origin = url.slice(0, originEnd);
  if ((hostKinds & lower) === 0) origin = origin.toLowerCase();

  if (next === 0x2f && written === end && isPlainTo(end, at)) return { origin, target: url.slice(at) };
  const targetStart = at;
  let target = next === 0x2f ? "" : "/";
  let done = at;
  for (;;) {
    while ((kindOf[bytes[at]!]! & inTarget) !== 0) at++;
    if (bytes[at] !== 0x25) break;
    if (isUpperHex[bytes[at + 1]!] === 1 && isUpperHex[bytes[at + 2]!] === 1) {
      at += 3;
      continue;
    }
    const escapesEnd = escapesEndOf(at);
    if (escapesEnd === at) at++;
    else {
      target += url.slice(done, at) + url.slice(at, escapesEnd).toUpperCase();
      done = at = escapesEnd;
    }
  }
  if (at === end || bytes[at] === 0x23) return { origin, target: target + url.slice(done, at) };
  // White space and control characters at the end would have to be cut off first, which the general path does.
  return url.charCodeAt(end - 1) > 0x20 ? { origin, target: targetOf(url, targetStart) } : undefined;
}

/**
 * Whether no character from `start` to `end` needs a change or ends the target. The four-byte word that contains `start` may begin before
 * `start`; the bytes before `start` have the kind `inTarget`, too.
 */
function isPlainTo(end: number, start: number): boolean {
  // The last word is padded with plain characters, so that one loop with a known number of iterations checks all bytes.
  bytes[end] = bytes[end + 1] = bytes[end + 2] = 0x2f;
  let kinds = inTarget;
  for (let word = start >> 2; word < (end + 3) >> 2; word++) {
    const four = words[word]!;
    kinds &= kindOfPair[four & 0xffff]! & kindOfPair[four >>> 16]!;
  }
  bytes[end] = bytes[end + 1] = bytes[end + 2] = 0;
  return kinds !== 0;
}

/** The position after the escapes that begin at `percent`; `percent` itself if the text there is not an escape. */
function escapesEndOf(percent: number): number {
  let at = percent;
  while (bytes[at] === 0x25 && isHex[bytes[at + 1]!] === 1 && isHex[bytes[at + 2]!] === 1) at += 3;
  return at;
}

/** The position after the port at `colon` if the port is a number from 1 to 65535 without leading zeros, otherwise `colon` itself. */
function portEndOf(colon: number): number {
  const start = colon + 1;
  let at = start;
  let port = 0;
  for (; at < start + 5 && bytes[at]! >= 0x30 && bytes[at]! <= 0x39; at++) port = port * 10 + bytes[at]! - 0x30;
  return at === start || bytes[start] === 0x30 || port > 65_535 ? colon : at;
}

/** Whether the port after `colon` is the default port of the scheme, which origins omit. */
function isDefaultPort(colon: number, end: number, isSecure: boolean): boolean {
  if (!isSecure) return end === colon + 3 && bytes[colon + 1] === 0x38 && bytes[colon + 2] === 0x30;
  return end === colon + 4 && bytes[colon + 1] === 0x34 && bytes[colon + 2] === 0x34 && bytes[colon + 3] === 0x33;
}

/** Whether the last label may be a number, as in every form of an IPv4 address. False unless the label begins with a digit. */
function mayEndInNumber(hostStart: number, hostEnd: number): boolean {
  let start = bytes[hostEnd - 1] === 0x2e ? hostEnd - 1 : hostEnd;
  // A number never ends in a letter from "g" to "z", except that "0x" is a number.
  const last = bytes[start - 1]!;
  if (last > 0x66 && last !== 0x78) return false;
  while (start > hostStart && bytes[start - 1] !== 0x2e) start--;
  const first = bytes[start]!;
  return first >= 0x30 && first <= 0x39;
}
