// What follows a URL's host in, the target that rules are compared with out: RFC 9309 §2.2.2, encoded no further than the README's table says.
import { hexDigitOf, lowerHex, notHex, tableOf } from "./characters.ts";

/** Characters that stay as they are: all of printable ASCII but space `"` `#` `%` `<` `>` and `\`. */
export const plainTarget: Uint8Array = tableOf(
  "!$&'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~",
);

/**
 * The target that begins at `from`, where the authority ends. It starts with `/`, ends before the first `#`, and is a
 * slice of `url` where nothing had to be changed. White space at the URL's end must have been cut off. Linear.
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

/** Empty and "?a" get the "/" that a request gives them. */
function rooted(target: string): string {
  return target.charCodeAt(0) === 0x2f ? target : `/${target}`;
}

/** A valid escape with a lower-case digit, which becomes upper-case. */
function isLowerEscape(text: string, percent: number): boolean {
  const high = hexDigitOf(text.charCodeAt(percent + 1));
  const low = hexDigitOf(text.charCodeAt(percent + 2));
  return high !== notHex && low !== notHex && (high === lowerHex || low === lowerHex);
}

/** The text from `from` to the first `#`, encoded. `first` is the offset of the first character that may need it. */
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
    // The standard removes these before it reads anything, so "%4<TAB>1" is an escape: begin again without them.
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

/** A text without TAB, LF and CR. Surrogate halves that were separated by one become U+FFFD each, not one character. */
export function withoutTabsOf(text: string): string {
  return text.replaceAll(/[\ud800-\udbff](?=[\t\n\r]+[\udc00-\udfff])/g, "\ufffd").replaceAll(/[\t\n\r]/g, "");
}

/** Each octet of the text's UTF-8 as `%XX`, a surrogate without its half as U+FFFD. */
function utf8EscapesOf(text: string): string {
  return encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/gu, "\ufffd"));
}
