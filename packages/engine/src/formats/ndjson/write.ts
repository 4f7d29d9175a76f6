// Writes records and their answers as one JSON object per line: the record's own bytes with one member added at the end.
import { byteStringOf, utf8TextOf } from "../../common/text.ts";
import { takenName } from "../url-field.ts";
import type { Answer, OutputFormat, RecordWriter, WriterOptions } from "../types.ts";

export const ndjson: OutputFormat = {
  name: "ndjson",
  about: "one JSON object per line, the answer as one added object",
  rowForms: ["agent", "record"],
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
    partOf: (answers, isFirst, isLast) =>
      `${isFirst ? `${opening}{${factsOf(answers[0]!, hasDialect)}"agents":{` : ","}${membersOf(answers)}${isLast ? "}}}\n" : ""}`,
    members: { tailEnd: "}}\n".length, partEnd: "}".length, lastPartEnd: "}}}}\n".length, bytesOf: jsonMembersOf },
    header: () => "",
    losses: () => [],
    known: () => ({}),
  };
}

/** Members as JSON, each with a comma before it; `values` are JSON texts. Leaves out a name whose value is undefined. */
export function jsonMembersOf(names: readonly string[], values: readonly (string | undefined)[]): string {
  let members = "";
  for (const [index, name] of names.entries()) {
    const value = values[index];
    if (value !== undefined) members += `,${JSON.stringify(name)}:${value}`;
  }
  return byteStringOf(members);
}

/** The members that a record's answers for all agents share, with a comma after each. */
function factsOf({ origin, dialect }: Answer, hasDialect: boolean): string {
  const facts = JSON.stringify({ origin, dialect: hasDialect ? dialect : undefined }).slice(1, -1);
  return facts === "" ? "" : `${byteStringOf(facts)},`;
}

/** A member for each answer, with the agent as its name. */
function membersOf(answers: readonly Answer[]): string {
  let members = "";
  for (const { agent, kind, allowed, because, group, code, rule, line } of answers) {
    const answer = JSON.stringify({ kind, allowed, because, group, code, rule, line });
    members += `${members === "" ? "" : ","}${JSON.stringify(agent)}:${answer}`;
  }
  return byteStringOf(members);
}
