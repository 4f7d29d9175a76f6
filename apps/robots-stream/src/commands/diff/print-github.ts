// Renders a comparison as workflow commands of GitHub Actions, which annotate the lines of the new file.
import type { RuleChange } from "@robots-stream/diff";
import { printableOf } from "@robots-stream/engine/internal";
import { annotationOf } from "../../cli/github.ts";
import type { DiffCondition } from "./flags.ts";
import type { Compared } from "./types.ts";
import { crawlersText, groundOf, ruleText } from "../../cli/decision-words.ts";

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
