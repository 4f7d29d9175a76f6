// Most URLs in, their origin and target out: two bytes at a time, for URLs whose text needs next to no change.
import { tableOf } from "./characters.ts";
import { targetOf } from "./encode.ts";
import { inHost, inTarget, kindOf, kindOfPair, lower } from "./kinds.ts";
import type { ParsedTarget } from "./types.ts";

/** The encoder of all engines, which ES2023's own types do not know. */
declare const TextEncoder: new () => {
  encodeInto(source: string, destination: Uint8Array): { readonly written: number };
};

/** URLs of more UTF-16 code units take the general path. */
const longestUrl = 2048;

// The current URL as bytes: charCodeAt takes twice as long for a string that is a slice of another. UTF-8 takes at most three
// bytes for each unit; the rest of the buffer is for the zeros that close the last word.
const room = new ArrayBuffer(4 * longestUrl);
const bytes = new Uint8Array(room);
const pairs = new Uint16Array(room);
const words = new Uint32Array(room);
const encoder = new TextEncoder();

const isUpperHex = tableOf("0123456789ABCDEF");
const isHex = tableOf("0123456789ABCDEFabcdef");

// "http" and "s://" as words in the order of this machine's bytes.
const httpWord = wordOf("http");
const secureWord = wordOf("s://");

function wordOf(text: string): number {
  encoder.encodeInto(text, bytes);
  return words[0]!;
}

/**
 * What parseTarget gives, for a short URL with `http://` or `https://`, a host in ASCII that is no number, and no user
 * info; undefined for any other text, which takes the general path.
 */
export function parsePlain(url: string): ParsedTarget | undefined {
  const end = url.length;
  if (end > longestUrl) return undefined;
  const { written } = encoder.encodeInto(url, bytes);
  // Zeros end every run, none of which goes beyond a byte that is not ASCII; what an earlier URL left stays behind them.
  bytes[written] = bytes[written + 1] = bytes[written + 2] = bytes[written + 3] = 0;
  if (words[0] !== httpWord) return undefined;
  const isSecure = words[1] === secureWord;
  if (!isSecure && (bytes[4] !== 0x3a || bytes[5] !== 0x2f || bytes[6] !== 0x2f)) return undefined;

  const hostStart = isSecure ? 8 : 7;
  // Both are in the fourth pair's end or behind it; an "http" host has its first byte there.
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
  // White space and controls at the end of the URL would have to be cut off first.
  return url.charCodeAt(end - 1) > 0x20 ? { origin, target: targetOf(url, targetStart) } : undefined;
}

/** Whether nothing from `start` to `end` needs a change or ends the target. Before `start` there is nothing but a host. */
function isPlainTo(end: number, start: number): boolean {
  // The last word is filled up, so that one loop with a known number of turns sees all.
  bytes[end] = bytes[end + 1] = bytes[end + 2] = 0x2f;
  let kinds = inTarget;
  for (let word = start >> 2; word < (end + 3) >> 2; word++) {
    const four = words[word]!;
    kinds &= kindOfPair[four & 0xffff]! & kindOfPair[four >>> 16]!;
  }
  bytes[end] = bytes[end + 1] = bytes[end + 2] = 0;
  return kinds !== 0;
}

/** The position behind the escapes that begin at `percent`, or `percent` itself where the text there is none. */
function escapesEndOf(percent: number): number {
  let at = percent;
  while (bytes[at] === 0x25 && isHex[bytes[at + 1]!] === 1 && isHex[bytes[at + 2]!] === 1) at += 3;
  return at;
}

/** The position behind the port at `colon` if it is written as origins write ports, otherwise `colon` itself. */
function portEndOf(colon: number): number {
  const start = colon + 1;
  let at = start;
  let port = 0;
  for (; at < start + 5 && bytes[at]! >= 0x30 && bytes[at]! <= 0x39; at++) port = port * 10 + bytes[at]! - 0x30;
  return at === start || bytes[start] === 0x30 || port > 65_535 ? colon : at;
}

/** Whether the port behind `colon` is the one that origins of this scheme leave out. */
function isDefaultPort(colon: number, end: number, isSecure: boolean): boolean {
  if (!isSecure) return end === colon + 3 && bytes[colon + 1] === 0x38 && bytes[colon + 2] === 0x30;
  return end === colon + 4 && bytes[colon + 1] === 0x34 && bytes[colon + 2] === 0x34 && bytes[colon + 3] === 0x33;
}

/** Whether the last label begins with a digit: only then can the host be an IPv4 address in one of its forms. */
function mayEndInNumber(hostStart: number, hostEnd: number): boolean {
  let start = bytes[hostEnd - 1] === 0x2e ? hostEnd - 1 : hostEnd;
  // Nor does a number, hexadecimal or not, end in one of "g" to "z", unless it is "0x".
  const last = bytes[start - 1]!;
  if (last > 0x66 && last !== 0x78) return false;
  while (start > hostStart && bytes[start - 1] !== 0x2e) start--;
  const first = bytes[start]!;
  return first >= 0x30 && first <= 0x39;
}
