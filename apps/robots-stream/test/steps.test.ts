// Tests the script of docs/SCALE.md over eight logs with GNU parallel: its report equals that of one run, and each origin is requested
// once.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { appArguments, root, runApp } from "./run.ts";

const hasParallel = /GNU parallel/i.test(spawnSync("parallel", ["--version"], { encoding: "utf8" }).stdout ?? "");
const folder = makeFolder();
let requests = 0;
const servers = Array.from({ length: 6 }, (_, at) =>
  createServer((_request, response) => {
    requests++;
    if (at === 5) response.writeHead(404).end();
    else response.end(`User-agent: *\nDisallow: /${at}\nUser-agent: GPTBot\nDisallow: /\n`);
  }),
);
afterAll(() => {
  for (const server of servers) server.close();
});

const agents = ["GPTBot/1.2", "bingbot/2.0", "Googlebot/2.1", "Mozilla/5.0 Firefox/130.0", "SomeNewBot/0.1"];

test.skipIf(!hasParallel && process.env["CI"] === undefined)(
  "the report of the script equals that of one run, and each origin is requested once",
  { timeout: 300_000 },
  async () => {
    expect(hasParallel, "GNU parallel is not installed").toBe(true);
    await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))));
    const origins = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    mkdirSync(join(folder, "logs"));
    for (let file = 0; file < 8; file++) {
      const lines = Array.from({ length: 400 }, (_, at) => {
        const number = file * 400 + at;
        const url = `${origins[(number * 7) % origins.length]}/${number % 9}/${number % 31}?q=${number % 3}`;
        const time = new Date(Date.UTC(2026, 10, 1 + (number % 20), number % 24)).toISOString();
        return JSON.stringify({ url, user_agent: agents[number % agents.length], time, status: 200 });
      });
      writeFileSync(join(folder, "logs", `${file}.ndjson.gz`), gzipSync(`${lines.join("\n")}\nno record\n`));
    }
    const words = [process.execPath, ...appArguments].map((word) => `'${word}'`).join(" ");
    writeFileSync(join(folder, "robots-stream"), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
    const script = /```sh\n([\s\S]*?)```/.exec(readFileSync(join(root, "docs/SCALE.md"), "utf8"))![1]!;
    // The script is changed only by the permission to request loopback addresses.
    const allowed = script.replace("--parts 4", "--parts 4 --allow-private 127.0.0.0/8");
    expect(allowed).not.toBe(script);
    const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}`, ROBOTS_STREAM_CACHE: "none" };
    const child = spawn("sh", ["-c", allowed], { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr += String(chunk)));
    expect(await new Promise((resolve) => child.on("close", resolve)), stderr).toBe(0);
    expect(stderr).toContain("6 origins of 3200 records\n");
    expect(requests).toBe(origins.length);
    const logs = readdirSync(join(folder, "logs"))
      .toSorted()
      .map((name) => `logs/${name}`);
    const run = (args: readonly string[]): ReturnType<typeof runApp> => {
      const inFolder = [
        "--input-type=module",
        "-e",
        `process.chdir(${JSON.stringify(folder)}); process.argv.splice(1, 0, ${JSON.stringify(appArguments[0])}); await import(${JSON.stringify(appArguments[0])});`,
        "--",
      ];
      return runApp(args, "", { ROBOTS_STREAM_CACHE: "none" }, inFolder);
    };
    const whole = await run(["audit", ...logs, "--robots", "robots", "-o", "json"]);
    expect([whole.code, whole.stderr]).toEqual([0, ""]);
    const report = readFileSync(join(folder, "report.json"), "utf8");
    expect(report).toBe(whole.stdout);
    expect(report).toContain("violation");
    // Divide the logs in other ways, and merge the parts in reverse order.
    for (const sizes of [
      [1, 7],
      [3, 3, 2],
      [4, 4],
    ]) {
      let at = 0;
      const parts = await Promise.all(
        sizes.map(async (size, number) => {
          const part = `part-${sizes.join("-")}-${number}.json`;
          await run([
            "audit",
            ...logs.slice(at, (at += size)),
            "--robots",
            "robots",
            "-o",
            "json",
            "--output-file",
            part,
          ]);
          return part;
        }),
      );
      expect((await run(["merge", ...parts.toReversed(), "-o", "json"])).stdout).toBe(whole.stdout);
    }
    expect(requests).toBe(origins.length);
  },
);
