// Queries of W3C extended logs: what IIS writes into them is not part of the URL, and what the client sent stays.
import { expect, test } from "vitest";
import { lineLogFormats } from "./index.ts";
import { isLogProblem } from "./types.ts";
import { urlOf } from "./host.ts";

const ofIis =
  "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) sc-status sc-substatus sc-win32-status";
const ofFew = "#Fields: date time cs-method cs-uri-stem cs-uri-query";
const ofOther = "#Fields: date time c-ip cs-method cs-uri cs-uri-query cs-host cs(User-Agent) sc-status";

function targetOf(heading: string, stem: string, query: string): string | undefined {
  const parse = lineLogFormats.find(({ name }) => name === "w3c")!.createParser();
  parse(heading);
  const values: Readonly<Record<string, string>> = {
    "cs-method": "GET",
    "cs-uri-stem": stem,
    "cs-uri": stem,
    "cs-uri-query": query,
  };
  const names = heading.split(" ").slice(1);
  const parsed = parse(names.map((name) => values[name] ?? "-").join(" "))!;
  if (isLogProblem(parsed)) return parsed.code;
  const url = urlOf(parsed, { scheme: "https", host: "a.example" });
  return typeof url === "string" ? url.replace("https://a.example", "") : url.code;
}

const arr = "X-ARR-CACHE-HIT=0&X-ARR-LOG-ID=62a3161c-b4f5-408e-9ce7-55d25c018aea&SERVER-STATUS=200";
const asp = "|12|800a0bcd|Either_BOF_or_EOF_is_True,_or_the_current_record_has_been_deleted.";

test.each([
  ["-", "/shoes"],
  ["a=1&b=2", "/shoes?a=1&b=2"],
  ["X-ARR-LOG-ID=2b79-aa", "/shoes"],
  [arr, "/shoes"],
  [`a=1&b&${arr}`, "/shoes?a=1&b"],
  ["a=1&SERVER-ROUTED=10.0.0.7:8080&SERVER-STATUS=502", "/shoes?a=1"],
  [asp, "/shoes"],
  [`id=7${asp}`, "/shoes?id=7"],
  ["|-|0|404_Object_Not_Found", "/shoes"],
  ["q=a|b|-|ASP_0113|Script_timed_out", "/shoes?q=a|b"],
  ["q|26|ASP_0177_:_800401f3|800401f3_", "/shoes?q"],
  [`id=7${asp}&X-ARR-LOG-ID=2b79-aa`, "/shoes?id=7"],
  [`id=7&X-ARR-LOG-ID=2b79-aa${asp}`, "/shoes?id=7"],
  // The client's own texts: further ahead, or with another form.
  ["X-ARR-LOG-ID=1&a=2", "/shoes?X-ARR-LOG-ID=1&a=2"],
  ["X-ARR-LOG-ID=mine&X-ARR-LOG-ID=2b79-aa", "/shoes?X-ARR-LOG-ID=mine"],
  [`x|1|80004005|mine${asp}`, "/shoes?x|1|80004005|mine"],
  ["NO-X-ARR-LOG-ID=1", "/shoes?NO-X-ARR-LOG-ID=1"],
  ["q=1|2|three", "/shoes?q=1|2|three"],
  ["404;https://a.example:443/missing", "no-url"],
  ["500;100;http://a.example/missing", "no-url"],
  ["?404;http://a.example/missing", "no-url"],
  ["a;b", "/shoes?a;b"],
])("IIS: the query %s", (query, target) => {
  expect(targetOf(ofIis, "/shoes", query)).toBe(target);
  expect(targetOf(ofFew, "/shoes", query)).toBe(target);
});

test.each([
  ["/what?", "-", "/what%3F"],
  ["/what?", "a=1", "/what%3F?a=1"],
  ["/a#b", "-", "/a%23b"],
])("IIS decodes the stem %s, whose query is in another field: %s", (stem, query, target) => {
  expect(targetOf(ofFew, stem, query)).toBe(target);
  expect(targetOf(ofFew.replace(" cs-uri-query", ""), stem, "-")).toBe(stem);
});

test.each([arr, asp, "404;https://a.example:443/missing"])("another server: the query %s is the client's", (query) => {
  expect(targetOf(ofOther, "/shoes", query)).toBe(`/shoes?${query}`);
});
