// Lines of an access log in, one record per request out: its URL, the log's other fields, and the line itself.
import { type LineLogFormat, type LogFact, type LogRequest, isLogProblem, urlOf } from "@robots-stream/logs";
import { type Beginning, type Evidence, evidenceOfLines, isPlainJson } from "../recognition.ts";
import { urlTextOf } from "../../text.ts";
import { type TakeLine, readLines, rejectOf, trimmed } from "../line-reader.ts";
import type { Batch, InputFormat, ReadOptions } from "../../records/batch.ts";
import { isHeading } from "./unknown.ts";
import { missingTimeField } from "../time-field.ts";
import { missingAgentField, missingBase } from "../url-field.ts";

/** The field names of a record, by fact of the request. */
const factNames: Readonly<Record<LogFact, string>> = {
  time: "time",
  method: "method",
  status: "status",
  userAgent: "user_agent",
};

/** The input format of a log. The formats come from `@robots-stream/logs`; add one there. */
export function lineLogInput(log: LineLogFormat): InputFormat {
  return {
    name: log.name,
    about: log.about,
    endings: [],
    ...(log.isHeading === undefined ? { recordsAre: "lines" } : {}),
    // A parser remembers header lines, so each line gets a new parser.
    samples: { ...log.samples, isSilent: (line) => log.createParser()(line) === undefined },
    recognize: (beginning) => evidenceOfLog(log, beginning),
    read: (chunks, options) => read(log, chunks, options),
  };
}

/**
 * The log format whose heading comes first, or that most of the first lines match; not a format whose parser rejects all of
 * the records.
 */
function evidenceOfLog(log: LineLogFormat, beginning: Beginning): Evidence | undefined {
  const { wholeLines } = beginning;
  const [first = ""] = wholeLines;
  if (isPlainJson(beginning)) return undefined;
  const recognizes = (line: string): boolean => log.recognizes(line);
  const evidence = isHeading(first) && log.recognizes(first) ? "heading" : evidenceOfLines(wholeLines, recognizes);
  // Logs with different fields may begin alike.
  return first.startsWith("#") && !readsSome(log, wholeLines) ? undefined : evidence;
}

/** Whether one of the records can be parsed in this format; also true when there is no record yet. */
function readsSome(log: LineLogFormat, lines: readonly string[]): boolean {
  const parse = log.createParser();
  const records = lines.map((line) => parse(line)).filter((parsed) => parsed !== undefined);
  return records.length === 0 || records.some((parsed) => !isLogProblem(parsed) || parsed.code !== "not-a-log-line");
}

function read(log: LineLogFormat, chunks: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<Batch> {
  const { source, base, agentField, time, writer } = options;
  const names = ["url", ...log.facts.map((fact) => factNames[fact]), "log"];
  if (agentField !== undefined && (agentField !== factNames.userAgent || !names.includes(agentField))) {
    throw missingAgentField(source, agentField, names);
  }
  const hasTime = log.facts.includes("time") && (time?.field ?? factNames.time) === factNames.time;
  if (time !== undefined && !hasTime) throw missingTimeField(source, time.field, names);
  writer.startRows(names, undefined);
  const parse = log.createParser();
  let hasRecord = options.from !== undefined;
  /** The last header line, which determines how later lines are parsed. */
  let heading = options.from?.known["heading"];
  if (typeof heading === "string") parse(heading);
  const take: TakeLine = (line, number, { heads, urls, agents, times, rejects }) => {
    if (trimmed(line) === "") return;
    const parsed = parse(line);
    if (parsed === undefined) {
      if (log.isHeading?.(line) === true) heading = line;
      return;
    }
    const url = isLogProblem(parsed) ? parsed : urlOf(parsed, base);
    if (typeof url !== "string") {
      const { code, message } = url;
      const isMistake = code === "no-host" && base === undefined && !log.namesHost;
      if (isMistake && !hasRecord) throw missingBase(`${source}:${number}`);
      rejects.push(rejectOf(source, number, code, isMistake ? `${message} (--base)` : message, line));
      return;
    }
    hasRecord = true;
    const request = parsed as LogRequest;
    heads.push(writer.headOfFields(names, [url, ...log.facts.map((fact) => request[fact] ?? ""), line]));
    urls.push(urlTextOf(url));
    agents?.push(request.userAgent ?? "");
    times?.push(request.time ?? "");
  };
  return readLines(chunks, options, take, () => (hasRecord ? { heading } : undefined));
}
