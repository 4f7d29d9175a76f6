// The command line of `explain` in, what to explain out; its flags as one table, from which its help comes too.
import { parseArgs } from "node:util";
import { type DialectName, type TokenMatch, isProductToken } from "@robots-stream/core";
import { UsageError } from "../exit.ts";
import type { FlagName, ParsedFlags } from "../flags.ts";
import { nearestOf } from "../nearest.ts";
import { type Settings, settingsOf } from "../settings.ts";
import { printableOf } from "../text.ts";

/** The flags of `explain` that no other command has. */
type OwnFlagName = "dialect" | "token-match" | "json" | "help";

/** The flags that mean what they mean everywhere. */
const sharedFlagNames = ["agent", "robots", "user-agent", "timeout", "max-bytes", "allow-private"] as const;
type SharedFlagName = (typeof sharedFlagNames)[number];

/** One flag. */
interface ExplainFlag {
  readonly name: OwnFlagName | SharedFlagName;
  readonly short?: string;
  /** What stands for its value in the help; absent for a switch. */
  readonly value?: string;
  readonly isRepeatable?: boolean;
  readonly about: string;
  readonly otherwise?: string;
}

const dialectNames: readonly DialectName[] = ["google", "rfc9309"];
const tokenMatches: readonly TokenMatch[] = ["google", "whole"];

/** Every flag, in the order of the help. */
export const explainFlags: readonly ExplainFlag[] = [
  {
    name: "agent",
    short: "a",
    value: "TOKEN",
    isRepeatable: true,
    about: "Product token of the crawler, as robots.txt names it: bingbot, not a User-Agent header.",
  },
  {
    name: "robots",
    value: "DIR|FILE",
    about: "Answer from saved files, without the network: DIR has example.com.txt …, FILE holds for all origins.",
    otherwise: "the origin is asked",
  },
  {
    name: "dialect",
    value: "NAME",
    about: `How to read the file: ${dialectNames.join(", ")}; several with commas.`,
    otherwise: "google",
  },
  {
    name: "token-match",
    value: "HOW",
    about: "google compares the leading letters of a user-agent line, whole all of the name.",
    otherwise: "whole for names that are no product tokens, like MJ12bot",
  },
  { name: "json", about: "Write one line of JSON for each answer." },
  {
    name: "user-agent",
    value: "HEADER",
    about: "User-Agent header to ask with.",
    otherwise: "robots-stream (+its address)",
  },
  { name: "timeout", value: "SECONDS", about: "Time for one origin, redirects included.", otherwise: "20" },
  { name: "max-bytes", value: "SIZE", about: "Read this much of each robots.txt.", otherwise: "512000" },
  {
    name: "allow-private",
    about: "Also ask private addresses: localhost, 10.0.0.0/8 …",
    otherwise: "they are unreachable",
  },
  { name: "help", short: "h", about: "Print this." },
];

/** A crawler to explain for. */
export interface ExplainedAgent {
  readonly token: string;
  readonly tokenMatch: TokenMatch;
}

/** What is asked. */
export interface ExplainSettings {
  readonly urls: readonly string[];
  readonly agents: readonly ExplainedAgent[];
  readonly dialects: readonly DialectName[];
  readonly isJson: boolean;
  /** The rest, with the meaning it has for every command. */
  readonly shared: Settings;
}

/** Reads a command line; `"help"` when that is asked for. Throws a `UsageError` for the first mistake. */
export function explainSettingsOf(argv: readonly string[]): ExplainSettings | "help" {
  const { values, urls } = parse(argv);
  if (values.has("help")) return "help";
  const example = "for example: robots-stream explain https://example.com/page --agent bingbot";
  if (urls.length === 0) throw new UsageError("no-input", "which URL is it about?", example);
  const tokens = [...new Set(values.get("agent") ?? [])];
  if (tokens.length === 0) {
    throw new UsageError("missing-agent", "which crawler is it about? --agent is missing", example);
  }
  const tokenMatch = values.get("token-match")?.at(-1);
  const match = tokenMatch === undefined ? undefined : oneOf("token-match", tokenMatch, tokenMatches);
  const dialects = (values.get("dialect")?.at(-1) ?? "google")
    .split(",")
    .map((name) => oneOf("dialect", name.trim(), dialectNames));
  // Names that are no product tokens but may well stand in a file are looked for whole; the rest is checked as always.
  const checked = new Map<FlagName, readonly string[]>();
  for (const name of sharedFlagNames) {
    const given = values.get(name);
    if (given !== undefined) checked.set(name, given);
  }
  checked.set(
    "agent",
    tokens.map((token) => (isCrawlerName(token) ? "any" : token)),
  );
  const shared = settingsOf({ values: checked, files: [] } satisfies ParsedFlags);
  const agents = tokens.map((token) => ({
    token,
    tokenMatch: match ?? (isProductToken(token) ? "google" : "whole"),
  }));
  return { urls, agents, dialects: [...new Set(dialects)], isJson: values.has("json"), shared };
}

/** Whether a name could stand in a user-agent line to be found whole: not `*`, and no User-Agent header. */
function isCrawlerName(token: string): boolean {
  return /^[^\s/();*]+(?: [^\s/();*]+)*$/.test(token) && !/^mozilla\b/i.test(token) && token.length <= 500;
}

function oneOf<T extends string>(flag: string, name: string, known: readonly T[]): T {
  const found = known.find((each) => each === name.toLowerCase());
  if (found !== undefined) return found;
  const near = nearestOf(name, known);
  throw new UsageError(
    "wrong-value",
    `--${flag} ${printableOf(name, 60)}: must be one of ${known.join(", ")}`,
    near === undefined ? undefined : `did you mean ${near}?`,
  );
}

function parse(argv: readonly string[]): { values: Map<ExplainFlag["name"], string[]>; urls: string[] } {
  const { tokens } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      explainFlags.map(({ name, short, value }) => [
        name,
        { type: value === undefined ? "boolean" : "string", ...(short === undefined ? {} : { short }) } as const,
      ]),
    ),
  });
  const values = new Map<ExplainFlag["name"], string[]>();
  const urls: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") urls.push(token.value);
    if (token.kind !== "option") continue;
    const { rawName, value } = token;
    const flag = explainFlags.find(({ name }) => name === token.name);
    if (flag === undefined) throw unknownFlag(rawName);
    if (flag.value === undefined) {
      if (value !== undefined) throw new UsageError("unexpected-value", `${rawName} takes no value`);
    } else if (value === undefined || (!token.inlineValue && value.startsWith("-") && value !== "-")) {
      throw new UsageError("missing-value", `${rawName} needs a value: ${rawName} ${flag.value}`);
    }
    const before = values.get(flag.name);
    if (before === undefined) values.set(flag.name, [value ?? ""]);
    else if (flag.isRepeatable === true) before.push(value ?? "");
    else if (flag.value !== undefined) throw new UsageError("repeated-flag", `${rawName} is given twice`);
  }
  return { values, urls };
}

function unknownFlag(rawName: string): UsageError {
  const known = explainFlags.flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]);
  const near = nearestOf(rawName, known);
  const hint = near === undefined ? "robots-stream explain --help lists the flags" : `did you mean ${near}?`;
  return new UsageError("unknown-flag", `explain has no flag ${printableOf(rawName, 60)}`, hint);
}

/** The text of `explain --help`. */
export function renderExplainHelp(): string {
  const rows = explainFlags.map(({ name, short, value, about, otherwise }) => {
    const left = `  ${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
    return [left, about, otherwise === undefined ? undefined : `[${otherwise}]`] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  const lines = rows.flatMap(([left, about, otherwise]) => {
    const fits = otherwise !== undefined && width + about.length + otherwise.length < 100;
    const first = `${left.padEnd(width)}${about}${fits ? ` ${otherwise}` : ""}`;
    return otherwise === undefined || fits ? [first] : [first, `${" ".repeat(width)}${otherwise}`];
  });
  return `robots-stream explain: why may this crawler fetch this URL, or why not?

Usage
  robots-stream explain URL … --agent TOKEN [flags]

Quotes the lines of robots.txt that decide: the user-agent lines that choose the group, every rule
that matches, the one that wins and the runner-up.

Examples
  robots-stream explain https://example.com/page --agent bingbot
  robots-stream explain https://example.com/page --agent GPTBot --robots robots.txt
  robots-stream explain https://example.com/page --agent bingbot --dialect google,rfc9309 --json

Flags
${lines.join("\n")}

Exit codes
  0  every answer was explained, whatever it is     130  stopped by Ctrl-C
  2  wrong usage, nothing was asked                 143  stopped by SIGTERM
  3  the output could not be written
`;
}
