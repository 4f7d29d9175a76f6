// The input formats of tables: CSV, and TSV, which is CSV with a tab as delimiter.
import { parseTarget } from "@robots-stream/url";
import type { Beginning, Evidence, InputFormat } from "../input-format.ts";
import { indexOfUsualField } from "../url-field.ts";
import { delimiterOf, firstRowOf } from "./first-row.ts";
import { readTable } from "./read.ts";

/** CSV. The first row determines the delimiter: comma, semicolon, tab or "|". */
export const csv: InputFormat = {
  name: "csv",
  about: "rows with a header; , ; tab or | between fields",
  endings: [".csv"],
  hasFields: true,
  samples: {
    heading: "url,n",
    record: '"{url}",{other}',
    longRecords: ['"{url}","two\nlines"', '"{url}","\n\n,"""'],
    broken: ['a"b,c', "one field"],
    fragments: [
      "url,n",
      "x:1,2",
      '"x:2","a ""b"""',
      '"over\ntwo",3',
      '"',
      '""',
      '",',
      ',"',
      ",",
      "https://a.example/1,2",
    ],
  },
  recognize,
  read: (chunks, options) => readTable(chunks, options, undefined),
};

/**
 * CSV with a tab as delimiter. Detection returns `tsv` only for the file endings below, and otherwise `csv`, whose reader finds the tab,
 * too.
 */
export const tsv: InputFormat = {
  name: "tsv",
  about: "rows with a header, a tab between fields",
  endings: [".tsv", ".tab"],
  hasFields: true,
  samples: {
    heading: "url\tn",
    record: "{url}\t{other}",
    broken: ["only one field"],
    fragments: ["url\tn", "x:1\t2", 'x:4\ta"b', '"x:2"\t"a"', '"x:3"\t"a\tb"', '"', "\t", "https://a.example/1\t2"],
    detectedAs: "csv",
  },
  read: (chunks, options) => readTable(chunks, options, "\t"),
};

/**
 * Recognizes a table by its first lines. A first line that is not a URL is a header if it has a delimiter or a usual name of a URL field.
 * If the first line is a URL, the source is a table when its first lines (at least 2, at most 20) have the same number of fields, and that
 * number is more than 1.
 */
function recognize({ lines, wholeLines }: Beginning): Evidence | undefined {
  const [first = ""] = lines;
  const delimiter = delimiterOf(firstRowOf(lines.join("\n"), "\n"));
  if (parseTarget(first) === undefined) {
    return delimiter !== "" || indexOfUsualField([first.replaceAll('"', "")]) >= 0 ? "guess" : undefined;
  }
  // The URLs of a list may contain commas, but seldom the same number of commas in every URL.
  const counts = wholeLines.slice(0, 20).map((line) => line.split(delimiter).length);
  const isTable = delimiter !== "" && counts.length > 1 && counts.every((count) => count === counts[0]);
  return isTable ? "guess" : undefined;
}
