// Tests robots-stream audit with candidate files, comparisons, reports by origin, samples, visits and the linter's findings, and the
// recipes of docs/AUDIT.md and docs/COOKBOOK.md.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { appArguments, root } from "./run.ts";

const examples = `${root}examples/audit/`;
const log = `${examples}access.log`;
const judged = ["--base", "https://shop.example", "--robots-history", `${examples}seen`];

const run = (argv: readonly string[], stdin?: string | Uint8Array): ReturnType<typeof runHere> =>
  runHere(argv, stdin, { COLUMNS: "120" });
const audit = (argv: readonly string[], stdin?: string | Uint8Array): ReturnType<typeof runHere> =>
  run(["audit", ...argv], stdin);

interface Document {
  readonly inputs: readonly { readonly outside: number; readonly sampleRate: number }[];
  readonly lint: Readonly<Record<string, readonly (readonly unknown[])[]>>;
  readonly origins: readonly {
    readonly origin: string;
    readonly flips: readonly (readonly unknown[])[];
    readonly referrals: readonly (readonly unknown[])[];
  }[];
}

const documentOf = async (argv: readonly string[], stdin?: string): Promise<Document> =>
  JSON.parse((await audit([...argv, "-o", "json"], stdin)).stdout) as Document;

const folder = makeFolder();

function put(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const line = (target: string, agent = "bingbot/2.0", referrer = "-", host = ""): string =>
  `${host}192.0.2.1 - - [10/Nov/2026:08:00:00 +0000] "GET ${target} HTTP/1.1" 200 10 "${referrer}" "${agent}"\n`;

describe("--candidate", () => {
  // The newest known file disallows /cart and /search, and allows /cart/help.
  const candidate = "User-agent: *\nDisallow: /shoes\nDisallow: /search\n";

  const requests = [
    line("/shoes/1?size=4"),
    line("/shoes/2"),
    line("/cart/x"),
    line("/search"),
    line("/other"),
    line("/robots.txt"),
    line("/shoes/3", "ChatGPT-User/1.0"),
    line("/shoes/4", "Mozilla/5.0 Firefox/140.0"),
  ].join("");
  const flips = [
    ["/cart/", "bingbot", "no-check", "newly-allowed", 1],
    ["/shoes/", "bingbot", "no-check", "newly-disallowed", 2],
  ];

  test("FILE, ORIGIN=FILE and a folder mean the same", async () => {
    const file = put("candidate.txt", candidate);
    const saved = join(folder, "candidates");
    mkdirSync(saved);
    writeFileSync(join(saved, "shop.example.txt"), candidate);
    for (const value of [file, `https://shop.example=${file}`, `https://shop.example/=${file}`, saved]) {
      const { origins } = await documentOf([...judged, "--candidate", value], requests);
      expect(origins.flatMap((origin) => origin.flips.map((row) => row.slice(0, 5)))).toEqual(flips);
    }
  });

  test("the text reports which decisions change, and the limits of that knowledge", async () => {
    const { stdout } = await audit([...judged, "--candidate", put("candidate.txt", candidate)], requests);
    expect(stdout).toContain(
      "What if the candidate were the robots.txt: 2 requests of this log newly disallowed, 1 newly allowed.",
    );
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("URLs that crawlers avoided are not in the log.");
    expect(stdout).toMatch(/newly disallowed +2 +bingbot +\/shoes\/ +\/shoes\/\d/);
  });

  test("an equivalent candidate changes no decision, and the text says so", async () => {
    const newest = `${examples}seen/shop.example@2026-11-30T0000Z.txt`;
    const { stdout } = await audit([log, ...judged, "--candidate", newest]);
    expect(stdout).toContain("0 requests of this log newly disallowed, 0 newly allowed");
    expect((await documentOf([log, ...judged, "--candidate", newest])).origins[0]!.flips).toEqual([]);
  });

  test("an audit with a candidate and an audit without one do not merge", async () => {
    const one = put(
      "with.json",
      (await audit([...judged, "--candidate", put("c.txt", candidate), "-o", "json"], requests)).stdout,
    );
    const other = put("without.json", (await audit([...judged, "-o", "json"], line("/x"))).stdout);
    const { code, stderr } = await run(["merge", one, other]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("different candidate")]);
  });

  test.each<[what: string, argv: readonly string[], message: RegExp]>([
    ["a missing file", ["--candidate", "none-such.txt"], /--candidate none-such\.txt: no such file/],
    [
      "a path after the origin",
      ["--candidate", "https://shop.example/x=c.txt"],
      /must begin with an http or https origin/,
    ],
    ["a folder without robots.txt files", ["--candidate", `${root}docs`], /no file has a name like/],
  ])("%s is refused", async (_what, argv, message) => {
    expect(await audit([log, ...judged, ...argv])).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(message),
    });
  });

  test("a FILE without ORIGIN= and without --base is refused", async () => {
    const { code, stderr } = await audit([log, "--robots", root, "--candidate", put("c.txt", candidate)]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("a FILE without ORIGIN= needs --base")]);
  });

  test("the report does not overwrite the candidate", async () => {
    const file = put("mine.txt", candidate);
    const { code, stderr } = await audit([log, ...judged, "--candidate", file, "--output-file", file]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("is the same file as")]);
  });
});

test("--compare: requests per day and violations in both audits, and new crawlers; JSON output and a log are refused", async () => {
  const before = put("before.json", (await audit([log, ...judged, "--to", "2026-11-12", "-o", "json"])).stdout);
  const flags = ["--from", "2026-11-13", "--compare", before];
  const { stdout } = await audit([log, ...judged, ...flags]);
  expect(stdout).toMatch(/Compared with 2 to 12 November 2026: requests per day/);
  expect(stdout).toMatch(/Bytespider +1\.6 +2\.0 +– +†9 of 18 +†17 of 34/);
  expect(stdout).toMatch(/ChatGPT-User +– +\S+ +new/);
  expect(stdout).not.toContain("were made with");
  expect(stdout).not.toContain("same origins");
  expect((await audit([log, ...judged, ...flags, "-o", "html"])).stdout).toContain('id="compared"');
  const json = await audit([log, ...judged, ...flags, "-o", "json"]);
  expect([json.code, json.stderr]).toEqual([2, expect.stringContaining("--compare needs --output text or html")]);
  const wrong = await audit([log, ...judged, "--compare", log]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/--compare .*: is not JSON/)]);
});

test("--split-by origin: a report for each origin, and an index with links to them", async () => {
  const saved = join(folder, "saved");
  mkdirSync(saved);
  for (const name of ["a.example.txt", "http@b.example@8080.txt"])
    writeFileSync(join(saved, name), "User-agent: *\nDisallow: /x\n");
  const text = [
    line("/x", "bingbot/2.0", "-", "a.example:443 "),
    line("/", "bingbot/2.0", "-", "b.example:8080 "),
  ].join("");
  const reports = join(folder, "reports");
  const ran = await audit(["--robots", saved, "--split-by", "origin", "--output-file", reports], text);
  expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
  const files = readdirSync(reports);
  expect(files).toContain("index.html");
  expect(files).toContain("a.example.html");
  expect(files).toHaveLength(3);
  expect(readFileSync(join(reports, "index.html"), "utf8")).toContain('href="./a.example.html"');
  const single = readFileSync(join(reports, "a.example.html"), "utf8");
  expect(single).toContain("<h1>a.example</h1>");
  expect(single).not.toContain("b.example");
  // The same once more, as text and from an audit's JSON.
  const made = put("split.json", (await audit(["--robots", saved, "-o", "json"], text)).stdout);
  const again = await run(["merge", made, "--split-by", "origin", "-o", "text", "--output-file", reports]);
  expect(again).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(readFileSync(join(reports, "a.example.txt"), "utf8")).toMatch(/^a\.example · /);
});

describe.skipIf(process.platform === "win32")("--split-by origin and links in the folder", () => {
  const text = ["a", "b"].map((host) => line("/x", "bingbot/2.0", "-", `${host}.example:443 `)).join("");
  const split = async (reports: string): Promise<{ code: number | null; stderr: string }> => {
    const robots = mkdtempSync(join(folder, "split-robots-"));
    for (const host of ["a", "b"]) writeFileSync(join(robots, `${host}.example.txt`), "User-agent: *\nDisallow: /x\n");
    const flags = ["--split-by", "origin", "-o", "text", "--output-file", reports];
    return audit(["--robots", robots, ...flags], text);
  };
  const mine = (): string => put("split-mine.txt", "mine");

  test.each<[what: string, name: string, plant: (path: string, reports: string) => void, message: RegExp]>([
    ["a link to another file", "a.example.txt", (path) => symlinkSync(mine(), path), /is a symbolic link/],
    ["a link to no file", "index.txt", (path) => symlinkSync(join(folder, "split-new"), path), /is a symbolic link/],
    ["a hard link", "b.example.txt", (path) => linkSync(mine(), path), /has another hard link/],
    [
      "two reports that are one file",
      "b.example.txt",
      (path, reports) => {
        writeFileSync(join(reports, "a.example.txt"), "old");
        linkSync(join(reports, "a.example.txt"), path);
      },
      /b\.example\.txt: is the same file as .*a\.example\.txt/,
    ],
    [
      "a link to another report",
      "b.example.txt",
      (path) => symlinkSync("a.example.txt", path),
      /b\.example\.txt: is the same file as .*a\.example\.txt/,
    ],
  ])("%s: refused, and no report is written through it", async (_what, name, plant, message) => {
    const reports = mkdtempSync(join(folder, "links-"));
    plant(join(reports, name), reports);
    const ran = await split(reports);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(message)]);
    expect([readFileSync(mine(), "utf8"), existsSync(join(folder, "split-new"))]).toEqual(["mine", false]);
    rmSync(join(reports, name));
    expect(await split(reports)).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("merge of stdin and named pipes", () => {
  let parts: readonly string[];
  let names: readonly string[];
  let whole: string;
  beforeAll(async () => {
    const robots = put("pipes.txt", "User-agent: *\nDisallow: /a\n");
    const made = await Promise.all(
      ["/a", "/b"].map((target) =>
        audit(["--robots", robots, "--base", "https://shop.example", "-o", "json"], line(target)),
      ),
    );
    parts = made.map(({ stdout }) => stdout);
    names = parts.map((part, at) => put(`piped-${at}.json`, part));
    whole = (await run(["merge", ...names, "-o", "json"])).stdout;
  });

  test('"-" is stdin', async () => {
    expect(JSON.parse(whole)).toMatchObject({ totals: { requests: 2 } });
    expect(await run(["merge", names[0]!, "-", "-o", "json"], parts[1])).toEqual({
      code: 0,
      stdout: whole,
      stderr: "",
    });
  });

  test.skipIf(process.platform === "win32")("a named pipe is read to its end", async () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const writer = spawn("sh", ["-c", 'cat "$0" > "$1"', names[1]!, pipe]);
    try {
      expect(await run(["merge", names[0]!, pipe, "-o", "json"])).toEqual({ code: 0, stdout: whole, stderr: "" });
    } finally {
      writer.kill("SIGKILL");
    }
  });

  test.each(["audit", "merge"])("%s --split-by does not replace the file that is its stdin", async (command) => {
    const reports = mkdtempSync(join(folder, "split-"));
    const input = join(reports, "index.txt");
    const content = command === "merge" ? parts[0]! : line("/a");
    writeFileSync(input, content);
    const judgedBy = ["--robots", join(folder, "pipes.txt"), "--base", "https://shop.example"];
    const argv = [command, "-", ...(command === "audit" ? judgedBy : []), "--split-by", "origin", "-o", "text"];
    const stdin = openSync(input, "r");
    const { status, stderr } = spawnSync(process.execPath, [...appArguments, ...argv, "--output-file", reports], {
      stdio: [stdin, "pipe", "pipe"],
      encoding: "utf8",
      env: { ...process.env, ROBOTS_STREAM_CACHE: "none" },
    });
    closeSync(stdin);
    expect([status, stderr]).toEqual([2, expect.stringContaining("stdin")]);
    expect(readFileSync(input, "utf8")).toBe(content);
  });

  test.each([
    ["an empty stdin", ["-"], "", /^robots-stream: stdin: is not JSON/],
    ["a list of URLs", ["-"], "https://a.example/\n", /^robots-stream: stdin: is not JSON/],
    ["JSON of another kind", ["-"], "{}", /^robots-stream: stdin: /],
    ["stdin given twice", ["-", "-"], "{}", /"-" is given twice/],
  ])("merge refuses %s", async (_, inputs, stdin, message) => {
    const { code, stdout, stderr } = await run(["merge", ...inputs], stdin);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message)]);
  });
});

describe("an audit whose tables contradict one another", () => {
  type Tables = { readonly origins: Record<string, (readonly unknown[])[]>[] };
  const why = /crossings, and 0 in decisions|decisions, and \d+ in times|crossings, and \d+ in directories/;

  test.each<[what: string, change: (origin: Tables["origins"][number]) => unknown]>([
    ["no decisions", (origin) => (origin["decisions"] = [])],
    ["a decision less", (origin) => origin["decisions"]!.pop()],
    ["a crossing less", (origin) => origin["crossings"]!.pop()],
  ])("%s: merge and --compare refuse it, and write nothing", async (_what, change) => {
    const document = (await documentOf([log, ...judged])) as unknown as Tables;
    change(document.origins.find(({ crossings }) => crossings!.length > 0)!);
    const changed = put("changed.json", JSON.stringify(document));
    for (const format of ["text", "json", "csv", "html"]) {
      const { code, stdout, stderr } = await run(["merge", changed, "-o", format]);
      expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(why)]);
    }
    const { code, stdout, stderr } = await audit([log, ...judged, "--compare", changed]);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(why)]);
  });
});

test.each<[what: string, argv: readonly string[], message: RegExp]>([
  ["no folder", ["--split-by", "origin"], /--split-by needs --output-file, the folder/],
  [
    "JSON",
    ["--split-by", "origin", "-o", "json", "--output-file", "x"],
    /--split-by needs --output text or html, not json/,
  ],
  ["another value", ["--split-by", "crawler", "--output-file", "x"], /--split-by crawler: must be/],
  ["a folder that is a file", ["--split-by", "origin", "--output-file", log], /access\.log: /],
  ["a rate of 0", ["--sample-rate", "0"], /must be more than 0 and at most 1/],
  ["a rate over 1", ["--sample-rate", "100/1"], /must be more than 0 and at most 1/],
  ["a word instead of a rate", ["--sample-rate", "tenth"], /must be more than 0 and at most 1/],
])("wrong usage: %s", async (_what, argv, message) => {
  expect(await audit([log, ...judged, ...argv])).toEqual({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(message),
  });
});

test("--sample-rate: the head names the rate, and the report makes no statement about missing requests", async () => {
  const whole = await audit([log, ...judged]);
  const sample = await audit([log, ...judged, "--sample-rate", "1/100"]);
  expect(whole.stdout).toContain("crossed nothing");
  expect(sample.stdout).not.toContain("crossed nothing");
  expect(sample.stdout.replaceAll(/\s+/g, " ")).toContain("The log is a sample (1 in 100 lines)");
  const { inputs } = await documentOf([log, ...judged, "--sample-rate", ".01"]);
  expect(inputs[0]!.sampleRate).toBe(0.01);
  const page = (await audit([log, ...judged, "--sample-rate", "0.01", "-o", "html"])).stdout;
  expect(page).not.toMatch(/no crawler asked for|no crawler of this group came|decided no request/);
});

test("visits that operators referred are counted for browsers only, by origin", async () => {
  const browser = "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0";
  const text = [
    line("/a", browser, "https://chatgpt.com/"),
    // The escape makes the general line reader parse this line, not the fast one for plain lines.
    line('/a\\"', browser, "https://chatgpt.com/"),
    line("/a", browser, "https://www.google.com/search?q=x"),
    line("/b", browser, "https://www.google.com/"),
    line("/c", browser, "https://shop.example/a"),
    line("/d", browser, "https://evil.example/https://chatgpt.com/"),
    line("/e", "GPTBot/1.2 (+https://openai.com/gptbot)", "https://chatgpt.com/"),
    line("/f", "NewBot/1.0 (+https://new.example/bot)", "https://chatgpt.com/"),
  ].join("");
  const { origins } = await documentOf(judged, text);
  expect(origins.flatMap(({ referrals }) => referrals)).toEqual([
    ["Google", 2],
    ["OpenAI", 2],
  ]);
  expect((await audit([...judged, "-o", "html"], text)).stdout).toContain("Visits that operators sent");
});

test("requests outside --from and --to are counted separately; the document has the linter's findings", async () => {
  const { inputs } = await documentOf([log, ...judged, "--from", "2026-11-05", "--to", "2026-11-06"]);
  expect(inputs[0]!.outside).toBe(205 - 14);
  const robots = put("linted.txt", "User-agent: *\nDisallow: /a\nDisallow: /a/b\nDisalow: /c\n");
  const flags = ["--base", "https://shop.example", "--robots", robots];
  const { lint } = await documentOf(flags, line("/a/b/c"));
  expect(Object.values(lint).flatMap((rows) => rows.map(([at, , code]) => [at, code]))).toEqual(
    expect.arrayContaining([
      [3, "redundant-rule"],
      [4, "forgiven-typo"],
    ]),
  );
  const page = (await audit([...flags, "-o", "html"], line("/x"))).stdout;
  expect(page).toContain("shadowed: another rule");
});

test("a program that anyone can run causes no violation and no failure", async () => {
  const text = line("/cart/x", "Tiny Tiny RSS/1.15.3 (http://tt-rss.org/)");
  const { code, stdout } = await audit([...judged, "--fail-on", "violations>0"], text);
  expect(code).toBe(0);
  expect(stdout).toContain("no source says that robots.txt binds it");
  expect(stdout).not.toContain("crossed");
});

const hasJq = spawnSync("jq", ["--version"]).status === 0;

/** The code blocks of a language below a heading of a document. */
function blocksBelow(path: "docs/AUDIT.md" | "docs/COOKBOOK.md", heading: string, language: string): readonly string[] {
  const [, rest = ""] = readFileSync(join(root, path), "utf8").split(`\n## ${heading}\n`);
  const [section = ""] = rest.split(/^## /mu);
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gmu"))].map(([, body]) => body!);
}

// In CI, .ci/run installs jq.
describe.skipIf(!hasJq && !process.env["CI"])("recipes with jq", () => {
  const recipes = [
    ...blocksBelow("docs/COOKBOOK.md", "Audits with jq", "console")
      .join("")
      .matchAll(/^\$ (jq .*)\n((?:(?!\$ ).*\n)*)/gmu),
  ];

  test("the documents have recipes", () => expect(recipes.length).toBeGreaterThanOrEqual(4));

  test.each(recipes.map(([, command, output]) => ({ command: command!, output: output! })))(
    "$command",
    async ({ command, output }) => {
      put("audit.json", (await audit([log, ...judged, "-o", "json"])).stdout);
      const ran = spawnSync("sh", ["-c", command], { cwd: folder, encoding: "utf8" });
      expect([ran.stderr, ran.stdout]).toEqual(["", output]);
    },
  );
});

describe.skipIf(process.platform === "win32")("the recipe for a git history", () => {
  test("creates a folder that audit can read", async () => {
    const [recipe = ""] = blocksBelow("docs/AUDIT.md", "From a git history", "sh");
    const repository = join(folder, "site");
    mkdirSync(repository);
    const git = (date: string, ...words: readonly string[]): void => {
      const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, GIT_CONFIG_GLOBAL: "/dev/null" };
      const names = ["-c", "user.name=A", "-c", "user.email=a@shop.example"];
      execFileSync("git", [...names, ...words], { cwd: repository, env, stdio: "ignore" });
    };
    git("2025-01-01T00:00:00Z", "init", "-q");
    for (const [date, text] of [
      ["2025-01-01T00:00:00+01:00", "User-agent: *\nDisallow: /cart\n"],
      ["2025-02-13T09:14:00Z", "User-agent: *\nDisallow: /cart\nDisallow: /search\n"],
    ] as const) {
      writeFileSync(join(repository, "robots.txt"), text);
      git(date, "add", "robots.txt");
      git(date, "commit", "-q", "-m", "robots.txt");
    }
    const made = spawnSync("sh", ["-ec", recipe], { cwd: repository, encoding: "utf8" });
    expect(made).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(join(repository, "seen")).toSorted().slice(0, 5)).toEqual([
      "shop.example@2024-12-31T230000Z.txt",
      "shop.example@2025-01-20T230000Z.txt",
      "shop.example@2025-02-09T230000Z.txt",
      "shop.example@2025-02-13T091359Z.txt",
      "shop.example@2025-02-13T091400Z.txt",
    ]);
    const flags = ["--base", "https://shop.example", "--robots-history", join(repository, "seen")];
    const ran = await audit(flags, line("/cart").replace("10/Nov/2026", "10/Feb/2025"));
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toContain("crossed disallow: /cart (line 2)");
  });
});
