// A temporary file is new, readable by its owner only, never replaces an existing name, and is removed when closed.
import fs from "node:fs";
import {
  chmodSync,
  fstatSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { KeptBodies, TempFile } from "./temp-file.ts";

const uuid = "00000000-0000-4000-8000-000000000000";
let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "robots-stream-temp-"));
  path = join(folder, `robots-stream-${uuid}.spill`);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

/** Makes the random name of the temporary file predictable. */
function knowName(): void {
  const crypto = process.getBuiltinModule("node:crypto");
  const { randomUUID } = crypto;
  crypto.randomUUID = () => uuid;
  onTestFinished(() => void (crypto.randomUUID = randomUUID));
}

/** Calls `act` with the file's descriptor after the file is created and before it is removed. */
function whenMade(act: (fd: number) => void): void {
  const { openSync: open } = fs;
  fs.openSync = (...args) => {
    const fd = open(...args);
    if (String(args[0]) === path) act(fd);
    return fd;
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.openSync = open;
    syncBuiltinESMExports();
  });
}

const write = (file: TempFile): void => file.append(Buffer.from("held"), 4);

test.runIf(process.platform !== "win32").each([
  ["a file", () => writeFileSync(path, "mine")],
  ["a link to a file", () => (writeFileSync(join(folder, "mine"), "mine"), symlinkSync("mine", path))],
  ["a link to nothing", () => symlinkSync("none", path)],
])("%s at the path of the temporary file: refused, and left unchanged", (_what, make) => {
  knowName();
  make();
  const before = readdirSync(folder);
  const file = new TempFile(folder);
  expect(() => write(file)).toThrow(expect.objectContaining({ side: "spill" }));
  file.close();
  expect(readdirSync(folder)).toEqual(before);
  for (const name of before) {
    if (lstatSync(join(folder, name)).isFile()) expect(readFileSync(join(folder, name), "utf8")).toBe("mine");
  }
});

test.runIf(process.platform !== "win32")(
  "only its owner can read a temporary file, even with umask 0, and the file has no name after opening",
  () => {
    knowName();
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    let mode = 0;
    whenMade((fd) => (mode = fstatSync(fd).mode & 0o777));
    const file = new TempFile(folder);
    write(file);
    expect([mode, readdirSync(folder)]).toEqual([0o600, []]);
    file.close();
  },
);

test("an error of the system while the file is truncated is an IoError", () => {
  const { ftruncateSync: truncate } = fs;
  onTestFinished(() => {
    fs.ftruncateSync = truncate;
    syncBuiltinESMExports();
  });
  const file = new TempFile(folder);
  write(file);
  fs.ftruncateSync = () => {
    throw Object.assign(new Error("EIO: i/o error, ftruncate"), { code: "EIO" });
  };
  syncBuiltinESMExports();
  expect(() => file.clear()).toThrow(expect.objectContaining({ side: "spill" }));
  file.close();
});

test.runIf(process.platform !== "win32")("a file that replaced a temporary file is neither written nor removed", () => {
  knowName();
  whenMade(() => {
    rmSync(path);
    writeFileSync(path, "mine");
    chmodSync(path, 0o666);
  });
  const file = new TempFile(folder);
  write(file);
  const back = Buffer.alloc(4);
  expect([file.read(back, 0, 4, 0), back.toString(), readFileSync(path, "utf8")]).toEqual([4, "held", "mine"]);
  file.close();
  expect(readFileSync(path, "utf8")).toBe("mine");
});

function bodyOf(number: number): Uint8Array {
  const size = number % 50 === 49 ? 600_000 : (number * 977) % 9_000;
  return Uint8Array.from({ length: size }, (_, at) => (number * 31 + at) & 0xff);
}

test.each([
  ["all in the file", 0],
  ["the first in memory", 700_000],
  ["all in memory", 100_000_000],
])("bodies are returned unchanged: %s", (_what, memoryBytes) => {
  const bodies = new KeptBodies(memoryBytes);
  const kept: { position: number; body: Uint8Array }[] = [];
  for (let number = 0; number < 200; number++) {
    const body = bodyOf(number);
    kept.push({ position: bodies.keep(body), body });
    const { position, body: earlier } = kept[(number * 7) % kept.length]!;
    expect(Buffer.compare(bodies.read(position, earlier.length), earlier)).toBe(0);
  }
  for (const { position, body } of kept) expect(Buffer.compare(bodies.read(position, body.length), body)).toBe(0);
  bodies.close();
});

test("bytes of a body that are missing in the file are an error, not zeros", () => {
  const { readSync: read } = fs;
  onTestFinished(() => {
    fs.readSync = read;
    syncBuiltinESMExports();
  });
  const bodies = new KeptBodies(0, folder);
  onTestFinished(() => bodies.close());
  const position = bodies.keep(new Uint8Array(600_000));
  fs.readSync = () => 0;
  syncBuiltinESMExports();
  expect(() => bodies.read(position, 10)).toThrow("data that was written is missing");
});
