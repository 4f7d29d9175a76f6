// Renders the detected properties of a source as text or as one line of JSON, with the command line that decides the source.
import { timeIn } from "@robots-stream/logs";
import { visibleJsonOf } from "@robots-stream/core/internal";
import { type look, printableOf } from "@robots-stream/engine/internal";
import type { InputSettings } from "../../cli/input-settings.ts";

type Look = Awaited<ReturnType<typeof look>>;
type FirstRecord = NonNullable<Look["first"]>;

const names: Readonly<Record<string, string>> = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "|", "": "none" };

/** Returns the properties as text for people. `command`: the command line that decides the source, if there is one. */
export function printedOf(seen: Look, command: string | undefined): string {
  const { source, format, compression, encoding, lineEnd, layout, rejects, first, problem, fields } = seen;
  const rows: [what: string, value: string][] = [["format", `${printableOf(format.name, 300)}: ${format.about}`]];
  const certainty = certaintyText(seen);
  if (certainty !== undefined) rows.push(["certainty", certainty]);
  for (const other of seen.others) {
    const url = other.first === undefined ? "no URL" : printableOf(other.first.url, 200);
    rows.push(["or", `${other.format.name}: ${other.format.about}; its first URL would be ${url}`]);
  }
  if (compression !== undefined) rows.push(["compression", compression]);
  if (encoding !== undefined) rows.push(["encoding", encoding.toUpperCase()]);
  if (layout.delimiter !== undefined) rows.push(["delimiter", names[layout.delimiter] ?? layout.delimiter]);
  if (layout.hasHeader !== undefined)
    rows.push(["header", layout.hasHeader ? "the first row" : "none: columns are numbered"]);
  if (lineEnd !== undefined) rows.push(["line ends", lineEnd]);
  if (layout.urlField !== undefined) rows.push(["URL field", printableOf(layout.urlField, 100)]);
  const [reject] = rejects;
  if (reject !== undefined) {
    const more = rejects.length === 1 ? "" : `, and ${rejects.length - 1} more`;
    rows.push(["rejects", `line ${reject.line} ${printableOf(reject.message)} [${reject.code}]${more}`]);
  }
  if (problem !== undefined) {
    rows.push(
      ["problem", problem.message],
      ...hintRows(seen),
      ...(fields === undefined ? [] : [["fields", namesText(fields)] as [string, string]]),
    );
  } else if (first === undefined) rows.push(["first record", "none found"]);
  else {
    rows.push(["URL", printableOf(first.url, 500)]);
    if ("problem" in first.asked) rows.push(["robots.txt", `none: ${first.asked.problem}`]);
    else {
      const { robotsUrl, target, normalized } = first.asked;
      rows.push(["robots.txt", robotsUrl], ["target", printableOf(target, 500)]);
      if (normalized !== target) rows.push(["normalized", printableOf(normalized, 500)]);
    }
    for (const [what, value] of Object.entries(tookFor(first) ?? {}))
      if (value !== null && what !== "path") rows.push([what, printableOf(value, 200)]);
    if (isWithoutZone(first)) rows.push(["", "its times have no zone: --log-timezone NAME says which one"]);
  }
  if (command !== undefined) rows.push(["command", command]);
  const width = Math.max(...rows.map(([what]) => what.length)) + 2;
  const lines = rows.map(([what, value]) => `  ${what.padEnd(width)}${value}`);
  return `${source}\n${lines.join("\n")}\n${first === undefined ? "" : fieldLines(first.fields)}`;
}

/** Returns the certainty of the detected format in words; undefined if no evidence is known. */
function certaintyText({ certainty: { evidence, lines }, others }: Look): string | undefined {
  if (evidence === undefined) return undefined;
  if (lines !== undefined) {
    const several = others.length > 0 ? ", but other formats also fit" : "";
    return `${lines.certain} of the first ${lines.of} line${lines.of === 1 ? "" : "s"} certainly have this format${several}`;
  }
  const texts: Readonly<Record<typeof evidence, string>> = {
    heading: "certain: the file begins with the format's heading",
    "most-lines": "most of its first lines have this format",
    "first-line": "likely: its first line has this format",
    guess: "a guess: no other format fits",
  };
  return texts[evidence];
}

/** Returns the parts of a log's first record that a run uses, null for a missing part; undefined for formats other than logs. */
function tookFor({ took, url }: FirstRecord): Readonly<Record<string, string | null>> | undefined {
  if (took === undefined) return undefined;
  const { agent = null, time = null, address = null } = took;
  const [, host = null, path = null] = /^[a-z]+:\/\/([^/?#]*)([^]*)$/i.exec(url) ?? [];
  return { host, path, agent, time, address };
}

function isWithoutZone(first: FirstRecord): boolean {
  const time = tookFor(first)?.["time"];
  return typeof time === "string" && timeIn(time)?.hasZone === false;
}

/** Returns at most one row with a remedy for the problem: flags that name likely fields of the first record, else the problem's hint. */
function hintRows({ likelyUrlField, likelyParts, problem }: Look): [what: string, value: string][] {
  const named = (flag: string, field: string): string => `--${flag} ${printableOf(field, 100)}`;
  if (likelyUrlField !== undefined) return [["", `probably: ${named("url-field", likelyUrlField)}`]];
  if (likelyParts !== undefined) {
    const { path, host } = likelyParts;
    const ofHost = host === undefined ? "--base https://example.com" : named("host-field", host);
    return [["", `probably: ${named("path-field", path)} ${ofHost}`]];
  }
  return problem?.hint === undefined ? [] : [["", problem.hint]];
}

function namesText(fields: readonly string[]): string {
  const shown = fields.slice(0, 50).map((name) => printableOf(name, 60));
  return shown.join(", ") + (fields.length > shown.length ? ", …" : "");
}

function fieldLines(fields: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(fields).map(([name, value]) => [
    printableOf(name, 40),
    printableOf(typeof value === "string" ? value : JSON.stringify(value), 100),
  ]);
  const width = Math.max(0, ...shown.map(([name = ""]) => name.length)) + 2;
  const lines = shown.map(([name = "", value = ""]) => `    ${name.padEnd(width)}${value}`.trimEnd());
  return `  first record\n${lines.join("\n")}\n`;
}

/** Returns the properties as one line of JSON. `command`: the command line that decides the source, if there is one. */
export function jsonOf(look: Look, command: string | undefined): string {
  const { layout, rejects, first, problem, ...seen } = look;
  const shown = {
    source: seen.source,
    format: seen.format.name,
    certainty: { evidence: seen.certainty.evidence ?? null, lines: seen.certainty.lines ?? null },
    others: seen.others.map(({ format, first: other }) => ({ format: format.name, record: other?.fields ?? null })),
    compression: seen.compression ?? null,
    encoding: seen.encoding ?? null,
    lineEnd: seen.lineEnd ?? null,
    delimiter: layout.delimiter ?? null,
    hasHeader: layout.hasHeader ?? null,
    urlField: layout.urlField ?? null,
    fields: first === undefined ? (seen.fields ?? null) : Object.keys(first.fields),
    first: first === undefined ? null : { record: first.fields, url: first.url, ...first.asked },
    took: first === undefined ? null : (tookFor(first) ?? null),
    likelyUrlField: seen.likelyUrlField ?? null,
    likelyPathField: seen.likelyParts?.path ?? null,
    likelyHostField: seen.likelyParts?.host ?? null,
    rejects: rejects.slice(0, 10).map(({ line, code, message }) => ({ line, code, message })),
    problem:
      problem === undefined ? null : { code: problem.mistake, message: problem.message, hint: problem.hint ?? null },
    command: command ?? null,
  };
  return `${visibleJsonOf(JSON.stringify(shown))}\n`;
}

/** Settings for reading the input. They have the same meaning as in the command without a name. */
export type Reading = InputSettings & { readonly resultKey: string };

const logFormatPrefix = "log-format ";

/**
 * Returns the command line; undefined for a source with a problem that `--base` does not solve. The command line decides records
 * with User-Agent headers for the crawlers in these headers, and any other source for bingbot as an example.
 */
export function commandOf(
  path: string,
  { format, certainty, first, problem, layout }: Look,
  { inputFormat, base, hostBases = new Map() }: Reading,
): string | undefined {
  const isWithoutBase = problem?.code === "ERR_MISSING_BASE";
  if (problem !== undefined && !isWithoutBase) return undefined;
  const words = ["robots-stream"];
  const agentField =
    first === undefined ? (format.makesLogRows === true && isWithoutBase ? "user_agent" : undefined) : first.agentField;
  words.push(...(agentField === undefined ? ["--agent", "bingbot"] : ["--agent-field", agentField]));
  if (format.name.startsWith(logFormatPrefix)) words.push("--log-format", format.name.slice(logFormatPrefix.length));
  else if (inputFormat !== undefined || certainty.others.length > 0) words.push("--input", format.name);
  if (base !== undefined) words.push("--base", `${base.scheme}://${base.host}`);
  else if (isWithoutBase) words.push("--base", "https://example.com");
  for (const [host, { scheme, host: to }] of hostBases) words.push("--base", `host:${host}=${scheme}://${to}`);
  if (layout.urlField !== undefined && layout.hasHeader !== true && format.hasFields === true)
    words.push("--url-field", layout.urlField);
  return printableOf([...words, path].map(shellWordOf).join(" "));
}

/** Returns a word for a POSIX shell, in quotation marks if needed. */
function shellWordOf(word: string): string {
  return /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
