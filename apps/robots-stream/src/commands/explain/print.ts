// Renders an explanation as text for people. The text has four parts: a sentence with the decision, facts about the request and the
// robots.txt, quoted lines, and sentences about the group that binds the crawler.
import type { BindingGroup } from "@robots-stream/core";
import type { Paint } from "../../cli/terminal.ts";
import { printableOf } from "@robots-stream/engine/internal";
import { firstText } from "../../cli/figures.ts";
import type { Answer } from "./answer.ts";
import type { FoundRobots } from "../../cli/robots/sources.ts";
import { type QuotedLine, hiddenMatchesOf, quotedLinesOf, usageRowsOf } from "./quote.ts";

/** Returns the explanation as text that ends in a newline. */
export function printedOf(answer: Answer, paint: Paint): string {
  const { trace, sentence, url, origin, question, read } = answer;
  const { allowed } = trace.decision;
  const head = paint("bold", paint(allowed ? "green" : "red", printableOf(sentence, 300)));
  const dialect = `${read.dialect}${question.tokenMatch === "whole" ? "; the whole token is compared" : ""}`;
  const facts: readonly (readonly [string, string])[] = [
    ["URL", printableOf(url, 300)],
    ["agent", agentOf(question)],
    ["origin", origin],
    ...factsOf(read.found),
    ...(trace.dialect === undefined ? [] : [["dialect", dialect] as const]),
    ["compared", printableOf(trace.path, 300)],
    ...delayOf(answer),
    ...usageRowsOf(answer),
  ];
  const rows = facts.map(([name, value]) => `  ${paint("dim", name.padEnd(12))}${value}`);
  const quoted = quotedLinesOf(answer);
  const hidden = hiddenMatchesOf(answer, quoted);
  const excerpt = excerptOf(quoted, paint);
  if (hidden > 0) excerpt.push(paint("dim", `  and ${hidden} more ${hidden === 1 ? "rule matches" : "rules match"}`));
  const parts = [[head], rows, excerpt, whyOf(answer).map((why) => `  ${why}`)];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

/** Returns rows (name and value) about the place of the robots.txt and the result of loading it: one for each hop, or one without hops. */
function factsOf(found: FoundRobots): [string, string][] {
  const { place, isSaved, hops, access, code, failure, body, truncated } = found;
  const size =
    body === undefined ? undefined : `${body.length} bytes${truncated ? ", and more that are not read" : ""}`;
  // The code "ok", and a code that repeats the status of the last hop, are omitted.
  const isSaid = code === "ok" || code === `http-${hops.at(-1)?.status}`;
  // Only the message of this failure says more than its code: the value of Content-Encoding.
  const coding = code === "encoding" && failure !== undefined ? ` (${printableOf(failure, 200)})` : "";
  const outcome = [access, isSaid ? undefined : code + coding, size].filter((part) => part !== undefined);
  const name = isSaved ? "file" : "robots.txt";
  const path = printableOf(place, 300);
  if (hops.length === 0) return [[name, `${path}: ${outcome.join(", ")}`]];
  return hops.map(({ url, status: answered }, at) => {
    const isDowngrade = url.startsWith("http:") && hops[at - 1]?.url.startsWith("https:") === true;
    const text = `${printableOf(url, 300)}: ${answered}${isDowngrade ? ", from https to http" : ""}`;
    return [at === 0 ? name : "  then", at === hops.length - 1 ? `${text}, ${outcome.join(", ")}` : text];
  });
}

/** Renders the quoted lines with their numbers and notes, as compilers print source lines. "..." replaces omitted lines. */
function excerptOf(quoted: readonly QuotedLine[], paint: Paint): string[] {
  const width = Math.max(...quoted.map(({ line }) => String(line).length), 3);
  const rows: string[] = [];
  let before: number | undefined;
  for (const { line, text, note, kind } of quoted) {
    if (before !== undefined && line > before + 1) rows.push(paint("dim", "  ...".padStart(width + 2)));
    before = line;
    const mark = kind === "winner" ? paint("bold", ">") : " ";
    rows.push(`${mark} ${paint("dim", `${String(line).padStart(width)} |`)} ${text}`.trimEnd());
    if (note === "") continue;
    // Only a text of printable ASCII is underlined. Any other text gets one mark, because a terminal may show a character in two columns.
    const isPlain = /^[\x20-\x7e]+$/.test(text);
    const underline = (kind === "winner" ? "^" : "-").repeat(isPlain ? text.trimStart().length : 1);
    const indent = " ".repeat(text.length - text.trimStart().length);
    const below = `${indent}${underline} ${note}`;
    rows.push(`  ${" ".repeat(width)} ${paint("dim", "|")} ${kind === "winner" ? paint("bold", below) : below}`);
  }
  return rows;
}

/** Returns sentences that state why groups bind the crawler, or why none does. Returns no sentences when no robots.txt was found. */
function whyOf({ question, trace, read, passedOver, ruleCount }: Answer): string[] {
  const { ground, groups, winner } = trace;
  const name = printableOf(question.agent, 100);
  if (read.robots === undefined) return [];
  const none = `No user-agent line names ${listOfNames(question.names)}`;
  const other =
    question.bound === "by-name" && ground !== "named"
      ? [`${name}'s operator documents another rule for a file that does not name it: robots-stream agents ${name}.`]
      : [];
  if (ground === "none") {
    if (passedOver.length > 0) {
      return [
        `${none}, and the group for * (${listOf(passedOver)}) does not apply: this crawler obeys only a group that names it.`,
      ];
    }
    const instead =
      read.formatInstead === undefined
        ? []
        : [`The file is ${read.formatInstead}, not a robots.txt: it has no rules, so it allows every URL.`];
    return [...instead, `${none}, and none names *${othersOf(read.robots.groups)}: no rules apply.`, ...other];
  }
  const lines = listOf(groups.flatMap(({ userAgents }) => userAgents.map(({ line }) => line)));
  const several = groups.length > 1 ? `; the rules of these ${groups.length} groups count together` : "";
  const chosen = groups[0]?.userAgents[0]?.productToken ?? name;
  const before = question.names.slice(0, question.names.indexOf(chosen));
  const sentences = [
    ground === "named"
      ? before.length === 0
        ? `${name} is named in ${lines}${several}.`
        : `No user-agent line names ${listOfNames(before)}, so the group of ${printableOf(chosen, 100)} applies, named in ${lines}${several}.`
      : `${none}, so the group for * applies: ${lines}${several}.`,
    ...other,
  ];
  if (passedOver.length > 0) {
    sentences.push(
      `The group for * (${listOf(passedOver)}) does not apply: the file names ${printableOf(chosen, 100)}.`,
    );
  }
  sentences.push(...groups.slice(0, 3).flatMap(joinsOf));
  if (winner === undefined && trace.decision.because === "no-rule") {
    sentences.push(
      ruleCount === 0
        ? "The group has no rules."
        : ruleCount === 1
          ? "Its one rule does not match."
          : `None of its ${ruleCount} rules matches.`,
    );
  }
  return sentences;
}

/** Returns the crawler's name, and for a crawler with a `kind` the description of this kind. */
function agentOf({ agent, kind }: Answer["question"]): string {
  const name = printableOf(agent, 100);
  if (kind === undefined) return name;
  return `${name}, ${kinds[kind]}`;
}

const kinds = {
  "control-token": "a control token: no request carries it; crawlers with other names send the requests",
  "user-triggered": "a fetcher that a user's action starts",
  program: "a program that anyone may run",
} as const;

/** Returns the row with the Crawl-delay; no row if the robots.txt sets none for the crawler. */
function delayOf({ question, crawlDelay }: Answer): [string, string][] {
  if (crawlDelay === undefined) return [];
  const { seconds, line, isEverybodys } = crawlDelay;
  const where = isEverybodys ? `line ${line}, of the group for *` : `line ${line}`;
  const use = {
    yes: "",
    everybody: "",
    no: "; the crawler does not obey it",
    unknown: "; whether the crawler obeys it is unknown",
  };
  return [["Crawl-delay", `${seconds} s (${where})${use[question.crawlDelay]}`]];
}

function listOfNames(names: readonly string[]): string {
  return names.map((each) => printableOf(each, 100)).join(" or ");
}

/** Returns a sentence about lines between the user-agent lines of a group. Readers may believe that such lines end the group. */
function joinsOf({ userAgents, joins, toLine }: BindingGroup): string[] {
  const named = userAgents.at(-1)?.line ?? 0;
  const first = joins.find(({ afterLine }) => afterLine >= named);
  if (first === undefined) return [];
  const { afterLine, beforeLine, records } = first;
  const between =
    beforeLine - afterLine === 2 ? `Line ${afterLine + 1}` : `Lines ${afterLine + 1} to ${beforeLine - 1}`;
  const names = [...new Set(records.map((record) => record.name))].slice(0, 3);
  const what = names.length === 0 ? "" : ` (${names.join(", ")})`;
  const verb = beforeLine - afterLine === 2 ? "does" : "do";
  return [
    `${between}${what} ${verb} not end the group: only a rule does. So the rules below line ${toLine} apply as well.`,
  ];
}

/** Returns a hint with the first five values of the user-agent lines in a file, for a crawler that the file does not name. */
function othersOf(groups: readonly { readonly userAgents: readonly { readonly value: string }[] }[]): string {
  const names = new Set(groups.flatMap(({ userAgents }) => userAgents.map(({ value }) => value)));
  names.delete("");
  if (names.size === 0) return "";
  return ` (the file names ${firstText(
    Array.from(names, (value) => printableOf(value, 40)),
    5,
  )})`;
}

function listOf(lines: readonly number[]): string {
  return `${lines.length === 1 ? "line" : "lines"} ${firstText(lines.map(String), 5)}`;
}
