// A slow, literal implementation of RFC 9309, with which tests compare the rfc9309 dialect.
import type { SlowDecision } from "./slow-matcher.ts";

interface SlowRule {
  readonly allows: boolean;
  readonly pattern: string;
  readonly line: number;
}

/** Decides a target for one product token (RFC 9309 §2.2). */
export function decideByTheStandard(text: string, token: string, target: string): SlowDecision {
  const path = normalized(target, false);
  if (path === "/robots.txt") return { allowed: true, line: 0 };
  const groups: { names: string[]; rules: SlowRule[]; isOpen: boolean }[] = [];
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    const [, key, value] =
      /^[ \t]*(user-agent|allow|disallow)[ \t]*:[ \t]*(.*?)[ \t]*$/is.exec(line.split("#")[0]!) ?? [];
    if (key === undefined || value === undefined) continue;
    const isValid = Array.from(value).every((character) => character >= " " || character === "\t");
    let group = groups.at(-1);
    if (key.toLowerCase() === "user-agent") {
      if (group?.isOpen !== true) groups.push((group = { names: [], rules: [], isOpen: true }));
      if (isValid && /^([a-z_-]+|\*)$/i.test(value)) group.names.push(value.toLowerCase());
    } else if (group !== undefined) {
      group.isOpen = false;
      if (!isValid || !/^([/*]|$)/.test(value)) continue;
      group.rules.push({ allows: key.toLowerCase() === "allow", pattern: normalized(value, true), line: at + 1 });
    }
  }
  const isNamed = groups.some(({ names }) => names.includes(token.toLowerCase()));
  const name = isNamed ? token.toLowerCase() : "*";
  const ranked = groups
    .filter(({ names }) => names.includes(name) && (isNamed || !names.includes(token.toLowerCase())))
    .flatMap(({ rules }) => rules)
    .filter(({ pattern }) => matches(pattern, path))
    .toSorted(
      (one, other) =>
        octetsOf(other) - octetsOf(one) || Number(other.allows) - Number(one.allows) || one.line - other.line,
    );
  const [winner] = ranked;
  return winner === undefined
    ? { allowed: true, line: 0 }
    : { allowed: winner.allows || winner.pattern === "", line: winner.line };
}

/** The unreserved characters, and the reserved characters except `*`, `$` and `#` (RFC 3986 §2.2, §2.3). */
const plain = /^[A-Za-z0-9\-._~:/?[\]@!&'()+,;=]$/;

function normalized(text: string, isPattern: boolean): string {
  const bytes = [...new TextEncoder().encode(text)].map((byte) => String.fromCharCode(byte)).join("");
  return bytes.replace(/%([0-9a-f]{2})|[^]/gis, (found: string, hex: string | undefined, at: number) => {
    const isSpecial = isPattern && (found === "*" || (found === "$" && at === bytes.length - 1));
    const octet = hex === undefined ? found : String.fromCharCode(Number.parseInt(hex, 16));
    if (isSpecial || plain.test(octet)) return octet;
    return `%${octet.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  });
}

/**
 * The minimum number of octets that a match can have: special characters count as none, but a leading star counts as the slash that it must
 * match.
 */
function octetsOf({ pattern }: SlowRule): number {
  const octets = pattern.replace(/\$$/, "").replaceAll("*", "").replaceAll(/%../g, "%").length;
  return /^\*+($|[^*/])/.test(pattern) ? octets + 1 : octets;
}

/** Whether the pattern matches the path. Keeps the set of all positions that the pattern read so far can reach. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith("$");
  let reached = new Set([0]);
  for (const character of anchored ? pattern.slice(0, -1) : pattern) {
    const next = new Set<number>();
    for (const at of reached) {
      if (character === "*") for (let end = at; end <= path.length; end++) next.add(end);
      else if (path[at] === character) next.add(at + 1);
    }
    reached = next;
  }
  return anchored ? reached.has(path.length) : reached.size > 0;
}
