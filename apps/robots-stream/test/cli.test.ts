// Tests command lines, with the cases as data. bundled.test.ts, faults.test.ts and stops.test.ts run real processes.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runHere } from "./here.ts";
import { recordsOf, root } from "./run.ts";
import { makeFolder } from "./folder.ts";

const saved = ["--robots", "examples/robots"];
const bingbot = ["--agent", "bingbot", ...saved];
const [agents, dialects] = ["agents", "dialects"].map((name) => [
  "--robots",
  `apps/robots-stream/test/fixtures/${name}.txt`,
]) as [string[], string[]];

interface Case {
  readonly args: readonly string[];
  readonly stdin?: string | Uint8Array;
  /** The complete stdout, or a pattern that it must match; absent: any, but none after wrong usage. */
  readonly stdout?: string | RegExp;
  /** Absent: nothing, but any text after an error. */
  readonly stderr?: string | RegExp;
  /** 0 if absent. */
  readonly code?: number;
}

const okRow = (url: string, rest = ""): string =>
  `{"url":"${url}"${rest},"robots":{"agent":"bingbot","allowed":true,"because":"no-rule","group":"*","origin":"https://shop.example"}}\n`;

const cases: Record<string, Case> = {
  "a record from stdin": {
    args: bingbot,
    stdin: '{"url":"https://shop.example/a"}\n',
    stdout: okRow("https://shop.example/a"),
  },
  "the bytes of the record are unchanged": {
    args: bingbot,
    stdin: '{ "url": "https://shop.example/a" , "größe": 1.00, "big": 12345678901234567890 }  \r\n',
    stdout: `{ "url": "https://shop.example/a" , "größe": 1.00, "big": 12345678901234567890 ,"robots":{"agent":"bingbot","allowed":true,"because":"no-rule","group":"*","origin":"https://shop.example"}}\n`,
  },
  "a rule, with its line": {
    args: bingbot,
    stdin: '{"url":"https://shop.example/cart"}',
    stdout:
      '{"url":"https://shop.example/cart","robots":{"agent":"bingbot","allowed":false,"because":"rule","group":"*","rule":"disallow: /cart","line":3,"origin":"https://shop.example"}}\n',
  },
  "an empty rule": {
    args: bingbot,
    stdin: '{"url":"https://docs.example:8443/"}',
    stdout:
      /"allowed":true,"because":"rule","group":"\*","rule":"disallow:","line":4,"origin":"https:\/\/docs.example:8443"\}\}\n$/,
  },
  "the next fallback name of a crawler": {
    args: ["-a", "Googlebot-Image", "-a", "AdsBot-Google", "-a", "nobody", ...agents],
    stdin: "https://a.example/google\nhttps://a.example/all\n",
    stdout: [
      '{"url":"https://a.example/google","robots":{"agent":"Googlebot-Image","allowed":false,"because":"rule","group":"Googlebot","rule":"disallow: /google","line":5,"origin":"https://a.example"}}\n',
      '{"url":"https://a.example/google","robots":{"agent":"AdsBot-Google","allowed":true,"because":"no-group","origin":"https://a.example"}}\n',
      '{"url":"https://a.example/google","robots":{"agent":"nobody","allowed":true,"because":"no-rule","group":"*","origin":"https://a.example"}}\n',
      '{"url":"https://a.example/all","robots":{"agent":"Googlebot-Image","allowed":true,"because":"no-rule","group":"Googlebot","origin":"https://a.example"}}\n',
      '{"url":"https://a.example/all","robots":{"agent":"AdsBot-Google","allowed":true,"because":"no-group","origin":"https://a.example"}}\n',
      '{"url":"https://a.example/all","robots":{"agent":"nobody","allowed":false,"because":"rule","group":"*","rule":"disallow: /all","line":2,"origin":"https://a.example"}}\n',
    ].join(""),
  },
  "the product token without fallback names": {
    args: ["-a", "Googlebot-Image", "--no-fallback", ...agents],
    stdin: "https://a.example/all\n",
    stdout: /"allowed":false,"because":"rule","group":"\*"/,
  },
  "a set of crawlers, with the kind of each name": {
    args: ["--agents", "control", "--output", "csv", ...agents],
    stdin: "https://a.example/\n",
    stdout: [
      "url,robots_agent,robots_allowed,robots_because,robots_group,robots_rule,robots_line,robots_origin,robots_kind\n",
      "https://a.example/,Google-Extended,false,rule,,disallow: /,8,https://a.example,control-token\n",
      "https://a.example/,Applebot-Extended,true,no-rule,*,,,https://a.example,control-token\n",
      "https://a.example/,Webzio-Extended,true,no-rule,*,,,https://a.example,control-token\n",
      "https://a.example/,__usage_ai-training,true,no-group,,,,https://a.example,control-token\n",
    ].join(""),
  },
  "each record by the crawler that made the request": {
    args: ["--agent-field", "user_agent", ...agents],
    stdin: [
      '{"url":"https://a.example/all","user_agent":"Mozilla/5.0 (compatible; bingbot/2.0; +http://x)"}\n',
      '{"url":"https://a.example/google","user_agent":"Googlebot-Image\\/1.0"}\n',
      '{"user_agent":"Mozilla/5.0 (X11; rv:128.0) Gecko/20100101 Firefox/128.0","url":"https://a.example/all"}\n',
      '{"url":"https://a.example/all"}\n',
      '{"url":"https://a.example/all","user_agent":null}\n',
      '{"url":"/all","user_agent":"ChatGPT-User/1.0"}\n',
    ].join(""),
    stdout: [
      '{"url":"https://a.example/all","user_agent":"Mozilla/5.0 (compatible; bingbot/2.0; +http://x)","robots":{"agent":"bingbot","allowed":false,"because":"rule","group":"*","rule":"disallow: /all","line":2,"origin":"https://a.example"}}\n',
      '{"url":"https://a.example/google","user_agent":"Googlebot-Image\\/1.0","robots":{"agent":"Googlebot-Image","allowed":false,"because":"rule","group":"Googlebot","rule":"disallow: /google","line":5,"origin":"https://a.example"}}\n',
      '{"user_agent":"Mozilla/5.0 (X11; rv:128.0) Gecko/20100101 Firefox/128.0","url":"https://a.example/all","robots":{"agent":null,"allowed":null,"because":"not-a-crawler"}}\n',
      '{"url":"https://a.example/all","robots":{"agent":null,"allowed":null,"because":"not-a-crawler"}}\n',
      '{"url":"https://a.example/all","user_agent":null,"robots":{"agent":null,"allowed":null,"because":"not-a-crawler"}}\n',
      '{"url":"/all","user_agent":"ChatGPT-User/1.0","robots":{"agent":"ChatGPT-User","kind":"user-triggered","allowed":null,"because":"invalid-url"}}\n',
    ].join(""),
    stderr: /^robots-stream: 1 record has no field for the User-Agent header/,
  },
  "each row of a CSV by the crawler that made the request, in both dialects": {
    args: [..."--agent-field UA --dialect google,rfc9309 --output csv --ordered".split(" "), ...agents],
    stdin: 'ua;url\n"AdsBot-Google (+http://x)";https://a.example/all\n-;https://a.example/all\n',
    stdout: [
      "ua,url,robots_agent,robots_allowed,robots_because,robots_group,robots_rule,robots_line,robots_origin,robots_dialect,robots_kind\n",
      "AdsBot-Google (+http://x),https://a.example/all,AdsBot-Google,true,no-group,,,,https://a.example,google,\n",
      "AdsBot-Google (+http://x),https://a.example/all,AdsBot-Google,true,no-group,,,,https://a.example,rfc9309,\n",
      "-,https://a.example/all,,,not-a-crawler,,,,,,\n",
    ].join(""),
  },
  "the crawlers of an access log, counted": {
    args: [..."--agent-field user_agent --base https://a.example --summary".split(" "), ...agents],
    stdin: [
      '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /all HTTP/1.1" 200 1 "-" "Applebot/0.1"\n',
      '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /all HTTP/1.1" 200 1 "-" "curl/8"\n',
      '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /google HTTP/1.1" 200 1 "-" "Applebot/0.1"\n',
    ].join(""),
    stdout:
      /"agent":"Applebot","allowed":true,.*"not-a-crawler".*"agent":"Applebot","allowed":false,"because":"rule","group":"Googlebot"/s,
    stderr: /no crawler +1\n.*agent Applebot: 1 allowed, 1 disallowed, 0 undecided\n/s,
  },
  "a field that the first record lacks": {
    args: [...saved, "--agent-field", "useragent"],
    stdin: '{"url":"https://a.example/","user_agent":"x"}',
    stderr:
      'robots-stream: stdin: the first record has no field "useragent" (--agent-field); it has 2 fields, among them url, user_agent\nrobots-stream:   did you mean --agent-field user_agent?\n',
    code: 2,
  },
  "a field that the header of a CSV lacks": {
    args: [...saved, "--agent-field", "agent"],
    stdin: "url,n\nhttps://a.example/,1\n",
    stderr: /no field "agent" \(--agent-field\); it has 2 fields, among them url\n/,
    code: 2,
  },
  "a field of plain lines, which have only a URL": {
    args: [...saved, "--agent-field", "agent"],
    stdin: "https://a.example/\n",
    stderr: /no field "agent" \(--agent-field\); it has 1 field, among them url\n/,
    code: 2,
  },
  "--agent beside --agent-field": {
    args: [...bingbot, "--agent-field", "user_agent"],
    stdin: '{"url":"https://a.example/"}',
    stderr: /--agent-field and --agent cannot be combined/,
    code: 2,
  },
  "no group": {
    args: bingbot,
    stdin: '{"url":"https://blog.example/"}',
    stdout: /"allowed":true,"because":"no-group","origin":"https:\/\/blog.example"\}\}\n$/,
  },
  "unavailable, with its code": {
    args: bingbot,
    stdin: '{"url":"https://wiki.example/"}',
    stdout: /"allowed":true,"because":"unavailable","code":"http-404","origin":"https:\/\/wiki.example"\}\}\n$/,
  },
  "unreachable, with its code": {
    args: bingbot,
    stdin: '{"url":"https://down.example/"}',
    stdout: /"allowed":false,"because":"unreachable","code":"http-503","origin":"https:\/\/down.example"\}\}\n$/,
  },
  "no saved file": {
    args: bingbot,
    stdin: '{"url":"https://other.example/"}',
    stdout: /"allowed":false,"because":"unreachable","code":"not-saved","origin":"https:\/\/other.example"\}\}\n$/,
  },
  "an invalid URL": {
    args: bingbot,
    stdin: '{"url":"no url"}\n{"url":"mailto:x@y.example"}\n{"url":""}\n',
    stdout: [
      '{"url":"no url","robots":{"agent":"bingbot","allowed":null,"because":"invalid-url"}}\n',
      '{"url":"mailto:x@y.example","robots":{"agent":"bingbot","allowed":null,"because":"unsupported-scheme"}}\n',
      '{"url":"","robots":{"agent":"bingbot","allowed":null,"because":"invalid-url"}}\n',
    ].join(""),
  },
  "a URL that is too long": {
    args: [...bingbot, "--summary"],
    stdin: `{"url":"https://shop.example/${"a".repeat(70_000)}"}\n`,
    stdout: /"robots":\{"agent":"bingbot","allowed":null,"because":"url-too-long"\}\}\n$/,
    stderr: /url-too-long 1/,
  },
  "a name that is not a product token is compared as a whole, with a message": {
    args: ["-a", "MJ12bot", ...dialects],
    stdin: "https://a.example/mj\n",
    stdout:
      '{"url":"https://a.example/mj","robots":{"agent":"MJ12bot","allowed":false,"because":"rule","rule":"disallow: /mj","line":5,"origin":"https://a.example"}}\n',
    stderr:
      "robots-stream: MJ12bot is not a product token (RFC 9309 §2.2.1); user-agent lines are compared with the whole name\n",
  },
  "a set of crawlers causes no warning, whatever its names": {
    args: ["--agents", "ai", ...dialects],
    stdin: "https://a.example/mj\n",
    stdout: /"agent":"AI2Bot","allowed":/,
  },
  "a sitemap": {
    args: [...bingbot],
    stdin:
      '<?xml version="1.0"?>\n<urlset>\n<url><loc>https://shop.example/cart/&#63;a&amp;b</loc><lastmod>2025</lastmod></url>\n<url/>\n</urlset>\n',
    stdout: /^\{"url":"https:\/\/shop\.example\/cart\/\?a&b","lastmod":"2025","robots":\{.*"allowed":false.*\n$/,
    stderr: "robots-stream: stdin:4: has no <loc> (6 bytes)\n",
  },
  "a sitemap, and only URLs that changed recently": {
    args: [...bingbot, "--since", "2025-02-01", "--time-field", "lastmod"],
    stdin:
      "<urlset><url><loc>https://shop.example/1</loc><lastmod>2025-01-01</lastmod></url><url><loc>https://shop.example/2</loc><lastmod>2025-03-01</lastmod></url></urlset>",
    stdout: /^\{"url":"https:\/\/shop\.example\/2".*\n$/,
    stderr: /2 records: 1 decided, 0 rejects, 1 outside/,
  },
  "other XML is not a list of URLs: refused before any output, with a hint": {
    args: [...bingbot],
    stdin: '<?xml version="1.0"?>\n<rss>\n<link>https://shop.example/</link>\n</rss>\n',
    stderr: /^robots-stream: stdin: is XML, but not a sitemap\n.*grep -o 'http.*\n$/,
    code: 2,
  },
  "a name similar to a known crawler's is reported, and used unchanged": {
    args: ["-a", "goglebot", ...dialects],
    stdin: "https://a.example/mj\n",
    stdout: /"agent":"goglebot","allowed":true,"because":"no-/,
    stderr: "robots-stream: goglebot: no crawler of this name is known; did you mean Googlebot?\n",
  },
  "names unlike any known crawler's cause no message": {
    args: ["-a", "foobot,anybot,my-bot,examplebot", ...dialects],
    stdin: "https://a.example/mj\n",
    stdout: /"agent":"foobot"[^]*"agent":"anybot"[^]*"agent":"my-bot"[^]*"agent":"examplebot"/,
  },
  "--token-match google finds the name nowhere, like Google's parser": {
    args: ["-a", "MJ12bot", "--token-match", "google", ...dialects],
    stdin: "https://a.example/mj\n",
    stdout: /"allowed":true,"because":"no-rule"/,
  },
  "one row for each dialect": {
    args: ["-a", "x", "--dialect", "google,rfc9309", ...dialects],
    stdin: "https://a.example/caf%65\n",
    stdout: [
      '{"url":"https://a.example/caf%65","robots":{"agent":"x","dialect":"google","allowed":true,"because":"no-rule","group":"*","origin":"https://a.example"}}\n',
      '{"url":"https://a.example/caf%65","robots":{"agent":"x","dialect":"rfc9309","allowed":false,"because":"rule","group":"*","rule":"disallow: /cafe","line":2,"origin":"https://a.example"}}\n',
    ].join(""),
  },
  "--only-differences leaves out and counts the rows for which the dialects agree": {
    args: ["-a", "x", "--dialect", "google,rfc9309", "--only-differences", "-o", "csv", "--summary"].concat([
      ...dialects,
    ]),
    stdin: "https://a.example/cafe\nhttps://a.example/caf%65\nno url\nhttps://a.example/\n",
    stdout: [
      "url,robots_agent,robots_allowed,robots_because,robots_group,robots_rule,robots_line,robots_origin,robots_dialect\n",
      "https://a.example/caf%65,x,true,no-rule,*,,,https://a.example,google\n",
      "https://a.example/caf%65,x,false,rule,*,disallow: /cafe,2,https://a.example,rfc9309\n",
    ].join(""),
    stderr:
      /^records +4\ndecided +4\n {2}alike +3\n[^]*agent x \(google\): 2 allowed, 1 disallowed, 1 undecided\n {2}no-rule 2, invalid-url 1, rule 1\nagent x \(rfc9309\): 1 allowed, 2 disallowed, 1 undecided\n {2}rule 2, invalid-url 1, no-rule 1\ntarget: 1 record is decided differently with --target normalized\norigins with the most records\n {2}3 {2}https:\/\/a.example\n/,
  },
  "a URL in place of a file": {
    args: [...bingbot, "https://shop.example/cart"],
    stderr:
      "robots-stream: https://shop.example/cart: is a URL, and no file has this name\nrobots-stream:   for one URL: robots-stream explain https://shop.example/cart --agent bingbot\n",
    code: 2,
  },
  "a URL with a password in place of a file": {
    args: [...bingbot, "https://me:hunter2@shop.example/"],
    stderr: /^robots-stream: https:…: is a URL(?![^]*hunter2)/,
    code: 2,
  },
  "--only writes some rows and counts all": {
    args: ["-a", "bingbot,GPTBot", ...saved, "--only", "disallowed,undecided", "-o", "csv", "--summary"],
    stdin: "https://shop.example/cart\nhttps://shop.example/\nno url\n",
    stdout: [
      "url,robots_agent,robots_allowed,robots_because,robots_group,robots_rule,robots_line,robots_origin\n",
      "https://shop.example/cart,bingbot,false,rule,*,disallow: /cart,3,https://shop.example\n",
      "https://shop.example/cart,GPTBot,false,rule,,disallow: /,9,https://shop.example\n",
      "https://shop.example/,GPTBot,false,rule,,disallow: /,9,https://shop.example\n",
      "no url,bingbot,,invalid-url,,,,\n",
      "no url,GPTBot,,invalid-url,,,,\n",
    ].join(""),
    stderr:
      /^records +3\ndecided +3\nrejects +0\nrows left out +1\n[^]*agent bingbot: 1 allowed, 1 disallowed, 1 undecided/,
  },
  "--fail-on counts the rows that --only leaves out": {
    args: [...bingbot, "--only", "allowed", "--fail-on", "disallowed"],
    stdin: "https://shop.example/cart\n",
    stdout: "",
    stderr: "",
    code: 1,
  },
  "--only with an unknown kind": {
    args: [...bingbot, "--only", "disalowed"],
    stderr: /--only disalowed: must be one of allowed, disallowed, undecided, crawlers\n.*did you mean disallowed\?/,
    code: 2,
  },
  "a mistyped value after --verify": {
    args: ["--agent-field", "ua", "--verify", "rangs", "urls.csv"],
    stderr: /--verify rangs: must be one of ranges, dns, all\n.*did you mean ranges\?/,
    code: 2,
  },
  "a word after --page that is not one of its values": {
    args: [...bingbot, "--page", "nonsense"],
    stderr: /--page nonsense: must be one of always, never, auto\n/,
    code: 2,
  },
  "a mistyped block after --allow-private": {
    args: ["--agent", "bingbot", "--allow-private", "10.0.0/8"],
    stderr: /--allow-private 10\.0\.0\/8: /,
    code: 2,
  },
  "--only crawlers without --agent-field": {
    args: [...bingbot, "--only", "crawlers"],
    stderr: /--only crawlers needs --agent-field/,
    code: 2,
  },
  "--only crawlers leaves out requests by other clients": {
    args: ["--agent-field", "ua", ...saved, "--only", "crawlers"],
    stdin: [
      '{"url":"https://shop.example/cart","ua":"Firefox/1"}\n',
      '{"url":"https://shop.example/cart","ua":"bingbot/2.0"}\n',
      '{"url":"mailto:x","ua":"bingbot/2.0"}\n',
    ].join(""),
    stdout: /^\{"url":"https:\/\/shop\.example\/cart","ua":"bingbot.*\n\{"url":"mailto:x","ua":"bingbot.*\n$/,
  },
  "explain is a command of its own": {
    args: ["explain", "https://a.example/cafe", "-a", "x", ...dialects],
    stdout: /^Disallowed by line 2 \("disallow: \/cafe"\) of the group for \*\.\n/,
  },
  "lint is a command of its own": {
    args: ["lint", "apps/robots-stream/test/fixtures/dialects.txt"],
    stdout: /^apps\/robots-stream\/test\/fixtures\/dialects\.txt:4:\d+: warning: .*MJ12bot/,
    stderr: /in 1 file\n$/,
  },
  "one row for each agent": {
    args: ["-a", "bingbot", "-a", "GPTBot", "-a", "bingbot", ...saved],
    stdin: '{"url":"https://shop.example/a"}\n',
    stdout: `${okRow("https://shop.example/a")}{"url":"https://shop.example/a","robots":{"agent":"GPTBot","allowed":false,"because":"rule","rule":"disallow: /","line":9,"origin":"https://shop.example"}}\n`,
  },
  "plain lines": {
    args: bingbot,
    stdin: 'https://shop.example/a\r\n\r\nhttps://shop.example/"b"\n',
    stdout: okRow("https://shop.example/a") + okRow(String.raw`https://shop.example/\"b\"`),
  },
  "CSV to NDJSON": {
    args: bingbot,
    stdin: 'url,n\nhttps://shop.example/a,"1,""2"""\n',
    stdout: okRow("https://shop.example/a", String.raw`,"n":"1,\"2\""`),
  },
  "CSV to CSV": {
    args: [...bingbot, "--output", "csv"],
    stdin: 'n,url\n"1,""2""",https://shop.example/cart\nü,https://down.example/\n,x:\n',
    stdout: [
      "n,url,robots_agent,robots_allowed,robots_because,robots_group,robots_rule,robots_line,robots_origin\n",
      '"1,""2""",https://shop.example/cart,bingbot,false,rule,*,disallow: /cart,3,https://shop.example\n',
      "ü,https://down.example/,bingbot,false,unreachable,,,,https://down.example\n",
      ",x:,bingbot,,unsupported-scheme,,,,\n",
    ].join(""),
  },
  "NDJSON to CSV": {
    args: [...bingbot, "--output", "csv"],
    stdin: '{"url":"https://shop.example/a","n":{"a":[1]}}\n{"m":2,"url":"https://shop.example/b"}\n',
    stdout: [
      "url,n,robots_agent,robots_allowed,robots_because,robots_group,robots_rule,robots_line,robots_origin\n",
      'https://shop.example/a,"{""a"":[1]}",bingbot,true,no-rule,*,,,https://shop.example\n',
      "https://shop.example/b,,bingbot,true,no-rule,*,,,https://shop.example\n",
    ].join(""),
    stderr: "robots-stream: 1 record has fields that the first record lacks; left out: 1 field\n",
  },
  "a header and no records": {
    args: [...bingbot, "--output", "csv", "--input", "csv"],
    stdin: "url\n",
    stdout: "url,robots_agent,robots_allowed,robots_because,robots_group,robots_rule,robots_line,robots_origin\n",
  },
  "an empty input": { args: [...bingbot, "--summary"], stdin: "", stdout: "", stderr: /^records +0\n/ },
  "another key for the answer": {
    args: [...bingbot, "--result-key", "größe"],
    stdin: '{"url":"https://shop.example/a","robots":1}',
    stdout: /^\{"url":"https:\/\/shop.example\/a","robots":1,"größe":\{"agent":"bingbot".*\}\}\n$/,
  },
  rejects: {
    args: bingbot,
    stdin:
      '{"url":"https://shop.example/a"}\n{"url":\n[]\n{"url":"https://shop.example/b"}\n{"link":"\u001b[31mred"}\n',
    stdout: okRow("https://shop.example/a") + okRow("https://shop.example/b"),
    stderr: [
      "robots-stream: stdin:2: is not JSON: expected a value at column 8 (7 bytes)\n",
      "robots-stream: stdin:3: is JSON, but not an object (2 bytes)\n",
      "robots-stream: stdin:5: is not JSON: expected no control character in a string at column 10 (19 bytes)\n",
    ].join(""),
  },
  "many rejects are counted": {
    args: bingbot,
    stdin: `{"url":"https://shop.example/a"}\n${"no\n".repeat(25)}`,
    stderr:
      /^(?:robots-stream: stdin:\d+: .*\n){10}robots-stream: … further rejects .*\nrobots-stream: … and 15 more rejects\n$/,
  },
  "--summary": {
    args: [...bingbot, "-a", "GPTBot", "--summary"],
    stdin:
      '{"url":"https://shop.example/a"}\n{"url":"https://wiki.example/cart"}\nno\n{"url":"https://down.example/"}\n{"url":"x"}\n',
    stderr: new RegExp(
      [
        "^robots-stream: stdin:3: .*",
        "records       5",
        "decided       4",
        "rejects       1",
        "origins       3",
        "  unavailable 1",
        "  unreachable 1",
        "fetches       0",
        "agent bingbot: 2 allowed, 1 disallowed, 1 undecided",
        "  invalid-url 1, no-rule 1, unavailable 1, unreachable 1",
        "agent GPTBot: 1 allowed, 2 disallowed, 1 undecided",
        "  invalid-url 1, rule 1, unavailable 1, unreachable 1",
        "target: 0 records are decided differently with --target normalized",
        "origins with the most records",
        "  1  https://down.example",
        "  1  https://shop.example",
        "  1  https://wiki.example",
        "rules that decided the most records",
        "  1  examples/robots/shop.example.txt:9  disallow: / \\(https://shop.example\\)",
        "took .*, [\\d,]+ records/s, 116 B read, at most .*\n$",
      ].join("\n"),
    ),
  },
  "--fail-on, met": { args: [...bingbot, "--fail-on", "unreachable"], stdin: "https://down.example/", code: 1 },
  "--fail-on, not met": {
    args: [...bingbot, "--fail-on", "unreachable,reject"],
    stdin: "https://shop.example/cart",
  },
  "--fail-on disallowed": {
    args: [...bingbot, "--fail-on", "disallowed"],
    stdin: "https://shop.example/cart",
    code: 1,
  },
  "--fail-on undecided": { args: [...bingbot, "--fail-on", "undecided"], stdin: "x:y", code: 1 },
  "--fail-on reject": {
    args: [...bingbot, "--fail-on", "reject"],
    stdin: '{"url":"https://shop.example/"}\n5',
    code: 1,
  },
  "one file for all origins": {
    args: ["-a", "any", "--robots", "examples/robots/shop.example.txt"],
    stdin: "https://wherever.example/cart/help",
    stdout: /"because":"rule","group":"\*","rule":"allow: \/cart\/help","line":4,"origin":"https:\/\/wherever.example"/,
  },
  "a nested URL": {
    args: [...bingbot, "--url-field", "request.url"],
    stdin: '{"request":{"url":"https://shop.example/a"}}',
    stdout: /^\{"request":\{"url":"https:\/\/shop.example\/a"\},"robots":\{.*"no-rule"/,
  },
  "several files and stdin, in their order": {
    args: [...bingbot, "examples/urls.ndjson", "-", "examples/urls.csv"],
    stdin: "https://shop.example/stdin",
    stdout:
      /^\{"url":"https:\/\/shop.example\/shoes"[^]*\n\{"url":"https:\/\/shop.example\/stdin"[^]*\n\{"Address":"https:\/\/shop.example\/shoes"/,
  },
  "another header in the second file of a CSV": {
    args: [...bingbot, "--output", "csv", "examples/urls.csv", "-"],
    stdin: "Status,Address,More\n200,https://shop.example/stdin,x\n",
    stdout: /\nhttps:\/\/shop.example\/stdin,,200,bingbot,true,/,
    stderr: "robots-stream: 1 record has fields that the first record lacks; left out: 1 field\n",
  },
  "--help": {
    args: ["--help"],
    stdout: /^robots-stream: may this crawler [^]*--agent TOKEN[^]*Exit codes\n/,
  },
  "-h, with a flag that has a wrong value": { args: ["-h", "--output", "xml"], stdout: /^robots-stream: / },
  "--version": { args: ["--version"], stdout: /^robots-stream \d+\.\d+\.\d+\n$/, stderr: "" },
  "a wrong flag": {
    args: ["--agnet", "x"],
    stderr: /no flag --agnet\nrobots-stream: {3}did you mean --agent\?\n$/,
    code: 2,
  },
  "no agent": {
    args: ["examples/urls.ndjson"],
    stderr: /--agent is missing: name a crawler\nrobots-stream: {3}for example: /,
    code: 2,
  },
  "a User-Agent header as the value of --agent": {
    args: ["-a", "Mozilla/5.0 (compatible; bingbot/2.0)"],
    stderr: /User-Agent header[^]*probably: --agent bingbot\n$/,
    code: 2,
  },
  "no such file": {
    args: [...bingbot, "examples/urls.ndjson", "none.ndjson"],
    stderr: /^robots-stream: none.ndjson: no such file or directory \(ENOENT\)\n$/,
    code: 2,
  },
  "a folder with a file that has no URLs": {
    args: [...bingbot, "packages/core"],
    stderr: /^[^]*\nrobots-stream: packages\/core\/\w+/,
    code: 2,
  },
  "a pattern that matches nothing": {
    args: [...bingbot, "examples/*.gz"],
    stderr: /^robots-stream: examples\/\*\.gz: no file has this name or matches this pattern\n/,
    code: 2,
  },
  "a nested field that holds a URL": {
    args: ["detect"],
    stdin: '{"time":"2026","http\\u001bRequest":{"url":"https://a.example/"}}\n',
    stdout: /no field that usually holds a URL; it has 2 fields\n +probably: --url-field http\\x1bRequest\.url\n/,
    code: 2,
  },
  "a run's message contains no field name of the input": {
    args: bingbot,
    stdin: '{"time":"2026","secret":{"url":"https://a.example/"}}\n',
    stderr: /^[^]*name it: --url-field NAME; robots-stream detect FILE shows which holds one\n$/,
    code: 2,
  },
  "quotes in a table with tabs are text": {
    args: [...bingbot, "--input", "tsv"],
    stdin:
      'url\thtml\nhttps://shop.example/1\t<a href="x">\nhttps://shop.example/2\ta"b\nhttps://shop.example/3\t"a\tb"\n',
    stdout: [
      '{"url":"https://shop.example/1","html":"<a href=\\"x\\">","robots":{"agent":"bingbot","allowed":true,"because":"no-rule","group":"*","origin":"https://shop.example"}}\n',
      '{"url":"https://shop.example/2","html":"a\\"b","robots":{"agent":"bingbot","allowed":true,"because":"no-rule","group":"*","origin":"https://shop.example"}}\n',
      '{"url":"https://shop.example/3","html":"a\\tb","robots":{"agent":"bingbot","allowed":true,"because":"no-rule","group":"*","origin":"https://shop.example"}}\n',
    ].join(""),
  },
  "quotes in a table with tabs are written unchanged": {
    args: [...bingbot, "--input", "tsv", "--output", "tsv"],
    stdin: 'url\thtml\nhttps://shop.example/1\t<a href="x">\n',
    stdout: /\nhttps:\/\/shop\.example\/1\t<a href="x">\tbingbot\ttrue\t/,
  },
  "a directory as robots.txt": {
    args: ["lint", "examples/"],
    stderr: "robots-stream: examples/: is a directory\nrobots-stream:   for the files in it: examples/*\n",
    code: 2,
  },
  "a missing file for lint": {
    args: ["lint", "nosuch.txt"],
    stderr: "robots-stream: nosuch.txt: no such file or directory (ENOENT)\n",
    code: 2,
  },
  "a file for explain": {
    args: ["explain", "--agent", "x", "urls.ndjson"],
    stderr: "robots-stream: urls.ndjson: this is not a URL\nrobots-stream:   for example: https://example.com/page\n",
    code: 2,
  },
  "the file of a summary without an equals sign": {
    args: [...bingbot, "--summary", "no-such-summary.txt", "examples/urls.ndjson"],
    stderr:
      /no such file or directory \(ENOENT\); it was read as an input, because .*\n.*did you mean --summary=no-such-summary\.txt\?\n$/,
    code: 2,
  },
  "a set with names that are not product tokens": {
    args: ["--agents", "ai", ...bingbot.slice(2)],
    stdin: "https://shop.example/\n",
    stdout: /"agent":"AI2Bot"/,
  },
  "no such robots.txt": {
    args: ["-a", "x", "--robots", "none", "examples/urls.ndjson"],
    stderr: /^robots-stream: --robots none: no such file/,
    code: 2,
  },
  "a rejects file that cannot be created": {
    args: [...bingbot, "--rejects", "none/x"],
    stderr: /^robots-stream: --rejects none\/x: no such file/,
    code: 2,
  },
  "an only record that is not JSON": {
    args: bingbot,
    stdin: '{"a":1,"b\u001b":2}\n',
    stderr: /its only record has no URL; .*; the first reject is not JSON/,
    code: 2,
  },
  "no URL field in the first record": {
    args: bingbot,
    stdin: '{"a":1,"b":2}\n',
    stderr:
      "robots-stream: stdin: the first record has no field that usually holds a URL; it has 2 fields\nrobots-stream:   name it: --url-field NAME; robots-stream detect FILE shows the names\n",
    code: 2,
  },
  "no URL field in the second source": {
    args: [...bingbot, "examples/urls.ndjson", "-"],
    stdin: '{"a":1}\n',
    stdout: /^(?:.*\n){17}$/,
    stderr: /stdin: the first record has no field/,
    code: 3,
  },
  "a second file that is one JSON value over several lines": {
    args: [...bingbot, "examples/urls.ndjson", "package.json"],
    stderr:
      /package\.json: none of its \d+ records has a URL; it is read as ndjson; it looks like one JSON value over several lines\n.*jq -c \./,
    code: 2,
  },
  "gzip that is cut short": {
    args: bingbot,
    stdin: Uint8Array.from([0x1f, 0x8b, 8, 0, 0]),
    stdout: "",
    stderr: "robots-stream: stdin: the gzip data is cut short after 0 records were decided\n",
    code: 3,
  },
  bzip2: {
    args: bingbot,
    stdin: "BZh91AY&SY",
    stderr: /bzip2-compressed\nrobots-stream: {3}unpack it first/,
    code: 2,
  },
  "UTF-16 without a byte order mark": { args: bingbot, stdin: "{\0}\0\n\0\n\0", stderr: /UTF-16/, code: 2 },
  "a JSON array": { args: bingbot, stdin: '[{"url":"x"}]', stderr: /JSON array[^]*jq -c/, code: 2 },
};

describe("cases", () => {
  test.concurrent.each(Object.entries(cases))("%s", async (_what, { args, stdin, code = 0, ...texts }) => {
    const { stdout = code === 2 ? "" : undefined, stderr = code === 0 ? "" : undefined } = texts;
    const ended = await runHere(args, stdin);
    const expected = (text: string | RegExp | undefined): unknown =>
      text === undefined ? expect.any(String) : typeof text === "string" ? text : expect.stringMatching(text);
    expect(ended).toEqual({ code, stdout: expected(stdout), stderr: expected(stderr) });
  });
});

describe("files", () => {
  const folder = makeFolder();

  test("--rejects never overwrites an input, nor any file after wrong usage", async () => {
    const path = join(folder, "kept.ndjson");
    writeFileSync(path, '{"url":"https://shop.example/a"}\n');
    const same = await runHere([...bingbot, "--rejects", path, path]);
    expect([same.code, same.stderr]).toEqual([
      2,
      `robots-stream: --rejects ${path}: is the same file as ${path}, which is an input, and would be overwritten\n`,
    ]);
    const robots = await runHere(["-a", "x", "--robots", path, "--rejects", path], "https://a.example/\n");
    expect(robots.code).toBe(2);
    const usage = await runHere([...bingbot, "--rejects", path], "a,b\n1,2\n");
    expect(usage.code).toBe(2);
    expect(readFileSync(path, "utf8")).toBe('{"url":"https://shop.example/a"}\n');
    const used = await runHere([...bingbot, "--rejects", path], '{"url":"https://shop.example/a"}\n');
    expect([used.code, readFileSync(path, "utf8")]).toEqual([0, ""]);
  });

  test("a second source that has none of the columns is wrong usage", async () => {
    const args = [...bingbot, "-o", "csv", "examples/urls.csv", "examples/urls.ndjson"];
    const { code, stdout, stderr } = await runHere(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/has none of the 3 columns that the output took from the first source\n/);
  });

  test("a later record with none of the columns ends the run after the records before it", async () => {
    const [first, second] = [join(folder, "columns.ndjson"), join(folder, "others.ndjson")];
    writeFileSync(first, '{"url":"https://shop.example/a","x":1}\n');
    writeFileSync(second, '{"link":"https://shop.example/b","x":2}\n{"link":"https://shop.example/c"}\n');
    const { code, stdout, stderr } = await runHere([...bingbot, "-o", "csv", first, second]);
    expect([
      code,
      stdout
        .trimEnd()
        .split("\n")
        .map((row) => row.split(",")[1]),
    ]).toEqual([3, ["x", "1", "2"]]);
    expect(stderr).toContain("has none of the 2 columns");
  });

  test("a carriage return at the end of a line does not count towards --max-line-bytes", async () => {
    const line = '{"url":"https://shop.example/a"}';
    const flags = [...bingbot, "-q", "--max-line-bytes", String(line.length)];
    for (const end of ["\n", "\r\n"])
      expect((await runHere(flags, `${line}${end}${line} ${end}${line}${end}`)).stdout.split("\n")).toHaveLength(3);
  });

  test("--rejects writes all rejects with their text", async () => {
    const path = join(folder, "rejects.ndjson");
    const stdin = '{"url":"https://shop.example/a"}\nno "ü"\n{"url":5}\n';
    const { code, stderr } = await runHere([...bingbot, "--rejects", path], stdin);
    expect([code, stderr]).toEqual([0, `robots-stream: 2 rejects written to ${path}\n`]);
    expect(recordsOf(readFileSync(path, "utf8"))).toEqual([
      { source: "stdin", line: 2, code: "not-json", message: "is not JSON: expected { at column 1", text: 'no "ü"' },
      { source: "stdin", line: 3, code: "url-not-text", message: 'has no text in the field "url"', text: '{"url":5}' },
    ]);
  });

  test("a line of 40 MB is one reject", async () => {
    const path = join(folder, "long.ndjson");
    const row = '{"url":"https://shop.example/a"}\n';
    writeFileSync(path, `${row}{"url":"https://shop.example/${"x".repeat(40_000_000)}"}\n${row}`);
    const { code, stdout, stderr } = await runHere([...bingbot, path]);
    expect([code, stdout]).toEqual([0, okRow("https://shop.example/a").repeat(2)]);
    expect(stderr).toMatch(/long\.ndjson:2: is longer than 1048576 bytes \(--max-line-bytes\)\n/);
  });

  test("--shard: all shards together are the whole input, and no origin is in two shards", async () => {
    const urls = Array.from({ length: 3_000 }, (_, index) => `https://${index % 700}.shop.example/${index}`);
    const path = join(folder, "parts.txt");
    writeFileSync(path, [...urls, "mailto:a@b.example"].join("\n"));
    const args = ["-a", "x", "--robots", "examples/robots/shop.example.txt", path];
    const parts: string[][] = [];
    for (const part of [1, 2, 3]) {
      const { code, stdout } = await runHere([...args, "--shard", `${part}/3`]);
      expect(code).toBe(0);
      parts.push(stdout.split("\n").slice(0, -1));
    }
    const whole = await runHere(args);
    expect(parts.flat().toSorted()).toEqual(whole.stdout.split("\n").slice(0, -1).toSorted());
    const originOf = (row: string): unknown => (JSON.parse(row) as { robots: { origin?: string } }).robots.origin;
    const origins = parts.map((rows) => new Set(rows.map(originOf)));
    expect(origins.reduce((sum, { size }) => sum + size, 0)).toBe(701);
    for (const { size } of origins) expect(size).toBeGreaterThan(150);
  });

  test("--ordered keeps the order of the input; without the flag, no record is lost", async () => {
    const urls = Array.from({ length: 30_000 }, (_, index) => `https://${index % 700}.shop.example/${index}`);
    const path = join(folder, "many.txt");
    writeFileSync(path, urls.join("\n"));
    const args = ["-a", "x", "--robots", "examples/robots/shop.example.txt", path];
    const ordered = recordsOf((await runHere([...args, "--ordered"])).stdout).map(({ url }) => url);
    expect(ordered).toEqual(urls);
    const plain = recordsOf((await runHere(args)).stdout).map(({ url }) => url);
    expect(plain.toSorted()).toEqual(urls.toSorted());
  });
});

test("the example has decisions with seven different reasons", async () => {
  const { stdout } = await runHere([...bingbot, "examples/urls.ndjson"]);
  const grounds = new Set(recordsOf(stdout).map(({ robots }) => (robots as { because: string }).because));
  const all = ["rule", "no-rule", "no-group", "unavailable", "unreachable", "invalid-url", "unsupported-scheme"];
  expect([...grounds].toSorted()).toEqual(all.toSorted());
  expect(readFileSync(join(root, "examples/urls.ndjson"), "utf8").split("\n")).toHaveLength(
    recordsOf(stdout).length + 1,
  );
});

describe("--target", () => {
  const urls = [
    "https://shop.example/cart/1",
    "https://shop.example/a/../cart/1",
    "https://shop.example/%63art/1",
    "https://shop.example/a/%2e%2e/cart/help",
    "https://shop.example/a%20b/./c",
  ].join("\n");
  const args = ["--agent", "bingbot", "--robots", "examples/robots", "--summary"];

  test.each([
    ["raw", [false, true, true, true, true], "target: 2 records are decided differently with --target normalized"],
    ["normalized", [false, false, false, true, true], "target: 2 records are decided differently with --target raw"],
  ])("%s", async (form, allowed, sentence) => {
    const { code, stdout, stderr } = await runHere([...args, "--target", form], urls);
    expect(code).toBe(0);
    expect(recordsOf(stdout).map(({ robots }) => (robots as { allowed: boolean }).allowed)).toEqual(allowed);
    expect(stderr).toContain(`${sentence}\n`);
  });

  test("a record decided differently for one of two agents is counted once", async () => {
    const several = [...args, "--agent", "GPTBot", "--target", "normalized"];
    const { stderr } = await runHere(several, "https://shop.example/a/../cart/1");
    expect(stderr).toContain("target: 1 record is decided differently with --target raw\n");
  });

  test("explain uses the given --target", async () => {
    const asked = ["explain", "https://shop.example/a/../cart/1", "--agent", "bingbot", "--robots", "examples/robots"];
    expect((await runHere(asked)).stdout).toMatch(/^Allowed[^]*compared +\/a\/\.\.\/cart\/1\n/);
    expect((await runHere([...asked, "--target", "normalized"])).stdout).toMatch(
      /^Disallowed[^]*compared +\/cart\/1\n/,
    );
    expect(await runHere([...asked, "--target", "cooked"])).toMatchObject({ code: 2 });
  });
});
