// Tests which other records bind a crawler, and their bytes and scopes.
import { describe, expect, test } from "vitest";
import { type BoundRecord, boundRecordsOf, holdsRecords } from "./bound-records.ts";
import { parseRobotsTxt } from "../read/parse.ts";

const wanted = new Set(["content-usage", "content-signal"] as const);
const told = ({ name, line, value, scope }: BoundRecord): string =>
  `${line} ${name} ${Buffer.from(value).toString("latin1")} ${scope}`;
const boundIn = (text: string | Uint8Array, tokens: readonly string[] | "none" = ["a"]): string[] =>
  boundRecordsOf(parseRobotsTxt(text), tokens === "none" ? undefined : tokens, "google", wanted).map(told);

describe("records that bind", () => {
  test.each<[string, string, string[]]>([
    ["in its group", "User-agent: A\nContent-Signal: x\nCrawl-delay: 3\n", ["2 content-signal x named"]],
    ["in the group for *", "User-agent: *\nContent-Usage: x # y\n", ["2 content-usage x everybody"]],
    ["not in the group for * when the file names it", "User-agent: *\nContent-Usage: x\nUser-agent: a\nDisallow:", []],
    ["before all groups", "Content-Signal: x\nUser-agent: b\nDisallow:\n", ["1 content-signal x file"]],
    [
      "between the names of one group",
      "User-agent: b\nContent-Signal: x\nUser-agent: a\nDisallow:\n",
      ["2 content-signal x named"],
    ],
    [
      "for Content-Usage records, a Content-Usage line ends the run of user-agent lines",
      "User-agent: b\nContent-Usage: x\nUser-agent: a\nContent-Usage: y\n",
      ["4 content-usage y named"],
    ],
    [
      "for other records, a Content-Usage line does not end the run",
      "User-agent: b\nContent-Usage: x\nUser-agent: a\nContent-Signal: y\nUser-agent: c\nDisallow:",
      ["4 content-signal y named"],
    ],
  ])("%s", (_, text, expected) => {
    expect(boundIn(text)).toEqual(expected);
  });

  test("without product tokens: only the records before all groups", () => {
    expect(boundIn("Content-Signal: x\nUser-agent: *\nContent-Signal: y\n", "none")).toEqual([
      "1 content-signal x file",
    ]);
  });

  test("values are the bytes of the file", () => {
    const bytes = Uint8Array.from(Buffer.from("User-agent: *\nContent-Usage: \xff\xfe x \n", "latin1"));
    expect(boundIn(bytes)).toEqual(["2 content-usage \xff\xfe x everybody"]);
  });
});

test("holdsRecords: whether a file has a line of a wanted record", () => {
  expect(holdsRecords(parseRobotsTxt("User-agent: *\ncontent-usage: x"), wanted)).toBe(true);
  expect(holdsRecords(parseRobotsTxt("User-agent: *\nLicense: x"), wanted)).toBe(false);
});
