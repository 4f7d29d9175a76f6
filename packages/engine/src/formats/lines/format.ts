// The input format of plain lists: one URL per line.
import { urlTextOf } from "../../text.ts";
import { type TakeLine, readLines, trimmed } from "../line-reader.ts";
import { missingTimeField } from "../time-field.ts";
import { missingAgentField } from "../url-field.ts";
import type { Batch, InputFormat, ReadOptions } from "../../records/batch.ts";

/** A list of URLs. */
export const lines: InputFormat = {
  name: "lines",
  about: "one URL a line",
  endings: [".txt", ".urls", ".list"],
  recordsAre: "lines",
  samples: {
    record: "{url}",
    // Every line is a URL, absolute or not.
    broken: [],
    fragments: ["https://a.example/", "x", "/a", "//b", " "],
  },
  recognize: () => "guess",
  read,
};

const names = ["url"];

function read(chunks: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<Batch> {
  const { source, agentField, time, writer } = options;
  if (agentField !== undefined) throw missingAgentField(source, agentField, names);
  if (time !== undefined) throw missingTimeField(source, time.field, names);
  // Rows that consist of one URL are never passed on unchanged: the URL may contain the delimiter.
  writer.startRows(names, undefined);
  const take: TakeLine = (line, _number, { heads, urls }) => {
    const url = trimmed(line);
    if (url === "") return;
    heads.push(writer.headOfFields(names, [url]));
    urls.push(urlTextOf(url));
  };
  return readLines(chunks, options, take, () => ({}));
}
