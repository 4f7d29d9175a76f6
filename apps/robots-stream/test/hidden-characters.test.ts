// Tests that no command writes a character that a terminal interprets, or an invisible character, to a terminal, in any form, and that text
// for people never contains one. JSON on a terminal stays the same data.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { csvTableNames } from "@robots-stream/audit";
import { beforeAll, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";

const folder = makeFolder();

/** One character of each kind: controls of both sets, direction marks, ignorable characters, separators, annotations. */
const characters =
  "\u0007\u001b[31m\u007f\u009b2J\u00ad\u034f\u061c\u115f\u17b4\u180b\u200b\u200e\u202e\u2028\u2060\u2066\u3164\ufe0f\ufeff\uffa0\ufff9\u{1d173}\u{e0041}";
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;
const wordsOf = (text: string): readonly string[] => text.split(/\r?\n|\t/).filter((part) => hidden.test(part));

const run = (args: readonly string[], isTTY: boolean): ReturnType<typeof runHere> =>
  runHere(args, "", { ROBOTS_STREAM_CACHE: join(folder, "cache"), NO_COLOR: "1" }, { isTTY });

const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  mkdirSync(at("robots"));
  const rules = `# ${characters}\nUser-agent: *\nDisallow: /a${characters}\nSitemap: https://shop.example/${characters}\nNoindex${characters}: /\n\nUser-agent: GPTBot${characters}\nAllow: /b${characters}\nCrawl-delay: ${characters}\nContent-Usage: x${characters}\n`;
  writeFileSync(at("robots/shop.example.txt"), rules);
  writeFileSync(at("other.txt"), `User-agent: *\nDisallow: /c${characters}\nDisallow: /a\n`);
  const encoded = encodeURI(`/a${characters}`);
  writeFileSync(at("urls.ndjson"), `${JSON.stringify({ url: "https://shop.example/a", note: characters.slice(3) })}\n`);
  writeFileSync(
    at("urls.csv"),
    `url,note\nhttps://shop.example/a,${characters.replaceAll("\u2028", "")}\nno${characters},x\n`,
  );
  writeFileSync(at("tests.txt"), `allow bingbot "/a${characters}"\n`);
  writeFileSync(
    at("log.ndjson"),
    [`/a${characters}`, encoded, "/robots.txt", "/b"]
      .flatMap((target) =>
        ["Mozilla/5.0 (compatible; bingbot/2.0)", `NewBot${characters}/1 (+https://x.example)`].map((userAgent) =>
          JSON.stringify({
            httpRequest: {
              requestUrl: `https://shop.example${target}`,
              requestMethod: "GET",
              status: 200,
              userAgent,
              referer: `https://${characters}.example/`,
            },
            timestamp: "2026-11-02T10:00:00Z",
          }),
        ),
      )
      .map((line) => `${line}\n`)
      .join(""),
  );
  writeFileSync(at("page.html"), `<meta name="robots" content="no${characters}, noindex, max-snippet: ${characters}">`);
  writeFileSync(at("head.txt"), `HTTP/1.1 200 OK\nX-Robots-Tag: x${characters}: noindex, y${characters}\n`);
  const entryOf = (day: number): string =>
    JSON.stringify({
      origin: "https://shop.example",
      fetchedAt: Date.UTC(2026, 10, day),
      freshUntil: Date.UTC(2026, 10, day + 1),
      access: "successful",
      code: "ok",
      status: 200,
      body: rules,
      hops: [{ url: `https://shop.example/${characters}`, status: 200 }],
      headers: { "content-type": `text/plain${characters}` },
    });
  writeFileSync(at("seen.ndjson"), `${[1, 5].map(entryOf).join("\n")}\n`);
  // Runs that fail here make the tests of `cache` and `merge` fail.
  await run(["cache", "import", at("seen.ndjson")], false);
  const counted = ["audit", at("log.ndjson"), "--robots-history", at("seen.ndjson"), "--query-values"];
  await run([...counted, "--output-file", at("audit.json")], false);
});

const decide = "--agent bingbot,x… --robots robots --max-line-bytes 1M";
const audit = "audit log.ndjson --robots-history seen.ndjson --candidate https://shop.example=other.txt";
const explain = "explain https://shop.example/a… --robots robots --agent";

/** Commands, with the forms of their output. "…" stands for the characters; names of files of the folder for their paths. */
const commands: readonly (readonly [line: string, formats: string])[] = [
  [`${decide} urls.ndjson --summary`, "ndjson csv tsv table"],
  [`${decide} urls.csv --verbose`, "ndjson csv tsv table"],
  [`${explain} bingbot,GPTBot,x…`, "text ndjson"],
  [`${explain} bingbot --html page.html --headers head.txt`, "text ndjson"],
  ["lint robots/shop.example.txt", "text ndjson sarif github"],
  ["diff robots/shop.example.txt other.txt", "text json github"],
  ["test robots/shop.example.txt tests.txt", "text json github"],
  [`${audit} --title …`, "text html"],
  [audit, "json csv"],
  ...csvTableNames.map((table) => [`${audit} --table ${table}`, "csv"] as const),
  ["merge audit.json --title …", "text html"],
  ["merge audit.json", "json csv"],
  ["detect log.ndjson urls.csv", "text ndjson"],
  ["origins log.ndjson", "text ndjson"],
  ["cache ls", "text ndjson"],
  ["cache show https://shop.example", "text ndjson"],
  ["cache show --body https://shop.example", "text"],
  ["cache sitemaps", "text ndjson"],
  ["cache export", "ndjson"],
  ["cache path", "text"],
];
/** Command lines with a mistake, which the message quotes. */
const mistakes: typeof commands = [
  ["--…", "text"],
  ["explain shop….example --agent b…", "text"],
  ["lint no-such-file…", "text"],
  ["agents Mozilla/5.0…(New…Bot/1)", "text ndjson"],
  ["help …", "text"],
];
const forms = [...commands, ...mistakes].flatMap(([line, formats]) =>
  formats.split(" ").map((format) => [line, format] as const),
);
const wrong = new Set(mistakes.map(([line]) => line));

/** The words of a line, with the paths of its files and the hidden characters. */
const wordsIn = (line: string): readonly string[] =>
  line.split(" ").map((word) => {
    const [, before = "", file] = /^(https:\/\/shop\.example=)?(robots(?:\/.*)?|[a-z]+\.[a-z]+)$/.exec(word) ?? [];
    return (file === undefined ? word : before + at(file)).replaceAll("…", characters);
  });

const forPeople = new Set(["text", "table", "html"]);
const json = new Set(["json", "ndjson", "sarif"]);

test.each(forms)("%s as %s", async (line, format) => {
  const argv = [...wordsIn(line), ...(format === "text" ? [] : ["-o", format])];
  const onTerminal = await run(argv, true);
  expect(wordsOf(onTerminal.stdout), "on a terminal").toEqual([]);
  expect(wordsOf(onTerminal.stderr), "messages on a terminal").toEqual([]);
  const inPipe = await run(argv, false);
  expect([onTerminal.code, inPipe.code === 2 || inPipe.code === 3]).toEqual([inPipe.code, wrong.has(line)]);
  expect(wordsOf(inPipe.stderr), "messages in a pipe").toEqual([]);
  if (forPeople.has(format) && !line.includes("--body")) expect(wordsOf(inPipe.stdout), "text in a pipe").toEqual([]);
  if (!json.has(format)) return;
  const dataOf = (text: string): unknown =>
    format === "ndjson" ? text.split("\n").map((row) => row && JSON.parse(row)) : JSON.parse(text);
  expect(dataOf(onTerminal.stdout)).toEqual(dataOf(inPipe.stdout));
});

test("forms for programs in a pipe have the input's own bytes", async () => {
  for (const [line, format] of [
    ["--agent bingbot,x… --robots robots urls.csv", "csv"],
    ["merge audit.json", "json"],
  ] as const) {
    const { code, stdout } = await run([...wordsIn(line), "-o", format], false);
    expect([code, wordsOf(stdout).length > 0]).toEqual([0, true]);
  }
});
