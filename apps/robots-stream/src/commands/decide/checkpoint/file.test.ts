// Files of checkpoints: a damaged file is never read as a checkpoint, and other files in the folder stay unchanged.
import { execFileSync } from "node:child_process";
import fs, {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { main } from "../../../main.ts";
import { Tally } from "@robots-stream/engine/internal";
import {
  type Checkpoint,
  checkpointOf,
  fileTextOf,
  readCheckpoint,
  refuseOtherFile,
  removeLeftovers,
  writeCheckpoint,
} from "./file.ts";
import { makeFolder } from "../../../../test/folder.ts";

const top = makeFolder();
let folder = "";
let path = "";
let count = 0;
beforeEach(() => {
  mkdirSync((folder = join(top, `${count++}`)));
  path = join(folder, "ck");
});

/** A real checkpoint, from a run over a few records with letters outside ASCII. */
async function realCheckpoint(): Promise<Checkpoint> {
  const input = join(folder, "urls.ndjson");
  writeFileSync(input, '{"url":"https://shöp.example/a","n":"ü\ufffd"}\noops\n'.repeat(3));
  const argv = ["--agent", "bingbot", "--robots", "/dev/null", "--output-file", join(folder, "rows"), "--rejects"];
  const sink = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });
  const streams = { stdin: Readable.from([]), stdout: sink(), stderr: sink() };
  argv.push(join(folder, "rejects"), "--checkpoint", path, "--result-key", "röbots\ufffd", input);
  expect(await main({ argv, env: {}, ...streams })).toBe(0);
  return readCheckpoint(path)!;
}

describe.runIf(process.platform !== "win32")("damage", () => {
  test("a checkpoint with any bit inverted, truncated at any length, or with any byte doubled or omitted, is never read as a checkpoint", async () => {
    const checkpoint = await realCheckpoint();
    const whole = readFileSync(path);
    const variants = function* (): Generator<Buffer> {
      for (let at = 0; at < whole.length; at++) {
        for (let bit = 0; bit < 8; bit++) {
          const flipped = Buffer.from(whole);
          flipped[at]! ^= 1 << bit;
          yield flipped;
        }
        yield whole.subarray(0, at);
        yield Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1)]);
        yield Buffer.concat([whole.subarray(0, at), whole.subarray(at, at + 1), whole.subarray(at)]);
      }
      yield Buffer.concat([whole, whole]);
      yield Buffer.concat([whole, Buffer.alloc(4_096)]);
    };
    let variantCount = 0;
    for (const variant of variants()) {
      if (checkpointOf(variant) !== undefined) throw new Error(`taken for a checkpoint: ${variant.toString("latin1")}`);
      if (variantCount++ % 97 !== 0) continue;
      writeFileSync(path, variant);
      expect(() => readCheckpoint(path)).toThrow(expect.objectContaining({ code: "ERR_UNUSABLE_CHECKPOINT" }));
    }
    expect(variantCount).toBeGreaterThan(whole.length * 10);
    writeFileSync(path, whole);
    expect(readCheckpoint(path)).toEqual(checkpoint);
  });
});

const checkpoint: Checkpoint = {
  run: { version: "1", files: [], flags: {}, agents: [] },
  isFinished: false,
  counts: new Tally([]).copied(),
  output: { bytes: 0, before: { bytes: 0, crc: 0 } },
  rejects: null,
  place: null,
  writer: {},
  damaged: [],
};

describe("writing a checkpoint", () => {
  const isPosix = process.platform !== "win32";
  const others: Readonly<Record<string, (at: string) => void>> = {
    "a file": (at) => writeFileSync(at, "mine\n"),
    "a named pipe": (at) => void execFileSync("mkfifo", [at]),
    "a link to a file": (at) => (writeFileSync(join(folder, "mine"), "mine\n"), symlinkSync("mine", at)),
    "a link to nothing": (at) => symlinkSync("none", at),
    "a folder": (at) => mkdirSync(at),
  };

  function shown(at: string): unknown {
    const stat = lstatSync(at, { throwIfNoEntry: false });
    const held =
      stat?.isFile() === true ? readFileSync(at, "utf8") : stat?.isSymbolicLink() === true ? readlinkSync(at) : "";
    return [stat?.mode, stat?.ino, held];
  }

  test.runIf(isPosix).each(Object.keys(others))("%s called ck.tmp is unchanged", async (what) => {
    others[what]!(`${path}.tmp`);
    const before = [...readdirSync(folder), "ck"].toSorted();
    const was = shown(`${path}.tmp`);
    await writeCheckpoint(path, checkpoint);
    await writeCheckpoint(path, checkpoint);
    expect(shown(`${path}.tmp`)).toEqual(was);
    expect(readdirSync(folder)).toEqual(before);
    expect(readCheckpoint(path)).toEqual(checkpoint);
    if (existsSync(join(folder, "mine"))) expect(readFileSync(join(folder, "mine"), "utf8")).toBe("mine\n");
  });

  /** Makes the random names of temporary files predictable, and resolves to the path of such a file. */
  async function knownName(): Promise<string> {
    const crypto = process.getBuiltinModule("node:crypto");
    const { randomUUID } = crypto;
    onTestFinished(() => void (crypto.randomUUID = randomUUID));
    crypto.randomUUID = () => "00000000-0000-4000-8000-000000000000";
    const names = new Set(readdirSync(folder));
    let name = "";
    const { rename } = promises;
    promises.rename = (from) => {
      name = String(from);
      return Promise.reject(new Error("not yet"));
    };
    syncBuiltinESMExports();
    await expect(writeCheckpoint(path, checkpoint)).rejects.toThrow("not yet");
    promises.rename = rename;
    syncBuiltinESMExports();
    // The temporary file is removed.
    expect(new Set(readdirSync(folder))).toEqual(names);
    return name;
  }

  test.runIf(isPosix).each(Object.keys(others))(
    "%s with the name of the temporary file: no checkpoint is written",
    async (what) => {
      const name = await knownName();
      others[what]!(name);
      const before = readdirSync(folder);
      const was = shown(name);
      await expect(writeCheckpoint(path, checkpoint)).rejects.toThrow(/EEXIST/);
      expect(readdirSync(folder)).toEqual(before);
      expect(shown(name)).toEqual(was);
      if (existsSync(join(folder, "mine"))) expect(readFileSync(join(folder, "mine"), "utf8")).toBe("mine\n");
    },
  );

  test.runIf(isPosix).each(Object.keys(others))(
    "%s that replaces the temporary file while it is written is never renamed",
    async (what) => {
      const name = await knownName();
      await writeCheckpoint(path, checkpoint);
      const held = readFileSync(path, "utf8");
      const handle = await promises.open(path);
      const prototype = Object.getPrototypeOf(handle) as typeof handle;
      await handle.close();
      const { sync } = prototype;
      onTestFinished(() => void (prototype.sync = sync));
      prototype.sync = async function replacing(this: typeof handle) {
        await sync.call(this);
        rmSync(name);
        others[what]!(name);
      };
      await expect(writeCheckpoint(path, checkpoint)).rejects.toThrow(/was replaced while it was written/);
      expect(readFileSync(path, "utf8")).toBe(held);
      expect(lstatSync(path).isFile()).toBe(true);
      // The file belongs to another process, so it must not be removed.
      expect(lstatSync(name, { throwIfNoEntry: false })).toBeDefined();
    },
  );

  test.runIf(isPosix)("a checkpoint that is a link is written through the link, and the link remains", async () => {
    mkdirSync(join(folder, "there"));
    symlinkSync("there/ck", path);
    await writeCheckpoint(path, checkpoint);
    await writeCheckpoint(path, checkpoint);
    expect([readlinkSync(path), readdirSync(join(folder, "there")), readdirSync(folder)]).toEqual([
      "there/ck",
      ["ck"],
      ["ck", "there"],
    ]);
    expect(readCheckpoint(path)).toEqual(checkpoint);
  });

  test("a checkpoint whose file name has 255 characters is written and read", async () => {
    path = join(folder, "c".repeat(255));
    await writeCheckpoint(path, checkpoint);
    expect(readCheckpoint(path)).toEqual(checkpoint);
  });

  test("only temporary files of killed runs are removed", async () => {
    const name = await knownName();
    writeFileSync(name, "half of");
    const mine = [".robots-stream-notes", `${name.split("/").at(-1)!.slice(0, -8)}.tmp`, "ck.tmp", "other"];
    for (const each of mine) writeFileSync(join(folder, each), "");
    removeLeftovers(path);
    expect(readdirSync(folder)).toEqual(mine.toSorted());
    removeLeftovers(join(folder, "none", "ck"));
  });
});

test.runIf(process.platform !== "win32")("a file that is not a checkpoint is refused without blocking", () => {
  execFileSync("mkfifo", [path]);
  expect(() => readCheckpoint(path)).toThrow("is not a regular file");
  rmSync(path);
  symlinkSync("/dev/zero", path);
  expect(() => refuseOtherFile(path)).toThrow("is not a regular file");
  rmSync(path);
  writeFileSync(path, fileTextOf(checkpoint).slice(0, 60));
  fs.truncateSync(path, 65 * 2 ** 20);
  expect(() => readCheckpoint(path)).toThrow("is not a checkpoint");
});
