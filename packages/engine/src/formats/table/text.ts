// Makes the texts of an answer for a table: a mark, a word and the reason.
import type { Answer } from "../types.ts";

/** A decision as a table shows it. "no crawler" is not a decision: a browser, for example, made the request. */
export type Verdict = "allowed" | "disallowed" | "undecided" | "no crawler";

/** The sign before each word, for readers who cannot distinguish the colours. */
export const markOf: Readonly<Record<Verdict, string>> = {
  allowed: "✔",
  disallowed: "✘",
  undecided: "–",
  "no crawler": "–",
};

/** The decision of an answer. */
export function verdictOf({ allowed, because }: Pick<Answer, "allowed" | "because">): Verdict {
  if (because === "not-a-crawler") return "no crawler";
  return allowed === null ? "undecided" : allowed ? "allowed" : "disallowed";
}

const reasons: Readonly<Record<string, string>> = {
  "invalid-url": "invalid URL",
  "url-too-long": "URL is too long",
  "robots-txt": "robots.txt itself",
  "no-file": "no robots.txt is known",
  outage: "robots.txt was unreachable",
  "no-time": "versions differ, and the record has no time",
  connect: "a CONNECT, which has no URL",
};

/** The members of an answer that are shown in a table's own columns, or not at all. */
const ownMembers: ReadonlySet<string> = new Set([
  "agent",
  "dialect",
  "kind",
  "allowed",
  "because",
  "group",
  "code",
  "rule",
  "line",
  "origin",
] satisfies readonly (keyof Answer)[]);

/** The text of an answer's other members, such as "  verified: false"; "" if it has no other members. */
export function membersTextOf(answer: Answer): string {
  return Object.entries(answer)
    .filter(([name]) => !ownMembers.has(name))
    .map(([name, value]) => `  ${name}: ${shortTextOf(value)}`)
    .join("");
}

/** The text of versions of a robots.txt, with shortened hashes: "3f2a9c04d1be of 2026-11-01". Undefined if an element is not a version. */
function versionsTextOf(versions: readonly unknown[]): string | undefined {
  const texts = versions.map((each) => {
    const { version, from } = (each ?? {}) as { readonly version?: unknown; readonly from?: unknown };
    if (typeof version !== "string") return undefined;
    return version.slice(0, shortHash) + (typeof from === "string" ? ` of ${from.slice(0, dateLength)}` : "");
  });
  return texts.includes(undefined) ? undefined : texts.join(", ");
}

const shortHash = 12;
const dateLength = 10;

/** The text of a member's value. An object whose members have a `value` each, such as `usage`, becomes "train-ai disallow". */
function shortTextOf(value: unknown): string {
  if (typeof value === "string") return value;
  const versions = Array.isArray(value) ? versionsTextOf(value) : undefined;
  if (versions !== undefined) return versions;
  const values = Object.entries(value ?? {}).flatMap(([name, member]: [string, unknown]) => {
    const inner = typeof member === "object" && member !== null && "value" in member ? member.value : undefined;
    return typeof inner === "string" ? [[name, inner] as const] : [];
  });
  if (values.length === 0) return JSON.stringify(value);
  const known = values.filter(([, inner]) => inner !== "unknown").map((pair) => pair.join(" "));
  return known.length === 0 ? "unknown" : known.join(", ");
}

/** The reason for an answer: "3  disallow: /cart", "3  disallow: /cart  (unknown crawler)", "unreachable: http-503", "no rule". */
export function whyOf({ because, rule, line, code }: Pick<Answer, "because" | "rule" | "line" | "code">): string {
  if (rule !== undefined && line !== undefined) {
    return `${line}  ${rule}${because === "rule" ? "" : `  (${because.replaceAll("-", " ")})`}`;
  }
  const reason = reasons[because] ?? because.replaceAll("-", " ");
  return code === undefined ? reason : `${reason}: ${code}`;
}
