// Writes records and their answers as rows for `createTablePrinter`: the URL as a JSON string, a tab, the answer as JSON. JSON escapes
// tabs and line ends, so that no record can break a row.
import { byteStringOf } from "../../common/text.ts";
import { jsonMembersOf, ndjson } from "../ndjson/write.ts";
import type { OutputFormat } from "../types.ts";
import { createTablePrinter } from "./print.ts";

export const table: OutputFormat = {
  name: "table",
  about: "lines for people: the decision, the URL, why",
  rowForms: ["agent"],
  createWriter: (options, known) => ({
    ...ndjson.createWriter(options, known),
    // `headOfUrl` makes the heads. The heads that readers request are not used.
    resultKey: noKey,
    startRows: () => true,
    headOfFields: () => "",
    memberOpenings: () => undefined,
    headOfUrl: (url) => byteStringOf(JSON.stringify(url)),
    members: { tailEnd: "}\n".length, partEnd: 0, lastPartEnd: 0, bytesOf: jsonMembersOf },
    tailOf: (answer) => `\t${byteStringOf(JSON.stringify(answer))}\n`,
  }),
  createPrinter: createTablePrinter,
};

/**
 * The result key of a table. Readers refuse a record that has a member of this name. A table adds no member, so the key is a name that no
 * record is expected to have.
 */
const noKey = "robots-stream: no key";
