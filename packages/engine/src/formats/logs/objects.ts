// JSON records of a log in, one record per line out: its bytes unchanged, its URL composed of several members.
import { type LogRequest, type ObjectLogFormat, isLogProblem, urlOf } from "@robots-stream/logs";
import { evidenceOfLines, isPlainJson } from "../recognition.ts";
import { byteStringOf, utf8TextOf } from "../../text.ts";
import { byteStringOfJson } from "../ndjson/strings.ts";
import { AskedMembers } from "../ndjson/asked-members.ts";
import { ObjectWalker } from "../ndjson/walk.ts";
import { type TakeLine, readLines, rejectOf, trimmed } from "../line-reader.ts";
import { whyNoObject } from "../ndjson/read.ts";
import type { Block } from "../../records/blocks.ts";
import type { Batch, InputFormat, ReadOptions } from "../../records/batch.ts";
import { missingTimeField } from "../time-field.ts";
import { missingAgentField, takenName } from "../url-field.ts";

/** The input format of a log. The formats come from `@robots-stream/logs`; add one there. */
export function objectLogInput(log: ObjectLogFormat): InputFormat {
  return {
    name: log.name,
    about: log.about,
    endings: [],
    recordsAre: "lines",
    samples: log.samples,
    recognize: (beginning) =>
      isPlainJson(beginning) ? undefined : evidenceOfLines(beginning.wholeLines, (line) => log.recognizes(line)),
    read: (chunks, options) => read(log, chunks, options),
  };
}

function read(log: ObjectLogFormat, chunks: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<Batch> {
  const { source, base, agentField, time, writer } = options;
  // The log format determines the header's field, so the flag may only name a User-Agent field.
  if (agentField !== undefined && !/user.?agent/i.test(agentField)) {
    throw missingAgentField(source, agentField, ["user_agent", ...log.members]);
  }
  const taken = new AskedMembers([Buffer.from(writer.resultKey, "latin1")]);
  // The log format determines the time's field, too.
  if (time?.field !== undefined && !/time/i.test(time.field)) {
    throw missingTimeField(source, time.field, ["time", ...log.members]);
  }
  let walked: { readonly block: Block; readonly walker: ObjectWalker } | undefined;
  const places = new Map(log.members.map((member, place) => [byteStringOf(member), place]));
  let hasRecord = options.from !== undefined;
  const take: TakeLine = (raw, number, { heads, urls, agents, times, rejects }, block, lineStart) => {
    const line = trimmed(raw);
    if (line === "") return;
    if (walked?.block !== block) walked = { block, walker: new ObjectWalker(block, options.lineEnd) };
    const { walker } = walked;
    const { text } = walker;
    const start = walker.skipSpace(lineStart);
    const values: unknown[] = log.members.map(() => undefined);
    const isObject = walker.walk(start, taken, (keyStart, keyEnd, valueStart, valueEnd) => {
      const place = places.get(byteStringOfJson(text.slice(keyStart, keyEnd)));
      if (place !== undefined) values[place] = valueOf(text.slice(valueStart, valueEnd));
    });
    if (!isObject) {
      const { code, message } = whyNoObject(walker, start, lineStart);
      rejects.push(rejectOf(source, number, code, message, line));
      return;
    }
    const request = log.requestOf(values);
    const url = isLogProblem(request) ? request : urlOf(request, base);
    if (typeof url !== "string") {
      rejects.push(rejectOf(source, number, url.code, url.message, line));
      return;
    }
    if (taken.has(0)) {
      const key = utf8TextOf(writer.resultKey);
      if (!hasRecord) throw takenName(source, key);
      rejects.push(
        rejectOf(
          source,
          number,
          "key-taken",
          `already has a member "${key}"; choose another name with --result-key`,
          line,
        ),
      );
      return;
    }
    hasRecord = true;
    heads.push(writer.headOfObject(walker, start));
    urls.push(url);
    agents?.push(byteStringOf((request as LogRequest).userAgent ?? ""));
    times?.push(byteStringOf((request as LogRequest).time ?? ""));
  };
  return readLines(chunks, options, take, () => (hasRecord ? {} : undefined));
}

/** A member's value; undefined for a value that is nested too deeply for JSON.parse. */
function valueOf(raw: string): unknown {
  try {
    return JSON.parse(utf8TextOf(raw));
  } catch {
    return undefined;
  }
}
