// Encodes the part of a URL after the authority as the target for rules (RFC 9309 §2.2.2). The README's table lists each change.
import { hexDigitOf, lowerHex, notHex, tableOf } from "./characters.ts";

/** The characters that are not changed: all of printable ASCII except space, `"`, `#`, `%`, `<`, `>` and `\`. */
export const plainTarget: Uint8Array = tableOf(
  "!$&'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~",
);

/**
 * The target of a URL whose authority ends at `from`. The target starts with `/` and ends before the first `#`; it is a slice
 * of `url` if no character has to be changed or added. The caller must have cut off white space and control characters at the end of the
 * URL. Takes time linear in the length of the URL.
 */
export function targetOf(url: string, from: number): string {
  const end = url.length;
  for (let at = from; at < end; at++) {
    const code = url.charCodeAt(at);
    if (code < 0x80 && plainTarget[code] === 1) continue;
    if (code === 0x25) {
      if (!isLowerEscape(url, at)) continue;
    } else if (code === 0x23) {
      return rooted(url.slice(from, at));
    }
    return rooted(encodedOf(url, from, at));
  }
  return rooted(from === 0 ? url : url.slice(from));
}

/** Adds the "/" that a request has before an empty path, as in "" and "?a". */
function rooted(target: string): string {
  return target.charCodeAt(0) === 0x2f ? target : `/${target}`;
}

/** Whether `percent` begins a valid escape with a lower-case digit, which must be changed to upper case. */
function isLowerEscape(text: string, percent: number): boolean {
  const high = hexDigitOf(text.charCodeAt(percent + 1));
  const low = hexDigitOf(text.charCodeAt(percent + 2));
  return high !== notHex && low !== notHex && (high === lowerHex || low === lowerHex);
}

/** The encoded text from `from` to the first `#`. `first` is the offset of the first character that may need encoding. */
function encodedOf(url: string, from: number, first: number): string {
  let query = url.slice(from, first).includes("?");
  let encoded = "";
  let done = from;
  let at = first;
  for (; at < url.length; at++) {
    const code = url.charCodeAt(at);
    if (code < 0x80 && plainTarget[code] === 1) {
      if (code === 0x3f) query = true;
      continue;
    }
    if (code === 0x23) break;
    // The standard removes TAB, LF and CR before parsing, so "%4<TAB>1" is an escape: the encoding starts again without them.
    if (code === 0x09 || code === 0x0a || code === 0x0d) return targetOf(withoutTabsOf(url.slice(from)), 0);
    let changed: string;
    let next = at + 1;
    if (code === 0x25) {
      if (!isLowerEscape(url, at)) continue;
      next = at + 3;
      changed = url.slice(at, next).toUpperCase();
    } else if (code === 0x5c) {
      if (query) continue;
      changed = "/";
    } else if (code < 0x80) {
      changed = `%${code < 0x10 ? "0" : ""}${code.toString(16).toUpperCase()}`;
    } else {
      while (next < url.length && url.charCodeAt(next) >= 0x80) next++;
      changed = utf8EscapesOf(url.slice(at, next));
    }
    encoded += url.slice(done, at) + changed;
    done = next;
    at = next - 1;
  }
  return encoded + url.slice(done, at);
}

/**
 * A text without TAB, LF and CR. If only these characters separate a high surrogate from a low one, the high one becomes U+FFFD, so that
 * the two do not join into one character.
 */
export function withoutTabsOf(text: string): string {
  return text.replaceAll(/[\ud800-\udbff](?=[\t\n\r]+[\udc00-\udfff])/g, "\ufffd").replaceAll(/[\t\n\r]/g, "");
}

/** Each octet of the text's UTF-8 encoding as `%XX`, with lone surrogates as U+FFFD. */
function utf8EscapesOf(text: string): string {
  return encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/gu, "\ufffd"));
}
