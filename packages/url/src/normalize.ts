// Removes dot segments and needless escapes from a target (URL standard §4.4, path state; RFC 3986 §6.2.2).
import { hexDigitOf, notHex, tableOf } from "./characters.ts";
import { UrlError } from "./types.ts";

const unreserved: Uint8Array = tableOf("-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~");

/**
 * The target as a server resolves it. Percent-encoded unreserved octets (RFC 3986 §2.3: letters, digits, `-` `.` `_` `~`) are
 * decoded in path and query, except a hex digit that would complete another escape (`%%341`). Then the `.` and `..` segments of the path
 * are removed as in the URL standard, including `%2e` in any spelling. Nothing else changes: `//` and reserved characters are kept as
 * written. Idempotent; takes time linear in the length of the target.
 * @throws {UrlError} `ERR_NOT_A_TARGET` for a value that does not begin with `/`.
 */
export function normalizeTarget(target: string): string {
  if (typeof target !== "string" || !target.startsWith("/")) {
    throw new UrlError("ERR_NOT_A_TARGET", "A target begins with a slash");
  }
  const decoded = target.includes("%") ? withoutNeedlessEscapes(target) : target;
  const pathEnd = decoded.indexOf("?");
  const path = pathEnd < 0 ? decoded : decoded.slice(0, pathEnd);
  if (!path.includes("/.")) return decoded;
  return withoutDotSegments(path) + (pathEnd < 0 ? "" : decoded.slice(pathEnd));
}

function withoutNeedlessEscapes(target: string): string {
  let out = "";
  let done = 0;
  for (let at = target.indexOf("%"); at >= 0; at = target.indexOf("%", at + 1)) {
    const octet = octetAt(target, at);
    if (octet < 0 || octet >= 0x80 || unreserved[octet] !== 1) continue;
    // "%%341" is a "%" and then "41" with an escaped 4. Decoding the 4 would create "%41", the escape of "A".
    if (hexDigitOf(octet) !== notHex && isBehindPercent(target, at)) continue;
    out += target.slice(done, at) + String.fromCharCode(octet);
    done = at + 3;
  }
  return out + target.slice(done);
}

/** The octet of the escape at `percent`, or -1 if the text there is not an escape. */
function octetAt(target: string, percent: number): number {
  const high = target.charCodeAt(percent + 1);
  const low = target.charCodeAt(percent + 2);
  if (hexDigitOf(high) === notHex || hexDigitOf(low) === notHex) return -1;
  return parseInt(target.slice(percent + 1, percent + 3), 16);
}

/** Whether a "%" that begins no escape precedes `at`, directly or with one hex digit between them. */
function isBehindPercent(target: string, at: number): boolean {
  const before = target.charCodeAt(at - 1);
  return before === 0x25 || (hexDigitOf(before) !== notHex && target.charCodeAt(at - 2) === 0x25);
}

function withoutDotSegments(path: string): string {
  const segments = path.split("/");
  const last = segments.length - 1;
  const kept: string[] = [];
  for (let at = 1; at <= last; at++) {
    const segment = segments[at]!;
    if (segment === "..") kept.pop();
    else if (segment !== ".") kept.push(segment);
    // Removing a dot segment at the end keeps the slash before it.
    if (at === last && (segment === "." || segment === "..")) kept.push("");
  }
  return `/${kept.join("/")}`;
}
