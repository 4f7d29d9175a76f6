// Recognizes special cases among the targets of requests, which are ranges of bytes.
import { bytesOf } from "../hash.ts";
import type { RobotsTarget } from "../history.ts";

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

/** The targets on one origin to which a robots.txt redirected. */
export class RobotsTargets {
  readonly #byText = new Map<string, RobotsTarget[]>();
  #longest = 0;

  constructor(targets: readonly RobotsTarget[]) {
    for (const each of targets) {
      const known = this.#byText.get(each.target);
      if (known === undefined) this.#byText.set(each.target, [each]);
      else known.push(each);
      this.#longest = Math.max(this.#longest, each.target.length);
    }
  }

  /** Whether a request is a fetch of a robots.txt, and if so, of that of its own origin. `atSeconds`: -1 for a request without a time. */
  kindOf(bytes: Uint8Array, start: number, end: number, atSeconds: number): "own" | "other" | undefined {
    if (end - start > this.#longest) return undefined;
    let text = "";
    for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]!);
    const found = this.#byText
      .get(text)
      ?.filter((each) => atSeconds < 0 || (atSeconds >= each.fromSeconds && atSeconds <= each.toSeconds));
    if (found === undefined || found.length === 0) return undefined;
    return found.some(({ isOwn }) => isOwn) ? "own" : "other";
  }
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
