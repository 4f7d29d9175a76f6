// Makes the input format of a log of JSON records.
import { type ObjectLogFormat, isLogProblem, jsonRecordOf, problemOfMessage } from "@robots-stream/logs";
import { countOfLines, evidenceOfLines, isPlainJson } from "../recognition.ts";
import { readLines } from "../line-reader.ts";
import { ObjectLines } from "./object-lines.ts";
import { RequestLines } from "./request-lines.ts";
import { hasAgentsAmong } from "./row.ts";
import { innerOf } from "./wrapped.ts";
import type { InputFormat } from "../input-format.ts";

function isOfServer(line: string): boolean {
  return problemOfMessage(line) !== undefined;
}

/** The input format of a log. The formats come from `@robots-stream/logs`; add one there. */
export function objectLogInput(log: ObjectLogFormat): InputFormat {
  return {
    name: log.name,
    about: log.about,
    endings: [],
    recordsAreLines: true,
    namesHost: log.namesHost,
    ...(log.facts === undefined ? { requestIn: requestIn(log) } : { makesLogRows: true }),
    countLines: ({ wholeLines }) => countOfLines(wholeLines, (line) => log.recognizes(line)),
    samples: log.samples,
    recognize(beginning) {
      if (isPlainJson(beginning)) return undefined;
      // The messages of a server that starts may precede its first request.
      const lines = beginning.wholeLines.filter((line) => log.isMessage?.(line) !== true && !isOfServer(line));
      return evidenceOfLines(lines, (line) => log.recognizes(line));
    },
    hasAgentsIn: (lines) => hasAgentsAmong(lines.map((line) => parsedOf(log, innerOf(line)))),
    ...(log.hasServerPath === undefined ? {} : { hasServerPaths: (lines) => areOfServer(log, lines) }),
    read: (chunks, options) => readLines(chunks, options, new RequestLines(new ObjectLines(log, options), options)),
  };
}

/** Whether the first records have paths, all of them those after the server's rewrites. */
function areOfServer(log: ObjectLogFormat, lines: readonly string[]): boolean {
  const records = lines.map((line) => jsonRecordOf(innerOf(line))).filter((record) => record !== undefined);
  const known = records.flatMap((record) => log.hasServerPath!(record) ?? []);
  return known.length > 0 && !known.includes(false);
}

function parsedOf(log: ObjectLogFormat, line: string): ReturnType<ObjectLogFormat["requestOf"]> | undefined {
  const record = jsonRecordOf(line);
  return record === undefined ? undefined : log.requestOf(record);
}

function requestIn(log: ObjectLogFormat): NonNullable<InputFormat["requestIn"]> {
  return (record) => {
    const request = log.requestOf(record);
    return isLogProblem(request) ? undefined : request;
  };
}
