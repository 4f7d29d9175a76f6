// Records and answers in, one JSON object per line out: the record's own bytes with one member added at the end.
import { byteStringOf, utf8TextOf } from "../../text.ts";
import { takenName } from "../url-field.ts";
import type { OutputFormat, RecordWriter, WriterOptions } from "../types.ts";

/** NDJSON. */
export const ndjson: OutputFormat = {
  name: "ndjson",
  about: "one JSON object a line, the answer as one added object",
  createWriter,
};

function createWriter({ resultKey, hasDialect }: WriterOptions): RecordWriter {
  const key = byteStringOf(resultKey);
  const opening = `,${byteStringOf(JSON.stringify(resultKey))}:`;
  let openings: readonly string[] = [];

  return {
    resultKey: key,
    keepsObjects: true,
    memberOpenings: () => openings,
    headOfObject: ({ text, close }, start) => text.slice(start, close),
    startRows(names) {
      if (names.includes(key)) throw takenName("the header", utf8TextOf(key));
      openings = names.map((name, index) => `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`);
      return false;
    },
    headOfRow(row) {
      throw new Error(`a row is not an object: ${row}`);
    },
    headOfFields(_names, fields) {
      let head = "";
      for (let index = 0; index < fields.length; index++) {
        const field = fields[index];
        if (field !== undefined) head += openings[index]! + JSON.stringify(field);
      }
      return head;
    },
    tailOf: ({ agent, dialect, kind, allowed, because, group, code, rule, line, origin }) =>
      // JSON.stringify omits undefined members.
      `${opening}${byteStringOf(JSON.stringify({ agent, dialect: hasDialect ? dialect : undefined, kind, allowed, because, group, code, rule, line, origin }))}}\n`,
    header: () => "",
    losses: () => [],
    known: () => ({}),
  };
}
