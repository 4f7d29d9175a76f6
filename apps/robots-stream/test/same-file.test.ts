// Tests pairs of files of a run (one read and one written, or both written) that are the same file by name, link, hard link or redirection.
// The run must report wrong usage, name both files, and leave every byte and every name in the folder unchanged.
import fs from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { Writable } from "node:stream";
import { spawn } from "node:child_process";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { explainFlags } from "../src/commands/explain/flags.ts";
import { FileOutput } from "../src/cli/file-output.ts";
import { flags } from "../src/commands/decide/flags.ts";
import { DirectInput } from "@robots-stream/engine/start";
import { lintFlags } from "../src/commands/lint/flags.ts";
import { main } from "../src/main.ts";
import { appArguments, root } from "./run.ts";

const top = fs.mkdtempSync(join(tmpdir(), "robots-stream-same-"));
let folder = "";
let count = 0;
beforeEach(() => {
  fs.mkdirSync((folder = join(top, `${count++}`)));
  fs.mkdirSync(join(folder, "elsewhere"));
});
afterAll(() => fs.rmSync(top, { recursive: true, force: true }));

/** A use of a file by a command line or a shell redirection. */
interface Use {
  /** The file's name in the message. */
  readonly name: string;
  readonly args?: (path: string) => readonly string[];
  readonly stream?: "stdin" | "stdout" | "stderr";
  /** The part of the usual command line that this use replaces. */
  readonly replaces?: "agent" | "robots" | "input";
  /** The file's name in the test's folder. */
  readonly file?: string;
}

const fileFlag = (name: string, more: Partial<Use> = {}): Use => ({
  name: `--${name}`,
  args: (path) => [`--${name}=${path}`],
  ...more,
});

const readers: readonly Use[] = [
  { name: "an input", args: (path) => [path], replaces: "input" },
  { name: "stdin", stream: "stdin", replaces: "input" },
  fileFlag("agents", { replaces: "agent" }),
  fileFlag("robots", { replaces: "robots" }),
  {
    name: "--robots, in its folder",
    args: (path) => ["--robots", dirname(path)],
    replaces: "robots",
    file: "saved/shop.example.txt",
  },
  fileFlag("robots-history", { args: (path) => ["--robots-history", path, "--as-of-record"], replaces: "robots" }),
  {
    name: "--robots-history, in its folder",
    args: (path) => ["--robots-history", dirname(path), "--as-of-record"],
    replaces: "robots",
    file: "seen/shop.example@2026-11-01.txt",
  },
  fileFlag("ca", { replaces: "robots" }),
];
const writers: readonly Use[] = [
  // The output format is fixed, because the extensions of some of the files select no format.
  fileFlag("output-file", { args: (path) => [`--output-file=${path}`, "--output=ndjson"] }),
  fileFlag("rejects"),
  fileFlag("summary"),
  fileFlag("stats-json"),
  {
    name: "--checkpoint",
    args: (path) => ["--checkpoint", path, "--output-file", join(folder, "not-made")],
  },
  {
    name: "the cache",
    args: (path) => ["--cache", dirname(path)],
    replaces: "robots",
    file: "cache/robots.sqlite",
  },
  { name: "stdout", stream: "stdout" },
  { name: "stderr", stream: "stderr" },
];

/** Ways to refer to a file, most of them by another name. */
const ways: Readonly<Record<string, (path: string) => string>> = {
  "the same name": (path) => path,
  "another spelling": (path) => join(dirname(path), "..", basename(dirname(path))) + `/./${basename(path)}`,
  "a symbolic link": (path) => linked(path, join(folder, "elsewhere", "link")),
  "a link to a link": (path) => linked(linked(path, join(folder, "elsewhere", "1")), join(folder, "elsewhere", "2")),
  "a linked folder": (path) => join(linked(dirname(path), join(folder, "elsewhere", "folder"), "dir"), basename(path)),
  "a hard link": (path) => {
    const other = join(folder, "elsewhere", "hard");
    fs.linkSync(path, other);
    return other;
  },
};

function linked(path: string, at: string, type: "file" | "dir" = "file"): string {
  fs.symlinkSync(path, at, type);
  return at;
}

/** The names and bytes of all files in the folder. */
function contents(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of fs.readdirSync(folder, { recursive: true }) as string[]) {
    const stat = fs.lstatSync(join(folder, name));
    found[name] = stat.isFile() ? fs.readFileSync(join(folder, name), "latin1") : `${stat.mode}`;
  }
  return found;
}

async function runWith(uses: readonly (readonly [use: Use, path: string])[]): Promise<{ code: number; told: string }> {
  const has = (what: Use["replaces"]): boolean => uses.some(([use]) => use.replaces === what);
  const argv = [
    ...(has("agent") ? [] : ["--agent", "bingbot"]),
    ...(has("robots") ? [] : ["--robots", join(root, "examples/robots")]),
    ...uses.flatMap(([{ args }, path]) => args?.(path) ?? []),
    ...(has("input") ? [] : [join(root, "examples/urls.ndjson")]),
  ];
  const pathOf = (stream: Use["stream"]): string | undefined => uses.find(([use]) => use.stream === stream)?.[1];
  const [stdin, stdout, stderr] = (["stdin", "stdout", "stderr"] as const).map(pathOf);
  const opened: number[] = [];
  const open = (path: string, how: string): number => {
    opened.push(fs.openSync(path, how));
    return opened.at(-1)!;
  };
  let told = "";
  // Collects the messages. If stderr is the file of a use, they must not be written into this file.
  const telling = new Writable({
    write: (chunk: Buffer, _encoding, callback) => ((told += chunk.toString()), callback()),
  });
  const code = await main({
    argv,
    env: { ROBOTS_STREAM_CACHE: "none" },
    stdin: new DirectInput(open(stdin ?? "/dev/null", "r"), { isOwn: false }),
    stdout:
      stdout === undefined ? new Writable({ write: (_c, _e, done) => done() }) : new FileOutput(open(stdout, "a")),
    stderr: stderr === undefined ? telling : Object.assign(telling, { fd: open(stderr, "a") }),
  });
  for (const fd of opened) fs.closeSync(fd);
  return { code, told };
}

/** Content that every reader accepts, so that a run that is not refused would continue. */
const text = "bingbot\n";

/** The first line of a checkpoint, enough for the file to be recognized as one. */
const checkpointText = '{"robots-stream checkpoint":1,"crc32":"00000000"\n';

function fileFor(...uses: readonly Use[]): string {
  const path = join(folder, uses.find(({ file }) => file !== undefined)?.file ?? "file");
  fs.mkdirSync(dirname(path), { recursive: true });
  const isCheckpoint =
    uses.some(({ name }) => name === "--checkpoint") && uses.every(({ replaces }) => replaces !== "agent");
  fs.writeFileSync(path, isCheckpoint ? checkpointText : text);
  return path;
}

/** Runs the app with two names of one file; returns the result and the expected result. */
async function attempt(
  ...both: readonly (readonly [Use, string])[]
): Promise<readonly [came: unknown, expected: unknown]> {
  const before = contents();
  const { code, told } = await runWith(both);
  const names = both.map(([{ name }, path]) => (name === "an input" ? basename(path) : name.replace(/,.*/, "")));
  const came = {
    code,
    isRefused: told.includes("is the same file as"),
    told: names.filter((name) => told.includes(name)),
  };
  return [
    { ...came, contents: contents() },
    { code: 2, isRefused: true, told: names, contents: before },
  ];
}

describe.skipIf(process.platform === "win32")("files that are read", () => {
  const pairs = readers.flatMap((reader) => writers.map((writer) => [reader, writer] as const));
  test.each(
    pairs
      .filter(([reader, writer]) => reader.replaces !== "robots" || writer.replaces !== "robots")
      .flatMap(([reader, writer]) =>
        Object.keys(ways).map((way) => [`${reader.name} and ${writer.name}: ${way}`, reader, writer, way] as const),
      ),
  )("%s", async (_what, reader, writer, way) => {
    const path = fileFor(reader, writer);
    // A path in a folder has a fixed name, so the path of the other use is changed instead.
    const other = ways[way]!(path);
    const [came, expected] = await attempt(
      [reader, reader.file === undefined && writer.file !== undefined ? other : path],
      [writer, writer.file === undefined ? other : path],
    );
    expect(came).toEqual(expected);
  });

  test.each(writers.filter(({ file }) => file === undefined))(
    "a link in the folder of --robots to $name",
    async (writer) => {
      const path = fileFor(writer);
      fs.mkdirSync(join(folder, "saved"));
      const entry = linked(path, join(folder, "saved", "shop.example.txt"));
      const [came, expected] = await attempt([readers[4]!, entry], [writer, path]);
      expect(came).toEqual(expected);
    },
  );

  test.each(writers.filter(({ file, stream }) => file === undefined && stream === undefined))(
    "a link in the folder of --robots to $name that does not exist yet",
    async (writer) => {
      fs.mkdirSync(join(folder, "saved"));
      const entry = linked("../new", join(folder, "saved", "shop.example.txt"));
      const [came, expected] = await attempt([readers[4]!, entry], [writer, join(folder, "new")]);
      expect(came).toEqual(expected);
    },
  );

  test.each(writers.filter(({ file, stream }) => file === undefined && stream === undefined))(
    "$name as a new file in the folder of --robots",
    async (writer) => {
      fs.mkdirSync(join(folder, "saved"));
      const path = join(folder, "saved", "new.example.txt");
      const [came, expected] = await attempt([readers[4]!, path], [writer, path]);
      expect(came).toEqual(expected);
    },
  );

  test("an output may be in the folder of --robots if its name belongs to no origin", async () => {
    fs.mkdirSync(join(folder, "saved"));
    const path = join(folder, "saved", "rows.ndjson");
    const { code } = await runWith([
      [readers[4]!, path],
      [writers[0]!, path],
    ]);
    expect([code, fs.readFileSync(path, "utf8").length > 0]).toEqual([0, true]);
  });
});

describe.skipIf(process.platform === "win32")("files that are written", () => {
  const pairs = writers.flatMap((one, at) => writers.slice(at + 1).map((other) => [one, other] as const));
  const apart = pairs.filter(
    ([one, other]) =>
      (one.stream === undefined || other.stream === undefined) &&
      // --output-file replaces stdout as the command line's output, so the two cannot be paired.
      !(one.name === "--output-file" && other.name === "stdout") &&
      !(
        [one, other].some(({ name }) => name === "--checkpoint") &&
        [one, other].some(({ name }) => name === "--output-file")
      ) &&
      !([one, other].some(({ name }) => name === "--checkpoint") && other.name === "stdout"),
  );
  test.each(
    apart.flatMap(([one, other]) =>
      Object.keys(ways).map((way) => [`${one.name} and ${other.name}: ${way}`, one, other, way] as const),
    ),
  )("%s", async (_what, one, other, way) => {
    const path = fileFor(one, other);
    const named = ways[way]!(path);
    const [came, expected] = await attempt(
      [one, one.file === undefined ? named : path],
      [other, one.file === undefined ? path : named],
    );
    expect(came).toEqual(expected);
  });

  test.each(
    apart
      .filter(([one, other]) => [one, other].every(({ file, stream }) => file === undefined && stream === undefined))
      .flatMap(([one, other]) =>
        Object.keys(ways)
          .filter((way) => way !== "a hard link")
          .map((way) => [`${one.name} and ${other.name}, a new file: ${way}`, one, other, way] as const),
      ),
  )("%s", async (_what, one, other, way) => {
    const path = join(folder, "new");
    const [came, expected] = await attempt([one, ways[way]!(path)], [other, path]);
    expect(came).toEqual(expected);
  });

  test("a checkpoint and the output", async () => {
    const args = (path: string): readonly string[] => ["--checkpoint", path, "--output-file", path];
    for (const path of [fileFor(), join(folder, "new")]) {
      const before = contents();
      const { code, told } = await runWith([[{ name: "both", args }, path]]);
      expect([code, told]).toEqual([2, expect.stringMatching(/--checkpoint .* same file as --output-file/)]);
      expect(contents()).toEqual(before);
    }
  });

  test("stdout and stderr may share one log, and all outputs may share /dev/null", async () => {
    const path = fileFor();
    const log = await runWith([
      [writers.find(({ name }) => name === "stdout")!, path],
      [writers.find(({ name }) => name === "stderr")!, path],
    ]);
    expect([log.code, fs.readFileSync(path, "utf8").length > text.length]).toEqual([0, true]);
    const nowhere = await runWith(writers.slice(1, 4).map((use) => [use, "/dev/null"] as const));
    expect(nowhere.code).toBe(0);
  });
});

test("the tables contain every flag of the main command, explain and lint that names a file", () => {
  // The files of these flags need special content. unknown-crawlers.test.ts has the case of --crawlers; the block "commands of a shell"
  // below has the other cases.
  const apart = ["--crawlers", "--log-format", "--ranges", "--sitemap", "--headers", "--html"];
  const covered = new Set([...apart, ...[...readers, ...writers].map(({ name }) => name)]);
  const named = [...flags, ...explainFlags, ...lintFlags].filter(({ file }) => file !== undefined);
  expect(named.filter(({ name }) => !covered.has(`--${name}`))).toEqual([]);
  const likely = [...flags, ...explainFlags, ...lintFlags].filter(({ value = "" }) => /FILE|DIR/.test(value));
  // SQLite owns the files of --cache. --base names inputs, which are compared as inputs.
  expect(likely.filter(({ name, file }) => file === undefined && name !== "cache" && name !== "base")).toEqual([]);
});

describe.skipIf(process.platform === "win32")("commands of a shell", () => {
  const app = [process.execPath, ...appArguments].map((word) => `'${word}'`).join(" ");
  const saved = `--agent bingbot --robots '${join(root, "examples/robots")}'`;
  test.concurrent.each([
    [
      `${app} ${saved} --output-file f < f`,
      /--output-file f: is the same file as stdin, which is an input, and would be overwritten\n/,
    ],
    [`${app} ${saved} < f >> f`, /stdout: is the same file as stdin, which is an input: > emptied it before/],
    [`${app} ${saved} f >> f`, /stdout: is the same file as f, which is an input: > emptied it before/],
    [`${app} ${saved} --page --sitemap f --output-file f g`, /--output-file f: is the same file as --sitemap f/],
    [`${app} --agent bingbot --log-format @f --output-file f g`, /--log-format @f: has no log_format|same file as/],
    [
      `${app} --agent-field ua --robots . --base https://a.example --verify --ranges . --output-file a.json g`,
      /--output-file a.json: .* --ranges/,
    ],
    [`${app} explain https://a.example/ --agent x --robots g --headers f --output-file f`, /same file as --headers f/],
    [`${app} explain https://a.example/ --agent x --robots g --html f --output-file f`, /same file as --html f/],
    [
      `${app} audit g --base https://a.example --robots a.example.txt --candidate f --output-file f`,
      /--output-file f: .* --candidate f/,
    ],
    [
      `${app} audit g --base https://a.example --robots a.example.txt --pages f --output-file f`,
      /--output-file f: .* --pages f/,
    ],
    [
      `${app} audit g --base https://a.example --robots a.example.txt --verify --ranges . --output-file a.json`,
      /--output-file a.json: .* --ranges/,
    ],
    [`${app} diff f g --output-file f`, /--output-file f: is the same file as f/],
    [`${app} test f g --output-file g`, /--output-file g: is the same file as g/],
    [`${app} merge f --output-file f`, /--output-file f: is the same file as f/],
    [`${app} merge - --output-file f < f`, /--output-file f: is the same file as stdin/],
    [`${app} answer --stdio ${saved} --output-file f < f`, /--output-file f: is the same file as stdin/],
    [`${app} answer --stdio ${saved} < f >> f`, /stdout: is the same file as stdin/],
    [`${app} ${saved} --rejects f < f >/dev/null`, /--rejects f: is the same file as stdin/],
    [`${app} ${saved} --summary=f < f >/dev/null`, /--summary f: is the same file as stdin/],
    [`${app} lint f >> f`, /stdout: is the same file as f/],
    [`${app} lint < f >> f`, /stdout: is the same file as stdin/],
    [`${app} detect f >> f`, /stdout: is the same file as f/],
    [`${app} explain https://a.example/ --agents f --robots g >> f`, /stdout: is the same file as --agents f/],
    [
      `${app} explain https://a.example/ --agent x --robots . >> ./a.example.txt`,
      /stdout: is the same file as --robots/,
    ],
    [`${app} cache import f --cache . < f >> robots.sqlite`, /stdout: is the same file as the cache/],
    [`${app} cache export --cache . >> robots.sqlite`, /stdout: is the same file as the cache/],
    [`${app} cache import robots.sqlite --cache .`, /the cache .*robots.sqlite: is the same file as robots.sqlite/],
    [`${app} lint f --output-file ./f`, /--output-file .*f: is the same file as f/],
    [`${app} lint - --output-file f < f`, /--output-file f: is the same file as stdin/],
    [`${app} lint /dev/stdin --output-file f < f`, /--output-file f: is the same file as .*stdin/],
    [`${app} lint f --output-file g 2>> g`, /^$/],
    [`${app} lint https://a.example --ca f --output-file f`, /--output-file f: is the same file as --ca f/],
    [`${app} detect f --output-file f`, /--output-file f: is the same file as f/],
    [
      `ln -s . l; ${app} detect f --output-file l/f; code=$?; rm l; exit $code`,
      /--output-file l.f: is the same file as f/,
    ],
    [`${app} detect --output-file f < f`, /--output-file f: is the same file as stdin/],
    [`${app} agents --output-file g 2>> g`, /^$/],
    [`${app} explain https://a.example/ --agents f --robots g --output-file f`, /same file as --agents f/],
    [`${app} explain https://a.example/ --agent x --robots g --output-file g`, /same file as --robots g/],
    [`${app} explain https://a.example/ --agent x --robots . --output-file a.example.txt`, /same file as --robots/],
    [`${app} explain https://a.example/ --agent x --ca f --output-file f`, /same file as --ca f/],
    [`${app} cache ls --cache . -o text --output-file robots.sqlite`, /the cache .*same file as --output-file/],
    [`${app} cache show a.example --cache . --body --output-file robots.sqlite-wal`, /the cache .*same file as --out/],
    [`${app} cache export --cache . -o warc --output-file robots.sqlite-journal`, /the cache .*same file as --out/],
    [
      `echo https://a.example/ | ${app} ${saved} --output-file -`,
      /--output-file -: does not mean stdout\n.*goes to stdout; a file of this name/,
    ],
    [`echo https://a.example/ | ${app} ${saved} --rejects -`, /--rejects -: does not mean stdout\n/],
    [`echo https://a.example/ | ${app} ${saved} --stats-json=-`, /--stats-json -: does not mean stdout\n/],
    [`${app} lint f --output-file -`, /--output-file -: does not mean stdout\n/],
    [`${app} ${saved} --output-file /dev/stderr f 2>> g`, /^$/],
  ])("%s", async (command, expected) => {
    const here = fs.mkdtempSync(join(top, "shell-"));
    const names = ["f", "g", "a.example.txt", "robots.sqlite", "a.json"];
    for (const name of names) fs.writeFileSync(join(here, name), text);
    const child = spawn("/bin/sh", ["-c", command.replaceAll("\n", " ")], {
      cwd: here,
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, ROBOTS_STREAM_CACHE: "none" },
    });
    let told = "";
    child.stderr.on("data", (chunk: Buffer) => (told += chunk.toString()));
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect([code, told]).toEqual([2, expect.stringMatching(expected)]);
    const left = names.filter((name) => name !== "g").map((name) => fs.readFileSync(join(here, name), "utf8"));
    expect(left).toEqual([text, text, text, text]);
    expect(fs.readdirSync(here)).toHaveLength(5);
  });

  test.concurrent.each([
    ["lint g --output sarif"],
    ["agents"],
    ["detect g"],
    ["explain https://a.example/ --agent x --robots g"],
  ])("no room for %s: the message says what became of the file", async (args) => {
    const here = fs.mkdtempSync(join(top, "shell-"));
    fs.writeFileSync(join(here, "f"), "an old report\n");
    fs.writeFileSync(join(here, "g"), "Disalow: /\n".repeat(100));
    const limited = `ulimit -f 0; exec ${app} ${args} --output-file f`;
    const child = spawn("/bin/sh", ["-c", limited], { cwd: here, stdio: ["ignore", "ignore", "pipe"] });
    let told = "";
    child.stderr.on("data", (chunk: Buffer) => (told += chunk.toString()));
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect([code, told]).toEqual([
      3,
      expect.stringMatching(/: --output-file f, which is replaced and incomplete now: file too large \(EFBIG\)\n/),
    ]);
  });

  test("< f > f: the shell has already emptied the file, and the message reports it", async () => {
    const here = fs.mkdtempSync(join(top, "shell-"));
    fs.writeFileSync(join(here, "f"), text);
    const child = spawn("/bin/sh", ["-c", `${app} ${saved} < f > f`], {
      cwd: here,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let told = "";
    child.stderr.on("data", (chunk: Buffer) => (told += chunk.toString()));
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect([code, told]).toEqual([2, expect.stringMatching(/stdout: is the same file as stdin.*\n.*another file/)]);
  });
});
