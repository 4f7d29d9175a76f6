// Tests finding the patterns of logs in servers' configurations.
import { expect, test } from "vitest";
import { patternIn, patternsOf } from "./configuration.ts";

const combined = '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"';
const quoted = '"%h %l %u %t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\""';
const main = '$remote_addr - $remote_user [$time_local] "$request" $status';

test.each<[what: string, written: string, pattern: string]>([
  ["the pattern alone", combined, combined],
  ["with the backslashes of its quotes", quoted.slice(1, -1), combined],
  ["in Apache's quotes", quoted, combined],
  ["with a nickname", `${quoted} combined`, combined],
  ["a whole directive", `LogFormat ${quoted} combined`, combined],
  ["nginx's parts", `'$remote_addr - $remote_user [$time_local] '\n    '"$request" $status'`, main],
  [
    "a whole statement",
    `log_format main escape=json '$remote_addr - $remote_user [$time_local] '\n '"$request" $status';`,
    main,
  ],
  ["a pattern that begins with a quote", '"%r" %h', '"%r" %h'],
  ["HAProxy's spaces", "%ci:%cp\\ [%tr]\\ %{+Q}r", "%ci:%cp [%tr] %{+Q}r"],
  ["tabs", "%h\\t%r", "%h\t%r"],
])("%s", (_what, written, pattern) => {
  expect(patternIn(written)).toBe(pattern);
});

test("every statement of a configuration", () => {
  const configuration = `
http {
  # log_format old '$status';
  log_format main '$remote_addr - $remote_user [$time_local] '
                  '"$request" $status';
  log_format  short  "$request\\t$status" ;
  access_log /var/log/nginx/access.log main;
}
LogFormat ${quoted} combined
  LogFormat "%r %s"
LogFormat %r bare
`;
  expect(patternsOf(configuration)).toEqual([
    { name: "main", pattern: main },
    { name: "short", pattern: "$request\t$status" },
    { name: "combined", pattern: combined },
    { name: undefined, pattern: "%r %s" },
    { name: "bare", pattern: "%r" },
  ]);
  expect(patternsOf("log_format x;\nlog_format\nLogFormat\n")).toEqual([]);
});
