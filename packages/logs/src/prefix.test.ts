// Lines behind the prefixes of syslog and of container runtimes in, their format, URL and client out.
import { describe, expect, test } from "vitest";
import { type LogRequest, lineLogFormats, urlOf } from "./index.ts";

const rest = '- - [12/Mar/2024:10:15:32 +0000] "GET /a HTTP/1.1" 200 5120 "-" "GPTBot/1.2"';
const written: readonly (readonly [format: string, line: string, url: string, client: string])[] = [
  ["combined", `203.0.113.1 ${rest}`, "https://base/a", "203.0.113.1"],
  ["combined", `203.0.113.1, 10.0.0.1 ${rest}`, "https://base/a", "203.0.113.1"],
  ["vhost_combined", `a.example:443 2001:db8::1 ${rest}`, "https://a.example/a", "2001:db8::1"],
  ["combined_host", `203.0.113.1 ${rest} a.example`, "https://a.example/a", "203.0.113.1"],
];

describe.each([
  ["nothing", ""],
  ["CRI", "2026-11-21T06:55:09.391287654Z stdout F "],
  ["CRI, a part", "2026-11-21T06:55:09.391287654+01:00 stderr P "],
  ["syslog", "Mar  2 00:00:03 web1 nginx: "],
  ["syslog with a priority", "<190>Mar 12 00:00:03 10.0.0.7 httpd[12]: "],
  ["syslog with a whole time", "2026-11-21T06:55:09.391287+00:00 web1 nginx: "],
  ["syslog of RFC 5424", "<134>1 2026-11-21T06:55:09Z web1 nginx 12 - - "],
])("behind %s", (_name, prefix) => {
  test.each(written)("%s: %s", (name, line, url, client) => {
    const [format, ...others] = lineLogFormats.filter((each) => each.recognizes(prefix + line));
    expect([format?.name, others]).toEqual([name, []]);
    const request = format!.createParser()(prefix + line) as LogRequest;
    expect([urlOf(request, { scheme: "https", host: "base" }), request.client]).toEqual([url, client]);
  });
});
