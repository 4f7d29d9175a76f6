// Tests pairs of files of a run (one read and one written, or both written) that are the same file by name, link, hard link or redirection.
// The run must report wrong usage, name both files, and leave every byte and every name in the folder unchanged.
import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { Writable } from "node:stream";
import { spawnSync } from "node:child_process";
import { beforeEach, describe, expect, test } from "vitest";
import { explainFlags } from "../src/commands/explain/flags.ts";
import { FileOutput } from "../src/cli/file-output.ts";
import { flags } from "../src/commands/decide/flags.ts";
import { DirectInput } from "@robots-stream/engine/start";
import { lintCommand } from "../src/commands/lint/run.ts";
import { main } from "../src/main.ts";
import { makeFolder } from "./folder.ts";
import { appArguments, root } from "./run.ts";

const top = makeFolder();
let folder = "";
let count = 0;
beforeEach(() => {
  fs.mkdirSync((folder = join(top, `${count++}`)));
  fs.mkdirSync(join(folder, "elsewhere"));
});

/** A use of a file by a command line or a shell redirection. Uses of one kind find and name their file in the same way. */
interface Use {
  /** The file's name in the message. */
  readonly name: string;
  readonly kind: "flag" | "input" | "folder" | "cache" | "stdin" | "stdout" | "stderr";
  readonly args?: (path: string) => readonly string[];
  /** The part of the usual command line that this use replaces. */
  readonly replaces?: "agent" | "robots" | "input";
  /** The file's name in the test's folder. */
  readonly file?: string;
}

const fileFlag = (name: string, more: Partial<Use> = {}): Use => ({
  name: `--${name}`,
  kind: "flag",
  args: (path) => [`--${name}=${path}`],
  ...more,
});
const savedFolder: Use = {
  name: "--robots",
  kind: "folder",
  args: (path) => ["--robots", dirname(path)],
  replaces: "robots",
  file: "saved/shop.example.txt",
};

const readers: readonly Use[] = [
  { name: "an input", kind: "input", args: (path) => [path], replaces: "input" },
  { name: "stdin", kind: "stdin", replaces: "input" },
  savedFolder,
  fileFlag("robots", { replaces: "robots" }),
  fileFlag("agents", { replaces: "agent" }),
  fileFlag("robots-history", { args: (path) => ["--robots-history", path, "--as-of-record"], replaces: "robots" }),
  {
    name: "--robots-history",
    kind: "folder",
    args: (path) => ["--robots-history", dirname(path), "--as-of-record"],
    replaces: "robots",
    file: "seen/shop.example@2026-11-01.txt",
  },
  fileFlag("ca", { replaces: "robots" }),
];
const writers: readonly Use[] = [
  fileFlag("rejects"),
  {
    name: "the cache",
    kind: "cache",
    args: (path) => ["--cache", dirname(path)],
    replaces: "robots",
    file: "cache/robots.sqlite",
  },
  { name: "stdout", kind: "stdout" },
  { name: "stderr", kind: "stderr" },
  // The output format is fixed, because the extensions of some of the files select no format.
  fileFlag("output-file", { args: (path) => [`--output-file=${path}`, "--output=ndjson"] }),
  fileFlag("summary"),
  fileFlag("stats-json"),
  fileFlag("checkpoint", { args: (path) => ["--checkpoint", path, "--output-file", join(folder, "not-made")] }),
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

interface Redirected {
  readonly stdin?: string | undefined;
  readonly stdout?: string | undefined;
  readonly stderr?: string | undefined;
}

/** Runs the app with streams that a shell has opened: `< stdin >> stdout 2>> stderr`. */
async function runWith(
  argv: readonly string[],
  { stdin = "/dev/null", stdout, stderr }: Redirected = {},
): Promise<{ code: number; told: string }> {
  const opened: number[] = [];
  const open = (path: string, how: string): number => {
    opened.push(fs.openSync(path, how));
    return opened.at(-1)!;
  };
  let told = "";
  // Collects the messages. If stderr is redirected, they must not be written into its file.
  const telling = new Writable({
    write: (chunk: Buffer, _encoding, callback) => ((told += chunk.toString()), callback()),
  });
  const code = await main({
    argv,
    env: { ROBOTS_STREAM_CACHE: "none" },
    stdin: new DirectInput(open(stdin, "r"), { isOwn: false }),
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

/** Runs the app with these uses of files. */
function runUses(uses: readonly (readonly [use: Use, path: string])[]): ReturnType<typeof runWith> {
  const has = (what: Use["replaces"]): boolean => uses.some(([use]) => use.replaces === what);
  const argv = [
    ...(has("agent") ? [] : ["--agent", "bingbot"]),
    ...(has("robots") ? [] : ["--robots", join(root, "examples/robots")]),
    ...uses.flatMap(([{ args }, path]) => args?.(path) ?? []),
    ...(has("input") ? [] : [join(root, "examples/urls.ndjson")]),
  ];
  return runWith(argv, Object.fromEntries(uses.map(([{ kind }, path]) => [kind, path])));
}

/** Runs the app with two names of one file, which must be refused; returns what came and what was expected. */
async function refusalOf(
  ...both: readonly (readonly [Use, string])[]
): Promise<readonly [came: unknown, expected: unknown]> {
  const before = contents();
  const { code, told } = await runUses(both);
  const names = both.map(([{ name }, path]) => (name === "an input" ? basename(path) : name));
  const named = ["is the same file as", ...names];
  return [
    { code, named: named.filter((each) => told.includes(each)), contents: contents() },
    { code: 2, named, contents: before },
  ];
}

/** Whether two uses can be in one command line. */
function fit(one: Use, other: Use): boolean {
  if (one.replaces !== undefined && one.replaces === other.replaces) return false;
  const names = new Set([one.name, other.name]);
  // --output-file replaces stdout, --checkpoint needs --output-file, and stdout and stderr may be one file.
  const alike = ["--output-file", "--checkpoint", "stdout"].filter((name) => names.has(name));
  return alike.length < 2 && !(names.has("stdout") && names.has("stderr"));
}

const pairs = [
  ...readers.flatMap((reader) => writers.map((writer) => [reader, writer] as const)),
  ...writers.flatMap((one, at) => writers.slice(at + 1).map((other) => [one, other] as const)),
].filter(([one, other]) => fit(one, other));

/** Every pair with one of the ways in turn, and the first pair of each two kinds with every way. */
const cases = pairs.flatMap(([one, other], index) => {
  const isFirst = pairs.findIndex((each) => each[0].kind === one.kind && each[1].kind === other.kind) === index;
  const all = Object.keys(ways);
  return (isFirst ? all : [all[index % all.length]!]).map(
    (way) => [`${one.name} and ${other.name}: ${way}`, one, other, way] as const,
  );
});

const isFlag = ({ kind }: Use): boolean => kind === "flag";

describe.skipIf(process.platform === "win32")("two uses of one file", () => {
  test.each(cases)("%s", async (_what, one, other, way) => {
    const path = fileFor(one, other);
    const named = ways[way]!(path);
    // A path in a folder has a fixed name, so the path of the other use is changed instead.
    const changesOther = one.file !== undefined || (one.replaces !== undefined && other.file === undefined);
    const [came, expected] = await refusalOf([one, changesOther ? path : named], [other, changesOther ? named : path]);
    expect(came).toEqual(expected);
  });

  test.each(
    pairs
      .filter((pair) => pair.every((use) => isFlag(use) && writers.includes(use)))
      .map(([one, other], at) => [one.name, other.name, Object.keys(ways)[at % 5]!, one, other] as const),
  )("%s and %s, a new file: %s", async (_one, _other, way, one, other) => {
    const path = join(folder, "new");
    const [came, expected] = await refusalOf([one, ways[way]!(path)], [other, path]);
    expect(came).toEqual(expected);
  });

  test.each(writers.filter(({ file }) => file === undefined))(
    "a link in a folder that is read to $name",
    async (use) => {
      const path = fileFor(use);
      fs.mkdirSync(join(folder, "saved"));
      const entry = linked(path, join(folder, "saved", "shop.example.txt"));
      const [came, expected] = await refusalOf([savedFolder, entry], [use, path]);
      expect(came).toEqual(expected);
    },
  );

  test.each(writers.filter(isFlag))("$name as a new file in a folder that is read, or by a link in it", async (use) => {
    fs.mkdirSync(join(folder, "saved"));
    const path = join(folder, "saved", "new.example.txt");
    const asFile = await refusalOf([savedFolder, path], [use, path]);
    expect(asFile[0]).toEqual(asFile[1]);
    const entry = linked("../new", join(folder, "saved", "shop.example.txt"));
    const byLink = await refusalOf([savedFolder, entry], [use, join(folder, "new")]);
    expect(byLink[0]).toEqual(byLink[1]);
  });

  test("an output may be in a folder that is read if its name belongs to no origin", async () => {
    fs.mkdirSync(join(folder, "saved"));
    const path = join(folder, "saved", "rows.ndjson");
    const { code } = await runUses(
      [savedFolder, writers.find(({ name }) => name === "--output-file")!].map((use) => [use, path]),
    );
    expect([code, fs.readFileSync(path, "utf8").length > 0]).toEqual([0, true]);
  });

  test("a checkpoint and the output", async () => {
    const use: Use = {
      name: "--output-file",
      kind: "flag",
      args: (path) => ["--checkpoint", path, "--output-file", path],
    };
    for (const path of [fileFor(), join(folder, "new")]) {
      const [came, expected] = await refusalOf([use, path]);
      expect(came).toEqual(expected);
    }
  });

  test("stdout and stderr may share one log, and all outputs may share /dev/null", async () => {
    const path = fileFor();
    const log = await runUses(writers.slice(2, 4).map((use) => [use, path]));
    expect([log.code, fs.readFileSync(path, "utf8").length > text.length]).toEqual([0, true]);
    const nowhere = await runUses(
      ["--rejects", "--summary", "--stats-json"].map((name) => [
        writers.find((use) => use.name === name)!,
        "/dev/null",
      ]),
    );
    expect(nowhere.code).toBe(0);
  });
});

test("the tables contain every flag of the main command, explain and lint that names a file", () => {
  // The files of these flags need special content. unknown-crawlers.test.ts has the case of --crawlers; the block "command lines" below has
  // the other cases.
  const apart = ["--crawlers", "--log-format", "--ranges", "--sitemap", "--headers", "--html"];
  const covered = new Set([...apart, ...[...readers, ...writers].map(({ name }) => name)]);
  const named = [...flags, ...explainFlags, ...lintCommand.flags].filter(({ file }) => file !== undefined);
  expect(named.filter(({ name }) => !covered.has(`--${name}`))).toEqual([]);
  const likely = [...flags, ...explainFlags, ...lintCommand.flags].filter(({ value = "" }) => /FILE|DIR/.test(value));
  // SQLite owns the files of --cache. --base names inputs, which are compared as inputs.
  expect(likely.filter(({ name, file }) => file === undefined && name !== "cache" && name !== "base")).toEqual([]);
});

describe.skipIf(process.platform === "win32")("command lines", () => {
  const names = ["f", "g", "a.example.txt", "robots.sqlite", "a.json"];
  const saved = ["--agent", "bingbot", "--robots", join(root, "examples/robots")];
  const url = "explain https://a.example/ --agent x";
  const audit = "audit g --base https://a.example --robots a.example.txt";
  test.each([
    [
      "SAVED --output-file f < f",
      /--output-file f: is the same file as stdin, which is an input, and would be overwritten\n/,
    ],
    ["SAVED < f >> f", /stdout: is the same file as stdin, which is an input: > emptied it before/],
    ["SAVED f >> f", /stdout: is the same file as f, which is an input: > emptied it before/],
    ["SAVED --page --sitemap f --output-file f g", /--output-file f: is the same file as --sitemap f/],
    ["--agent bingbot --log-format @f --output-file f g", /--log-format @f: has no log_format|same file as/],
    [
      "--agent-field ua --robots . --base https://a.example --verify --ranges . --output-file a.json g",
      /--output-file a.json: .* --ranges/,
    ],
    ["SAVED --agents g --agents f --output-file f URLS", /--output-file f: is the same file as --agents f/],
    ["SAVED --rejects f < f", /--rejects f: is the same file as stdin/],
    ["SAVED --summary=f < f", /--summary f: is the same file as stdin/],
    ["SAVED --output-file - URLS", /--output-file -: does not mean stdout\n.*goes to stdout; a file of this name/],
    ["SAVED --rejects - URLS", /--rejects -: does not mean stdout\n/],
    ["SAVED --stats-json=- URLS", /--stats-json -: does not mean stdout\n/],
    [`${url} --robots g --headers f --output-file f`, /same file as --headers f/],
    [`${url} --robots g --html f --output-file f`, /same file as --html f/],
    [`${url} --robots g --output-file g`, /same file as --robots g/],
    [`${url} --robots . --output-file a.example.txt`, /same file as --robots/],
    [`${url} --robots . >> ./a.example.txt`, /stdout: is the same file as --robots/],
    [`${url} --ca f --output-file f`, /same file as --ca f/],
    ["explain https://a.example/ --agents f --robots g --output-file f", /same file as --agents f/],
    ["explain https://a.example/ --agents f --robots g >> f", /stdout: is the same file as --agents f/],
    [`${audit} --candidate f --output-file f`, /--output-file f: .* --candidate f/],
    [`${audit} --pages f --output-file f`, /--output-file f: .* --pages f/],
    [`${audit} --verify --ranges . --output-file a.json`, /--output-file a.json: .* --ranges/],
    ["diff f g --output-file f", /--output-file f: is the same file as f/],
    ["test f g --output-file g", /--output-file g: is the same file as g/],
    ["merge f --output-file f", /--output-file f: is the same file as f/],
    ["merge - --output-file f < f", /--output-file f: is the same file as stdin/],
    ["answer --stdio SAVED --output-file f < f", /--output-file f: is the same file as stdin/],
    ["answer --stdio SAVED < f >> f", /stdout: is the same file as stdin/],
    ["lint f >> f", /stdout: is the same file as f/],
    ["lint < f >> f", /stdout: is the same file as stdin/],
    ["lint f --output-file ./f", /--output-file .*f: is the same file as f/],
    ["lint - --output-file f < f", /--output-file f: is the same file as stdin/],
    ["lint f --output-file g 2>> g", /--output-file g: is the same file as stderr|stderr: is the same file/],
    ["lint https://a.example --ca f --output-file f", /--output-file f: is the same file as --ca f/],
    ["lint f --output-file -", /--output-file -: does not mean stdout\n/],
    ["detect f >> f", /stdout: is the same file as f/],
    ["detect f --output-file f", /--output-file f: is the same file as f/],
    ["detect f --output-file l/f", /--output-file l.f: is the same file as f/],
    ["detect --output-file f < f", /--output-file f: is the same file as stdin/],
    ["agents --output-file g 2>> g", /same file as/],
    ["cache import f --cache . < f >> robots.sqlite", /stdout: is the same file as the cache/],
    ["cache export --cache . >> robots.sqlite", /stdout: is the same file as the cache/],
    ["cache import robots.sqlite --cache .", /the cache .*robots.sqlite: is the same file as robots.sqlite/],
    ["cache ls --cache . -o text --output-file robots.sqlite", /the cache .*same file as --output-file/],
    ["cache show a.example --cache . --body --output-file robots.sqlite-wal", /the cache .*same file as --out/],
    ["cache export --cache . -o warc --output-file robots.sqlite-journal", /the cache .*same file as --out/],
  ])("%s", async (command, expected) => {
    for (const name of names) fs.writeFileSync(join(folder, name), text);
    linked(".", join(folder, "l"), "dir");
    const before = contents();
    const streams: Record<string, string> = {};
    const rest = command.replaceAll(/ (<|>>|2>>) (\S+)/g, (_all, sign: string, file: string) => {
      streams[sign === "<" ? "stdin" : sign === ">>" ? "stdout" : "stderr"] = join(folder, file);
      return "";
    });
    const words = rest
      .split(" ")
      .flatMap((word) => ({ SAVED: saved, URLS: [join(root, "examples/urls.ndjson")] })[word] ?? [word]);
    const was = process.cwd();
    process.chdir(folder);
    try {
      const { code, told } = await runWith(words, streams);
      expect([code, told]).toEqual([2, expect.stringMatching(expected)]);
      expect(contents()).toEqual(before);
    } finally {
      process.chdir(was);
    }
  });

  const app = [process.execPath, ...appArguments].map((word) => `'${word}'`).join(" ");

  /** Runs the command line of a shell; returns the exit code and stderr. */
  function inShell(command: string): [code: number | null, told: string] {
    const env = { ...process.env, ROBOTS_STREAM_CACHE: "none" };
    const { status, stderr } = spawnSync("/bin/sh", ["-c", command], { cwd: folder, env, encoding: "utf8" });
    return [status, stderr];
  }

  test.each(["lint g --output sarif", "agents", "detect g", `${url} --robots g`])(
    "no room for %s: the message says what became of the file",
    (args) => {
      fs.writeFileSync(join(folder, "f"), "an old report\n");
      fs.writeFileSync(join(folder, "g"), "Disalow: /\n".repeat(100));
      expect(inShell(`ulimit -f 0; exec ${app} ${args} --output-file f`)).toEqual([
        3,
        expect.stringMatching(/: --output-file f, which is replaced and incomplete now: file too large \(EFBIG\)\n/),
      ]);
    },
  );

  test("the streams of a real shell, which has already emptied the file of < f > f; /dev/stdin; /dev/stderr", () => {
    const robots = `--agent bingbot --robots '${join(root, "examples/robots")}'`;
    for (const [command, expected] of [
      [`${app} ${robots} < f > f`, /stdout: is the same file as stdin.*\n.*another file/],
      [`${app} lint /dev/stdin --output-file f < f`, /--output-file f: is the same file as .*stdin/],
      [`${app} ${robots} --output-file /dev/stderr f 2>> g`, /^$/],
    ] as const) {
      fs.writeFileSync(join(folder, "f"), text);
      expect(inShell(command)).toEqual([2, expect.stringMatching(expected)]);
    }
  });
});
