// Tests scripts/dev.mjs and its modules in processes of their own: the lock, the start of programs, and the check of Node's version.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkout } from "./workspace.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bootstrap-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a module's source, which may import "dev:<file>" from scripts/dev. `onOutput` receives all output so far. */
function runModule(text: string, onOutput: (stdout: string, pid: number) => void = () => {}): Promise<Ending> {
  const source = text.replaceAll(/"dev:([\w.]+)"/gu, (_all, file: string) =>
    JSON.stringify(pathToFileURL(join(checkout, "scripts/dev", file)).href),
  );
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", source], {
      stdio: ["ignore", "pipe", "pipe"],
      // A process group of its own: in the terminal's group, `run` would take the SIGINT for a Ctrl-C, which it does not forward.
      detached: process.platform !== "win32",
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      stdout += piece;
      if (child.pid !== undefined) onOutput(stdout, child.pid);
    });
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      stderr += piece;
    });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** The id of a process that has just ended, so that no running process has it. */
function deadPid(): number {
  return spawnSync(process.execPath, ["--version"]).pid;
}

describe("withLock", () => {
  const job = (log: string, lock: string): string => `
    import { appendFileSync } from "node:fs";
    import { setTimeout as sleep } from "node:timers/promises";
    import { withLock } from "dev:lock.mjs";
    await withLock(async () => {
      appendFileSync(${JSON.stringify(log)}, "in " + process.pid + "\\n");
      await sleep(50);
      appendFileSync(${JSON.stringify(log)}, "out " + process.pid + "\\n");
    }, ${JSON.stringify(lock)});
  `;

  test.each([
    ["no process holds the lock", undefined],
    ["a dead process held the lock", () => String(deadPid())],
  ])("four processes run their jobs one at a time when %s", async (_what, content) => {
    const lock = join(folder, "lock");
    const log = join(folder, "log");
    if (content !== undefined) writeFileSync(lock, content());
    const endings = await Promise.all(Array.from({ length: 4 }, () => runModule(job(log, lock))));
    expect(endings.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const lines = readFileSync(log, "utf8").trim().split("\n");
    expect(lines).toHaveLength(8);
    for (let at = 0; at < lines.length; at += 2) {
      expect(lines[at + 1]).toBe(lines[at]?.replace("in ", "out "));
    }
  });

  test("the lock is released when the job fails", async () => {
    const lock = join(folder, "lock");
    const failing = `
      import { withLock } from "dev:lock.mjs";
      await withLock(() => { throw new Error("no"); }, ${JSON.stringify(lock)}).catch(() => {});
      await withLock(() => console.log("again"), ${JSON.stringify(lock)});
    `;
    expect((await runModule(failing)).stdout).toBe("again\n");
  });
});

describe("run", () => {
  test("returns the exit code", async () => {
    const text = `
      import { run } from "dev:run.mjs";
      process.exitCode = (await run(process.execPath, ["--eval", "process.exit(3)"])) + 10;
    `;
    expect((await runModule(text)).code).toBe(13);
  });

  test("quiet: the program's stdout goes to stderr", async () => {
    const text = `
      import { run } from "dev:run.mjs";
      await run(process.execPath, ["--eval", "console.log('talk')"], { quiet: true });
      console.log("answer");
    `;
    expect(await runModule(text)).toEqual({ code: 0, stdout: "answer\n", stderr: "talk\n" });
  });

  test("a missing program is a failure with a clear message", async () => {
    const text = `
      import { Failure, run } from "dev:run.mjs";
      await run("no-such-program-anywhere", []).catch((error) => console.log(error instanceof Failure));
    `;
    expect((await runModule(text)).stdout).toBe("true\n");
  });

  test.skipIf(process.platform === "win32").each(["SIGINT", "SIGTERM"] as const)(
    "forwards %s exactly once",
    async (signal) => {
      const child = `
        let count = 0;
        process.on("${signal}", () => {
          count += 1;
          if (count === 1) setTimeout(() => { console.log("got " + count); process.exit(99); }, 200);
        });
        setInterval(() => {}, 1000);
        console.log("ready");
      `;
      const text = `
        import { run } from "dev:run.mjs";
        process.exitCode = await run(process.execPath, ["--eval", ${JSON.stringify(child)}]);
      `;
      let sent = false;
      const ending = await runModule(text, (stdout, pid) => {
        if (sent || !stdout.includes("ready")) return;
        sent = true;
        process.kill(pid, signal);
      });
      expect(ending).toEqual({ code: 99, stdout: "ready\ngot 1\n", stderr: "" });
    },
  );
});

test.each([
  ["18.20.8", false],
  ["20.20.2", false],
  ["22.18.9", false],
  ["22.19.0", true],
  ["23.11.0", false],
  ["24.0.0", true],
  ["26.1.0", true],
])("Node %s fits: %s", async (version, fits) => {
  const text = `import { isFitting } from "dev:node.mjs"; console.log(isFitting("${version}"));`;
  expect((await runModule(text)).stdout).toBe(`${fits}\n`);
});

test("an unknown command is refused", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(checkout, "scripts/dev.mjs"), "tests"], {
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({ status: 64, stdout: "" });
  expect(stderr).toContain("usage: node scripts/dev.mjs <cli|test|");
});

test("after the build, each folder in which a start looks for a dist/ has one", async () => {
  const { stdout } = await runModule(
    'import { publishedFolders } from "dev:build.mjs"; console.log(publishedFolders().join("\\n"));',
  );
  const folders = stdout.trim().split("\n");
  expect(folders).toContain("packages/core");
  expect(folders.filter((each) => !existsSync(join(checkout, each, "dist/.tsbuildinfo")))).toEqual([]);
});
