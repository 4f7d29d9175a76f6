// Shows how a second file changes the answers. Each rule that changes an answer has a URL as proof.
import type { ChangedAnswers, Effect, RobotsDiff, RuleChange } from "@robots-stream/diff";
import { groundOf } from "./answers-view.ts";
import { button, countText, h, shown } from "./dom.ts";

/** Maximum number of entries of each list. */
const most = { classes: 20, rules: 30, names: 4 } as const;

const words: Readonly<Record<Effect, readonly [className: string, sentence: string]>> = {
  "newly-disallowed": ["closed", "newly disallowed"],
  "newly-allowed": ["open", "newly allowed"],
  none: ["info", "changes no answer: proved"],
  unknown: ["warning", "effect unknown: the search reached its limit"],
};

/** The comparison as lists; `goTo` moves to a line of one of the files. */
export function changesOf(diff: RobotsDiff, goTo: (side: "old" | "new", line: number) => void): HTMLElement {
  const { answers, groups, records, isProved } = diff;
  const changing = answers.filter(({ changes }) => changes.some(({ effect }) => effect.startsWith("newly")));
  const head =
    changing.length === 0
      ? `No answer changes${isProved ? " (proved)" : ", as far as the search went"}.`
      : `Answers change for ${countText(
          changing.reduce((sum, { crawlers }) => sum + crawlers.length, 0),
          "crawler",
        )} of ${diff.compared}, with a URL as proof of each.`;
  const others = [
    ...groups.map(({ side, productToken }) => `${signOf(side)} user-agent: ${productToken}`),
    ...records.map(({ side, name, value }) => `${signOf(side)} ${name}: ${value}`),
  ];
  return h(
    "div",
    {},
    h("p", { role: "status" }, head),
    ...answers.slice(0, most.classes).map((each) => classOf(each, goTo)),
    answers.length > most.classes ? h("p", {}, `${answers.length - most.classes} more sets of crawlers.`) : undefined,
    others.length === 0 ? undefined : h("h3", {}, "Other lines"),
    ...others.slice(0, most.rules).map((line) => h("p", { class: "code" }, shown(line, 160))),
    others.length > most.rules ? h("p", {}, `${others.length - most.rules} more lines.`) : undefined,
  );
}

function classOf(
  { crawlers, changes }: ChangedAnswers,
  goTo: (side: "old" | "new", line: number) => void,
): HTMLElement {
  const names = crawlers
    .slice(0, most.names)
    .map((name) => (name === "*" ? "crawlers without a group (*)" : shown(name, 60)));
  const more = crawlers.length > most.names ? ` and ${crawlers.length - most.names} more` : "";
  return h(
    "div",
    {},
    h("h3", {}, names.join(", ") + more),
    changes.length === 0 ? h("p", { class: "muted" }, "Only the order of rules changes; no answer does.") : undefined,
    h("ul", { class: "card list" }, ...changes.slice(0, most.rules).map((change) => changeOf(change, goTo))),
    changes.length > most.rules ? h("p", {}, `${changes.length - most.rules} more rules.`) : undefined,
  );
}

function changeOf(
  { side, rule, effect, witness }: RuleChange,
  goTo: (side: "old" | "new", line: number) => void,
): HTMLElement {
  const [className, sentence] = words[effect];
  return h(
    "li",
    { class: className },
    button({ class: "line number" }, () => goTo(side, rule.line), `${signOf(side)} line ${rule.line}`),
    h(
      "div",
      {},
      h("code", {}, shown(`${rule.type}: ${rule.pattern}`.trim(), 160)),
      ` ${sentence}`,
      ...(witness === undefined
        ? []
        : [
            ": ",
            h("code", {}, shown(witness.target, 160)),
            h("small", {}, ` (before: ${groundOf(witness.old)}; after: ${groundOf(witness.new)})`),
          ]),
    ),
  );
}

function signOf(side: "old" | "new"): string {
  return side === "new" ? "+" : "−";
}
