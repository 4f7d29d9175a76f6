// Tests runs with a checkpoint that are killed at random moments and at changes of files, or reach a limit on file sizes, and are resumed.
// The final output must equal that of an uninterrupted run, byte for byte.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appArguments, root, runApp } from "./run.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
const kills = isThorough ? 50 : 5;

const isUnix = process.platform !== "win32" && existsSync("/bin/sh");

const folder = mkdtempSync(join(tmpdir(), "robots-stream-resume-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Code for the process: it reads sources slowly in small pieces, and kills itself at file change number DIE_AT. */
const hook = `
  import fs from "node:fs";
  import promises from "node:fs/promises";
  import { syncBuiltinESMExports } from "node:module";
  const { readSync, writeSync } = fs;
  const clock = new Int32Array(new SharedArrayBuffer(4));
  fs.readSync = (...args) => {
    // A read of this size reads a source. After such a slow read the reader yields to the event loop.
    if (args[3] === 65_536) {
      Atomics.wait(clock, 0, 0, 5);
      args[3] = 6_000;
    }
    return readSync(...args);
  };
  let left = Number(process.env.DIE_AT ?? 0);
  const step = () => {
    if (--left === 0) process.kill(process.pid, "SIGKILL");
  };
  fs.writeSync = (fd, buffer, from, length, position) => {
    // The process dies after writing half of the data.
    if (left === 1) writeSync(fd, buffer, from, length >> 1, position);
    step();
    return writeSync(fd, buffer, from, length, position);
  };
  const stepBefore = (object, name) => {
    const own = object[name];
    object[name] = function (...args) {
      step();
      return own.apply(this, args);
    };
  };
  for (const name of ["fdatasync", "ftruncateSync"]) stepBefore(fs, name);
  for (const name of ["open", "rename"]) stepBefore(promises, name);
  const handle = await promises.open(process.execPath);
  for (const name of ["writeFile", "sync", "close"]) stepBefore(Object.getPrototypeOf(handle), name);
  await handle.close();
  left = Number(process.env.DIE_AT ?? 0);
  syncBuiltinESMExports();`;

function start(args: readonly string[], dieAt = 0): ChildProcess & { readonly ended: Promise<Ended> } {
  const hooked = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, ...appArguments];
  const child = spawn(process.execPath, [...hooked, ...args], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, DIE_AT: String(dieAt), NODE_COMPILE_CACHE: `${root}.cache/compiled-tests` },
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, "close").then(([code, signal]) => ({ code: (code ?? signal) as Ended["code"], stderr }));
  return Object.assign(child, { ended });
}

interface Ended {
  readonly code: number | string;
  readonly stderr: string;
}

/** The arguments of a run whose output goes to files with this name. */
function filesOf(name: string) {
  const [output, rejects, checkpoint] = ["output", "rejects", "checkpoint"].map((what) =>
    join(folder, `${name.replaceAll(".", "-")}-${what}`),
  );
  const args = ["--output-file", output!, "--rejects", rejects!];
  return {
    args,
    keeping: [...args, "--checkpoint", checkpoint!, "--resume", "--summary"],
    output: output!,
    checkpoint: checkpoint!,
    written: () => [readFileSync(output!, "utf8"), readFileSync(rejects!, "utf8")],
  };
}

const saved = ["--agent", "bingbot", "--robots", "examples/robots"];
const hosts = ["shop", "news", "wiki", "down", "nobody"];
const urls = Array.from({ length: 6_000 }, (_, i) => `https://${hosts[i % 5]}.example/cart/${i}`);

const sources: readonly (readonly [name: string, text: string, args: readonly string[]])[] = [
  ["a.ndjson", urls.map((url, i) => `{"n":${i},"url":"${url}"}\n${i % 500 === 7 ? "oops\n" : ""}`).join(""), saved],
  [
    "a.csv",
    `url,text\n${urls.map((url, i) => `${url},"a ""b"" ${i % 50 === 3 ? "\n" : ""}${i}"\n${i % 500 === 7 ? 'x"y,\n' : ""}`).join("")}`,
    [...saved, "--output", "csv"],
  ],
];

describe.each(sources)("%s", (name, text, args) => {
  const source = join(folder, name);
  const whole = filesOf(`${name}.whole`);
  beforeAll(async () => {
    writeFileSync(source, text);
    await runApp([...args, ...whole.args, source]);
  });

  test(`kill -9 at ${kills} random moments`, { timeout: 300_000 }, async () => {
    const { keeping, written, output, checkpoint } = filesOf(`${name}.random`);
    const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const size = whole.written()[0]!.length;
    for (let killed = 0; killed < kills;) {
      const before = sizeOf(output);
      const until = before + ((size - before) / 3) * Math.random();
      const child = start([...args, ...keeping, source]);
      if (killed % 3 === 0) await delay(Math.random() * 400);
      else while (sizeOf(output) <= until && child.exitCode === null) await delay(1);
      child.kill("SIGKILL");
      const { code, stderr } = await child.ended;
      if (code === "SIGKILL") {
        killed++;
        continue;
      }
      // The run finished before the kill, so this attempt does not count.
      expect([code, stderr]).toEqual([0, expect.stringContaining("records       6012\n") as string]);
      expect(written()).toEqual(whole.written());
      rmSync(checkpoint);
      rmSync(output);
    }
    const { code, stderr } = await start([...args, ...keeping, source]).ended;
    expect([code, stderr]).toEqual([0, expect.stringContaining("records       6012\n") as string]);
    expect(written()).toEqual(whole.written());
  });

  test.skipIf(!isUnix)("a limit on file sizes that is raised for each resumption", { timeout: 300_000 }, async () => {
    const { keeping, written } = filesOf(`${name}.limits`);
    for (const kilobytes of [100, 300, 500, 10_000]) {
      const limited = ["-c", `ulimit -f ${kilobytes * 2}; exec "$0" "$@"`, process.execPath, ...appArguments];
      const child = spawn("/bin/sh", [...limited, ...args, ...keeping, source], { cwd: root, stdio: "pipe" });
      child.stdout.resume();
      child.stderr.resume();
      const [code] = (await once(child, "close")) as [number | null];
      expect([kilobytes, code]).toEqual([kilobytes, kilobytes < 10_000 ? 3 : 0]);
    }
    expect(written()).toEqual(whole.written());
  });

  test("killed at every seventh change of a file, or at each in thorough runs", { timeout: 300_000 }, async () => {
    const { keeping, written, checkpoint } = filesOf(`${name}.steps`);
    let died = 0;
    for (let dieAt = 1; ; dieAt += isThorough ? 1 : 7) {
      const { code, stderr } = await start([...args, ...keeping, source], dieAt).ended;
      if (code === "SIGKILL") {
        died++;
        continue;
      }
      expect([code, stderr]).toEqual([0, expect.stringContaining("records       6012\n") as string]);
      break;
    }
    expect(died).toBeGreaterThan(5);
    expect(written()).toEqual(whole.written());
    // No temporary file of a half-written checkpoint is left.
    const { base, dir } = parse(checkpoint);
    expect(readdirSync(dir).filter((file) => file.startsWith(base))).toEqual([base]);
  });
});

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
