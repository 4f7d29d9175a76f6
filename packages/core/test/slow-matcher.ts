// A simple, slow matcher, with which tests compare the compiled matcher.
import type { Directive } from "../src/lint.ts";

export interface SlowDecision {
  readonly allowed: boolean;
  readonly line: number;
}

interface Found {
  octets: number;
  line: number;
}

/** Decides as Google's parser does: reads every line for each decision and tries every way to match a pattern. */
export function decideSlowly(directives: readonly Directive[], tokens: readonly string[], path: string): SlowDecision {
  const names = new Set(tokens.map(lower));
  const sides = { specific: side(), global: side() };
  let isGlobal = false;
  let isSpecific = false;
  let sawRule = false;
  let everSpecific = false;
  for (const { type, value, line } of directives) {
    if (type === "user-agent") {
      if (sawRule) isGlobal = isSpecific = sawRule = false;
      if (/^\*([ \t\v\f]|$)/.test(value)) isGlobal = true;
      else if (names.has(lower(/^[A-Za-z_-]*/.exec(value)![0]))) isSpecific = everSpecific = true;
    } else if (type === "allow" || type === "disallow") {
      if (!isGlobal && !isSpecific) continue;
      sawRule = true;
      const octets = octetsOf(type, value, path);
      const best = sides[isSpecific ? "specific" : "global"][type];
      if (octets > best.octets) Object.assign(best, { octets, line });
    }
  }
  const { allow, disallow } = everSpecific ? sides.specific : sides.global;
  const allowed = !(disallow.octets > 0 && disallow.octets > allow.octets);
  return { allowed, line: disallow.octets > allow.octets ? disallow.line : allow.line };
}

function side(): { allow: Found; disallow: Found } {
  return { allow: { octets: -1, line: 0 }, disallow: { octets: -1, line: 0 } };
}

function octetsOf(type: "allow" | "disallow", pattern: string, path: string): number {
  if (matches(pattern, path)) return pattern.length;
  const slash = pattern.lastIndexOf("/");
  if (type === "allow" && slash >= 0 && pattern.startsWith("/index.htm", slash)) {
    const folder = `${pattern.slice(0, slash + 1)}$`;
    if (matches(folder, path)) return folder.length;
  }
  return -1;
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

function lower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
