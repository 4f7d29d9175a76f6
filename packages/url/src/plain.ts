// Most URLs in, where their host and target end out: one look at each of their bytes, for those whose text needs no change.
import { tableOf } from "./characters.ts";
import { plainTarget, targetOf } from "./encode.ts";
import type { ParsedTarget } from "./target.ts";

/** The encoder of all engines, which ES2023's own types do not know. */
declare const TextEncoder: new () => {
  encodeInto(source: string, destination: Uint8Array): { readonly written: number };
};

/** URLs with more UTF-16 code units than these are left to the others. */
const longestUrl = 2048;

// Bytes of the URL at hand: read here, they cost half of what charCodeAt takes for a string that is a slice of another.
// Three bytes for each unit are the most that UTF-8 takes; one more for the end.
const bytes = new Uint8Array(3 * longestUrl + 1);
const encoder = new TextEncoder();

/** Characters of a host that is its own serialization, unless its last label begins with a digit. */
const inHost = 1;
/** Characters of a target that stay as they are. */
const inTarget = 2;
const kindOf = new Uint8Array(256);
const plainHost = tableOf("-.0123456789_abcdefghijklmnopqrstuvwxyz");
for (let code = 0; code < 128; code++) kindOf[code] = plainHost[code]! * inHost + plainTarget[code]! * inTarget;

const isUpperHex = tableOf("0123456789ABCDEF");

/**
 * What parseTarget gives, for a short URL with `http://` or `https://`, a host in lower-case ASCII that is no number, and
 * no user info; undefined leaves any other text to the general way.
 */
export function parsePlain(url: string): ParsedTarget | undefined {
  const end = url.length;
  if (end > longestUrl) return undefined;
  const { written } = encoder.encodeInto(url, bytes);
  // Ends every run of the loops below, none of which goes beyond a byte that is not ASCII.
  bytes[written] = 0;
  if (bytes[0] !== 0x68 || bytes[1] !== 0x74 || bytes[2] !== 0x74 || bytes[3] !== 0x70) return undefined;
  const colon = bytes[4] === 0x73 ? 5 : 4;
  if (bytes[colon] !== 0x3a || bytes[colon + 1] !== 0x2f || bytes[colon + 2] !== 0x2f) return undefined;

  const hostStart = colon + 3;
  let at = hostStart;
  while ((kindOf[bytes[at]!]! & inHost) !== 0) at++;
  if (at === hostStart || mayEndInNumber(hostStart, at)) return undefined;
  if (bytes[at] === 0x3a) at = portEndOf(at, colon === 5 ? 443 : 80);
  const originEnd = at;
  const next = bytes[at]!;
  if (next !== 0x2f && next !== 0x3f && next !== 0x23 && originEnd !== end) return undefined;

  for (;;) {
    while ((kindOf[bytes[at]!]! & inTarget) !== 0) at++;
    if (bytes[at] !== 0x25 || isUpperHex[bytes[at + 1]!] !== 1 || isUpperHex[bytes[at + 2]!] !== 1) break;
    at += 3;
  }
  const origin = url.slice(0, originEnd);
  if (at === end || bytes[at] === 0x23) {
    const target = url.slice(originEnd, at);
    return { origin, target: next === 0x2f ? target : `/${target}` };
  }
  // White space and controls at the end of the URL would have to be cut off first.
  return url.charCodeAt(end - 1) > 0x20 ? { origin, target: targetOf(url, originEnd) } : undefined;
}

/** The position behind the port at `colon` if an origin shows it just as it is written, otherwise `colon` itself. */
function portEndOf(colon: number, defaultPort: number): number {
  const start = colon + 1;
  let at = start;
  let port = 0;
  for (; at < start + 5 && bytes[at]! >= 0x30 && bytes[at]! <= 0x39; at++) port = port * 10 + bytes[at]! - 0x30;
  return at === start || bytes[start] === 0x30 || port > 65_535 || port === defaultPort ? colon : at;
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
