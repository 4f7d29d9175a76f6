// Tests that messages name only flags that the command has. A word after "robots-stream NAME" counts for the command of that name.
import { gzipSync } from "node:zlib";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decide } from "../src/commands/decide/run.ts";
import { describedCommands } from "../src/cli/command.ts";
import { commands } from "../src/commands/list.ts";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";

const folder = makeFolder();
const at = (name: string): string => join(folder, name);

const files: Readonly<Record<string, string | Buffer>> = {
  "robots.txt": "User-agent: *\nDisallow: /x\n",
  "packed.gz": gzipSync("User-agent: *\n"),
  "damaged.gz": gzipSync("https://a.example/\n".repeat(900)).subarray(0, 60),
  "binary.bin": Buffer.from([0, 1, 2, 3, 0xff, 0xfe]),
  "export.ndjson": '{"origin":"https://a.example","fetchedAt":1}\n',
  "empty.txt": "",
  "words.txt": "some words\nwithout a URL\n",
  "paths.txt": "/a\n/b\n",
  "urls.txt": "https://a.example/\n",
  "no-field.ndjson": '{"a":1}\n{"a":2}\n',
  "two-fields.ndjson": '{"url":"https://a.example/","link":"https://b.example/"}\n{"url":"/a","link":"/b"}\n',
  "no-field.csv": "a,b\n1,2\n3,4\n",
  "log.log": '192.0.2.1 - - [01/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 1 "-" "bingbot/2.0"\n',
  "common.log": '192.0.2.1 - - [01/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 1\n',
  "headings.log": "#Fields: date time cs-method\n2026-11-01 10:00:00 GET\n",
  "bare.log": "2026-11-01 10:00:00 192.0.2.1 GET /a - 200\n",
  "long.txt": `https://a.example/${"x".repeat(2_000_000)}\n`,
};
for (const [name, content] of Object.entries(files)) writeFileSync(at(name), content);
mkdirSync(at("nothing"));
mkdirSync(at("names"));
writeFileSync(at("names/notes.md"), "x");
const sources = [...Object.keys(files), "nothing", "names", "missing"].map(at);

/** A command with a source in the place of FILE. */
const words: readonly string[] = [
  "FILE --agent bingbot --robots ROBOTS",
  "FILE --agent-field user_agent --robots ROBOTS",
  "--agent bingbot --robots FILE urls.txt",
  "--no-progress urls.txt --agents FILE --robots ROBOTS",
  "--no-progress urls.txt --agent bingbot --crawlers FILE --robots ROBOTS",
  "audit FILE --base https://a.example --robots ROBOTS",
  "audit log.log --base https://a.example --robots FILE",
  "audit log.log --base https://a.example --robots-history FILE",
  "audit log.log --robots FILE",
  "audit log.log --base https://a.example --robots ROBOTS --candidate FILE",
  "audit log.log --base https://a.example --robots ROBOTS --pages FILE",
  "merge FILE",
  "answer --stdio --agent bingbot --robots FILE",
  "answer --stdio --robots ROBOTS",
  "answer --stdio --robots ROBOTS --agents FILE",
  "explain https://a.example/ --agent bingbot --robots FILE",
  "explain https://a.example/ --robots ROBOTS",
  "explain https://a.example/ --agent bingbot --robots ROBOTS --html FILE",
  "lint FILE",
  "lint --robots FILE https://a.example/robots.txt",
  "diff FILE robots.txt",
  "diff robots.txt robots.txt FILE",
  "test robots.txt FILE",
  "test FILE urls.txt",
  "detect FILE",
  "origins FILE",
  "fetch FILE --snapshot snapshot",
  "cache import FILE --cache cache",
  "ranges import FILE --ranges ranges",
  "agents --crawlers FILE",
];

/** Folders that commands make. */
const folders = new Set(["snapshot", "cache", "ranges"]);

const flagsOf = new Map<string, ReadonlySet<string>>();
for (const { name: command, flags } of await describedCommands([decide, ...commands])) {
  flagsOf.set(command, new Set(flags.map(({ name }) => name)));
}

/** The flags in a text that the command does not have. Flags after "robots-stream NAME" are those of that command. */
function strangeIn(text: string, name: string): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const told = line.replace(/^robots-stream: /, "");
    const [mention, other = ""] = /robots-stream (?:([a-z]+) |-|…|FILE)/.exec(told) ?? [];
    const from = mention === undefined ? told.length : told.indexOf(mention);
    return [...told.matchAll(/(?<![\w-])--([a-z][a-z-]+)/g)].flatMap(({ index, 1: flag = "" }) => {
      const names = mention === undefined || !flagsOf.has(other) ? [name] : index > from ? [other] : [name, other];
      return names.some((each) => flagsOf.get(each)!.has(flag)) ? [] : [line];
    });
  });
}

test.each(words)("%s", async (line) => {
  const name = line.split(" ")[0]!;
  for (const source of sources) {
    const argv = line.split(" ").map((word, index) => {
      if (word === "FILE") return source;
      if (word === "ROBOTS") return at("robots.txt");
      return index > 0 && (word in files || folders.has(word)) ? at(word) : word;
    });
    const { stderr } = await runHere(argv);
    expect(strangeIn(stderr, commands.some((each) => each.name === name) ? name : "")).toEqual([]);
  }
});
