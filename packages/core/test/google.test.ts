// Tests decisions, matching lines, line events and single functions against recorded answers of Google's C++ parser.
import { describe, expect, test } from "vitest";
import { createMatcher, explain, parseRobotsTxt, pathOf } from "../src/index.ts";
import { Arena, MatcherTable } from "../src/internal.ts";
import { dialectOf } from "../src/read/dialect.ts";
import { isProductToken, tokenLengthOf } from "../src/read/token.ts";
import { cutPathOf, writeCompared } from "../src/read/encode.ts";
import { type Directive, parseDirectives } from "../src/lint.ts";
import { knownRecords } from "../src/read/keys.ts";
import { matchesPattern } from "../src/match/pattern.ts";
import { type RecordedCase, type RecordedFile, bytesOf, fixture, shared } from "./vectors.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;

// All cases share one arena, because each new arena would zero a megabyte.
const table = new MatcherTable(new Arena());

/** The wrong answers for some cases. Every `every`th case is decided repeatedly, until the index decides; the others are decided once. */
function wrongAnswersOf(
  file: { robots?: string; robots_b64?: string },
  cases: readonly RecordedCase[],
  every = 1,
): string[] {
  const robots = parseRobotsTxt(bytesOf(file));
  const wrong: string[] = [];
  for (const [at, { agents, url, expected, line }] of cases.entries()) {
    const most = at % every === 0 ? 20 : 1;
    const matcher = createMatcher(robots, agents);
    const block = table.add(matcher);
    // The target is surrounded by other bytes, as in a log.
    const path = Buffer.from(`*/${pathOf(url)}/*`);
    for (let asked = 1; asked <= most; asked++) {
      const decision = matcher.decide(url);
      const place = table.find(block, path, 2, path.length - 2);
      // The index is built between the first and the last answer; the answers in between are not checked.
      if (!isThorough && asked > 1 && asked < 20) continue;
      const byTable = table.decisionAt(block, place);
      if (explain(byTable) !== explain(decision)) wrong.push(`${url}: bytes differ`);
      const decidedLine = decision.because === "rule" ? decision.rule.line : 0;
      if (decision.allowed !== expected || decidedLine !== line) {
        wrong.push(
          `asked ${asked}: ${agents.join(",")} ${url}: ${decision.allowed} by ${decidedLine}, recorded ${expected} by ${line}`,
        );
        break;
      }
    }
    table.free(block);
  }
  return wrong;
}

describe("decisions and matching lines", () => {
  for (const row of fixture<RecordedFile & { item: string; note?: string }>("google-quirks")) {
    test(`quirk ${row.id} ${row.item} ${row.note ?? ""}`, () => {
      expect(wrongAnswersOf(row, row.cases)).toEqual([]);
    });
  }

  test("google-dev: 20,000 generated cases", () => {
    const rows = fixture<RecordedFile>("google-dev");
    expect(rows.reduce((sum, row) => sum + row.cases.length, 0)).toBe(20_000);
    expect(rows.flatMap((row) => wrongAnswersOf(row, row.cases, isThorough ? 1 : 4))).toEqual([]);
  });

  const peers = shared<{
    robots?: string;
    robots_b64?: string;
    agents: string[];
    url: string;
    google: boolean;
    google_line: number;
  }>("vectors/peer-tests.ndjson.gz");
  test.skipIf(peers === undefined)("tests of other projects, as Google answers them (needs ../shared)", () => {
    const wrong = peers!.flatMap((row) =>
      wrongAnswersOf(row, [{ agents: row.agents, url: row.url, expected: row.google, line: row.google_line }]),
    );
    expect(wrong).toEqual([]);
  });

  const pairs = shared<{
    robots_b64: string;
    urls: string[];
    allowed: Record<string, string>;
    line: Record<string, number[]>;
  }>("corpora/robots/real-pairs-google.ndjson.gz");
  test.skipIf(pairs === undefined)("real robots.txt with real URLs (needs ../shared)", () => {
    let decisions = 0;
    const wrong: string[] = [];
    for (const { robots_b64, urls, allowed, line } of pairs!) {
      const robots = parseRobotsTxt(bytesOf({ robots_b64 }));
      for (const agent of Object.keys(allowed)) {
        const matcher = createMatcher(robots, agent);
        for (const [at, url] of urls.entries()) {
          decisions++;
          const decision = matcher.decide(url);
          const decidedLine = decision.because === "rule" ? decision.rule.line : 0;
          if (decision.allowed !== (allowed[agent]![at] === "1") || decidedLine !== line[agent]![at])
            wrong.push(`${agent} ${url}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(decisions).toBeGreaterThan(200_000);
  });
});

interface RecordedEvent {
  n: number;
  tag: string;
  key?: string;
  value?: string;
  key_b64?: string;
  value_b64?: string;
  has_comment?: true;
  has_directive?: true;
  is_acceptable_typo?: true;
  is_line_too_long?: true;
  is_missing_colon_separator?: true;
}

// Keys that Google's reporter calls unused.
const unused = new Set(
  [
    "clean-param content-signal content-usage crawl-delay domain host",
    "noarchive nofollow noindex request-rate revisit-after visit-time",
  ]
    .join(" ")
    .split(" "),
);
const tags: Record<Directive["type"], string> = {
  "user-agent": "UserAgent",
  allow: "Allow",
  disallow: "Disallow",
  sitemap: "Sitemap",
  other: "Unknown",
  none: "Unknown",
};

function eventOf(directive: Directive): Record<string, unknown> {
  const { line, type, key, value, typo, missingColon, tooLong, hasComment } = directive;
  const isUnused = type === "other" && unused.has(key.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()));
  return {
    n: line,
    tag: isUnused ? "Unused" : tags[type],
    key: type === "other" ? key : "",
    value,
    has_directive: type !== "none",
    has_comment: hasComment,
    is_acceptable_typo: typo,
    is_line_too_long: tooLong,
    is_missing_colon_separator: missingColon,
  };
}

function recordedEventOf(event: RecordedEvent): Record<string, unknown> {
  const text = (plain: string | undefined, base64: string | undefined): string =>
    base64 === undefined
      ? (plain ?? "")
      : new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(base64, "base64"));
  return {
    n: event.n,
    tag: event.tag,
    key: text(event.key, event.key_b64),
    value: text(event.value, event.value_b64),
    has_directive: event.has_directive ?? false,
    has_comment: event.has_comment ?? false,
    is_acceptable_typo: event.is_acceptable_typo ?? false,
    is_line_too_long: event.is_line_too_long ?? false,
    is_missing_colon_separator: event.is_missing_colon_separator ?? false,
  };
}

describe("line events", () => {
  test("google-dev-events: every line of 2,555 files", () => {
    const files = new Map(fixture<RecordedFile>("google-dev").map((row) => [row.id, row]));
    let lines = 0;
    for (const row of fixture<{ id: string; last_line: number; lines: RecordedEvent[] }>("google-dev-events")) {
      const directives = parseDirectives(bytesOf(files.get(row.id)!));
      expect(directives.length, row.id).toBe(row.last_line);
      expect(directives.map(eventOf), row.id).toEqual(row.lines.map(recordedEventOf));
      lines += directives.length;
    }
    expect(lines).toBe(34_714);
  });

  test("every key that Google's reporter calls unused is in the table of other records", () => {
    const names = new Set<string>(knownRecords.map(({ name }) => name));
    expect([...unused].filter((name) => !names.has(name))).toEqual([]);
  });
});

describe("single functions: google-units", () => {
  interface Unit {
    fn: "path" | "escape" | "agent" | "key" | "match";
    in?: string;
    in_b64?: string;
    path?: string;
    path_b64?: string;
    pattern?: string;
    pattern_b64?: string;
    out?: unknown;
    out_b64?: string;
    valid?: boolean;
    typo?: boolean;
  }
  const units = fixture<Unit>("google-units");
  const of = (fn: Unit["fn"]): Unit[] => units.filter((unit) => unit.fn === fn);
  const wrong = (fn: Unit["fn"], answerOf: (unit: Unit) => unknown, recordedOf: (unit: Unit) => unknown): unknown[] =>
    of(fn)
      .map((unit) => ({ unit, answer: answerOf(unit), recorded: recordedOf(unit) }))
      .filter(({ answer, recorded }) => JSON.stringify(answer) !== JSON.stringify(recorded));

  test.each([
    ["path", 3029, (unit: Unit) => cutPathOf(latin1(unit.in, unit.in_b64)), recordedText],
    ["escape", 3012, (unit: Unit) => escaped(latin1(unit.in, unit.in_b64)), recordedText],
    ["agent", 1007, (unit: Unit) => tokenOf(latin1(unit.in, unit.in_b64)), (unit: Unit) => [unit.out, unit.valid]],
    ["key", 1200, (unit: Unit) => keyOf(latin1(unit.in, unit.in_b64)), (unit: Unit) => [unit.out, unit.typo]],
    ["match", 9300, matchOf, (unit: Unit) => unit.out],
  ] as const)("%s: %i calls", (fn, count, answer, recorded) => {
    expect(of(fn).length).toBe(count);
    expect(wrong(fn, answer, recorded)).toEqual([]);
  });

  /** The recorded bytes, one character per byte. */
  function latin1(text: string | undefined, base64: string | undefined): string {
    return (base64 === undefined ? Buffer.from(text ?? "") : Buffer.from(base64, "base64")).toString("latin1");
  }

  function recordedText(unit: Unit): unknown {
    return latin1(unit.out as string | undefined, unit.out_b64);
  }

  function escaped(value: string): string {
    const bytes = Buffer.from(value, "latin1");
    const out = new Uint8Array(bytes.length * 3);
    const size = writeCompared(bytes, 0, bytes.length, out, 0, false, true);
    return Buffer.from(out.subarray(0, size)).toString("latin1");
  }

  function tokenOf(name: string): unknown[] {
    const length = tokenLengthOf(Buffer.from(name, "latin1"), 0, name.length, dialectOf("google"));
    return [name.slice(0, Math.max(0, length)), isProductToken(name)];
  }

  function keyOf(key: string): unknown[] {
    const directive = parseDirectives(Buffer.from(`${key}: x`, "latin1"))[0]!;
    return [eventOf(directive)["tag"], directive.typo];
  }

  function matchOf(unit: Unit): boolean {
    const pattern = Buffer.from(latin1(unit.pattern, unit.pattern_b64), "latin1");
    const path = Buffer.from(latin1(unit.path, unit.path_b64), "latin1");
    const tied = pattern.at(-1) === 0x24;
    return matchesPattern(pattern, 0, tied ? pattern.length - 1 : pattern.length, tied, path, 0, path.length);
  }
});
