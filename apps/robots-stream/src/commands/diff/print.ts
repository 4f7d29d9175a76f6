// Renders a comparison of two robots.txt files as text for people, as one JSON document, or as workflow commands of GitHub Actions.
import type { RobotsDiff, ChangedAnswers, RuleChange } from "@robots-stream/diff";
import { type RobotsSource, shownNameOf } from "../../cli/robots/sources.ts";
import { type LogFlips, mostRows as mostListed } from "./log-flips.ts";
import { visibleJsonOf } from "@robots-stream/core/internal";
import { printableOf } from "@robots-stream/engine/internal";
import type { Paint } from "../../cli/terminal.ts";
import { countText, firstText, numberText } from "../../cli/figures.ts";
import { crawlersText, groundOf, ruleText } from "../../cli/decision-words.ts";
import { annotationOf } from "../../cli/github.ts";
import type { DiffCondition } from "./flags.ts";

/** The two sources, the comparison in each dialect, and the flips in the logs in each dialect; `logs` is undefined without logs. */
export interface Compared {
  readonly old: RobotsSource;
  readonly new: RobotsSource;
  readonly diffs: readonly RobotsDiff[];
  readonly logs: readonly LogFlips[] | undefined;
}

/** Maximum numbers of shown classes (sets of crawlers with the same changes), of rules in a class, and of rows about a log. */
const [mostClasses, mostRules, mostRows] = [20, 20, 30] as const;

/** Returns the comparison as text that ends in a newline. */
export function textOf({ old, new: next, diffs, logs }: Compared, paint: Paint): string {
  const lines = [`${shownNameOf(old)} → ${shownNameOf(next)}`];
  for (const [index, diff] of diffs.entries()) {
    if (diffs.length > 1) lines.push("", paint("bold", `dialect ${diff.dialect}`));
    lines.push(...answersOf(diff, paint), ...contentsOf(diff));
    const log = logs?.[index];
    if (log !== undefined) lines.push(...logOf(log, paint));
    lines.push("", summaryOf(diff));
  }
  return `${lines.join("\n")}\n`;
}

function answersOf({ answers }: RobotsDiff, paint: Paint): readonly string[] {
  const changed = answers.filter(({ changes }) => changes.length > 0);
  const lines = changed.slice(0, mostClasses).flatMap((each) => classOf(each, paint));
  if (changed.length > mostClasses)
    lines.push("", `and ${countText(changed.length - mostClasses, "more set")} of crawlers`);
  const moved = answers.reduce((most, each) => Math.max(most, each.moved), 0);
  if (moved > 0) lines.push("", `${countText(moved, "rule")} moved, without effect`);
  return lines;
}

function classOf({ crawlers, changes }: ChangedAnswers, paint: Paint): readonly string[] {
  const shown = changes.slice(0, mostRules).flatMap((change) => ruleLinesOf(change, paint));
  const more = changes.length > mostRules ? [`  and ${countText(changes.length - mostRules, "more rule")}`] : [];
  return ["", paint("bold", crawlersText(crawlers)), ...shown, ...more];
}

const colours = { "newly-disallowed": "red", "newly-allowed": "green", none: "dim", unknown: "yellow" } as const;
const words = {
  "newly-disallowed": "newly disallowed",
  "newly-allowed": "newly allowed",
  none: "no effect",
  unknown: "effect unknown",
} as const;

function ruleLinesOf({ side, rule, effect, witness }: RuleChange, paint: Paint): readonly string[] {
  const sign = side === "new" ? "+" : "-";
  const head = `  ${paint(colours[effect], words[effect].padEnd(16))}  ${sign} ${ruleText(rule)}  (${side} line ${rule.line})`;
  if (witness === undefined) return [head];
  const grounds = `${groundOf(witness.old)} → ${groundOf(witness.new)}`;
  return [head, `      ${printableOf(witness.target, 200)}  ${paint("dim", grounds)}`];
}

function contentsOf({ groups, records }: RobotsDiff): readonly string[] {
  const list = (title: string, items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : [`${title}: ${firstText(items, 5)}`];
  const groupsOf = (side: "old" | "new"): readonly string[] =>
    groups.filter((each) => each.side === side).map(({ productToken }) => printableOf(productToken, 60));
  const recordsOf = (side: "old" | "new"): readonly string[] =>
    records.filter((each) => each.side === side).map(({ name, value }) => printableOf(`${name}: ${value}`, 100));
  const lines = [
    ...list("new groups, for", groupsOf("new")),
    ...list("removed groups, for", groupsOf("old")),
    ...list("other new records", recordsOf("new")),
    ...list("other removed records", recordsOf("old")),
  ];
  return lines.length === 0 ? [] : ["", ...lines];
}

function logOf(
  { records, rejects, robotsTxt, answers, flips, rows, notCompared, notListed }: LogFlips,
  paint: Paint,
): readonly string[] {
  const count = flips["newly-allowed"] + flips["newly-disallowed"];
  const [allAnswers, left, unread] = [answers, notCompared, rejects].map(numberText);
  const head =
    `in the log, ${countText(count, "answer")} of ${allAnswers} would change ` +
    `(${countText(records, "record")}, ${left} without a crawler or URL, ${numberText(robotsTxt)} for /robots.txt, ${unread} unreadable)`;
  // When records have no User-Agent header, crawlers with the same rules get rows that differ only in the crawler. Such rows are merged.
  const alike = new Map<string, LogFlips["rows"][number][]>();
  for (const row of rows) {
    const key = JSON.stringify([row.requests, row.effect, groundOf(row.old), groundOf(row.new), row.examples]);
    const same = alike.get(key);
    if (same === undefined) alike.set(key, [row]);
    else same.push(row);
  }
  const shown = [...alike.values()].slice(0, mostRows).flatMap((same) => {
    const [{ requests, effect, old, new: next, examples }] = same as [LogFlips["rows"][number]];
    const crawlers = crawlersText(same.map(({ crawler }) => crawler));
    return [
      `  ${String(requests).padStart(9)}  ${paint(colours[effect], words[effect])} for ${crawlers}: ${groundOf(old)} → ${groundOf(next)}`,
      ...examples.map((url) => `             ${printableOf(url, 200)}`),
    ];
  });
  const hidden = Math.max(0, alike.size - mostRows);
  const limit = numberText(mostListed);
  const more = [
    ...(hidden === 0 ? [] : [`  and ${countText(hidden, "more row")}; --output json lists up to ${limit}`]),
    ...(notListed === 0
      ? []
      : [`  and ${countText(notListed, "more answer")} in no row: a comparison has at most ${limit} rows`]),
  ];
  return ["", head, ...shown, ...more];
}

/** Returns a sentence with the number of crawlers whose answers change, and whether the result is proved. */
function summaryOf({ answers, compared, dialect, isProved, tried, notCompared }: RobotsDiff): string {
  const changes = answers.flatMap((each) => each.changes);
  const hasFlips = changes.some(({ effect }) => effect === "newly-allowed" || effect === "newly-disallowed");
  const changed = answers
    .filter((each) => each.changes.some(({ effect }) => effect.startsWith("newly")))
    .reduce((sum, { crawlers }) => sum + crawlers.length, 0);
  const head = hasFlips
    ? `Answers change for ${numberText(changed)} of ${countText(compared, "crawler")} (dialect ${dialect})`
    : isProved
      ? `No answer changes for any of ${countText(compared, "crawler")} (dialect ${dialect})`
      : `No changed answer was found for ${countText(compared, "crawler")} (dialect ${dialect})`;
  if (isProved) return `${head}; every rule has a URL as proof, or is proved to have no effect.`;
  const unknown = changes.filter(({ effect }) => effect === "unknown").length;
  const parts = [
    ...(unknown === 0
      ? []
      : [
          `the search reached its limit for ${countText(unknown, "rule")}; ${countText(tried, "generated URL")} found no change`,
        ]),
    ...(notCompared.length === 0 ? [] : [`${countText(notCompared.length, "crawler")} not compared`]),
  ];
  return `${head}; ${parts.join("; ")}.`;
}

/** Returns the JSON document as text that ends in a newline. */
export function jsonOf({ old, new: next, diffs, logs }: Compared): string {
  const document = { schemaVersion: 1, old: old.name, new: next.name, diffs, ...(logs === undefined ? {} : { logs }) };
  return `${visibleJsonOf(JSON.stringify(document, undefined, 2))}\n`;
}

/**
 * Returns, for each class of crawlers in each dialect, one annotation for each changed rule whose effect is not "none". If there are logs,
 * also returns, for each dialect, one annotation for each of the first 50 rows of flips.
 */
export function githubOf({ new: file, diffs, logs }: Compared, failOn: DiffCondition | undefined): string {
  const levelOf = (effect: string): "error" | "warning" =>
    failOn !== undefined && (failOn === "flips" || failOn === effect) ? "error" : "warning";
  const place = file.kind === "file" ? file.name : undefined;
  const ofRules = diffs.flatMap(({ answers }) =>
    answers.flatMap(({ crawlers, changes }) =>
      changes
        .filter(({ effect }) => effect !== "none")
        .map((change) =>
          annotationOf({
            // With logs, only requests in the logs can meet the condition of --fail-on. A changed rule is then only a warning.
            level: logs === undefined ? levelOf(change.effect) : "warning",
            file: place,
            line: change.side === "new" ? change.rule.line : undefined,
            title: change.effect,
            message: messageOf(change, crawlers),
          }),
        ),
    ),
  );
  const ofLogs = (logs ?? []).flatMap(({ rows }) =>
    rows.slice(0, 50).map(({ crawler, effect, old, new: next, requests, examples }) =>
      annotationOf({
        level: levelOf(effect),
        file: place,
        line: next.because === "rule" ? next.rule.line : undefined,
        title: effect,
        message: `${requests} requests of ${printableOf(crawler, 60)} in the log: ${groundOf(old)} → ${groundOf(next)}; for example ${printableOf(examples[0] ?? "", 200)}`,
      }),
    ),
  );
  return [...ofRules, ...ofLogs].join("");
}

function messageOf({ side, rule, effect, witness }: RuleChange, crawlers: readonly string[]): string {
  const what = `${ruleText(rule)} ${side === "new" ? "is new" : `was line ${rule.line} of the old file`}`;
  if (witness === undefined) return `${what}; whether it changes an answer for ${crawlersText(crawlers)} is unknown`;
  const flips = effect === "newly-allowed" ? "newly allowed" : "newly disallowed";
  return `${what}: ${printableOf(witness.target, 200)} is ${flips} for ${crawlersText(crawlers)} (${groundOf(witness.old)} → ${groundOf(witness.new)})`;
}
