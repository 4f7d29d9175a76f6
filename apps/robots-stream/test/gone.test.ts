// Tests what the app does when the machine's network fails: it runs in a network namespace without interfaces, which sends no packets.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { IoError } from "@robots-stream/engine";
import { createNetworkWatch } from "../src/cli/network/network.ts";
import { appArguments, recordsOf, root } from "./run.ts";

describe("the watch", () => {
  test("any response shows that the network is up", () => {
    const watch = createNetworkWatch();
    const take = (i: number): void => watch.take(i % 100 === 99 ? "dns-not-found" : "network-unreachable");
    for (let i = 0; i < 5_000; i++) expect(() => take(i)).not.toThrow();
  });

  test("a hundred suspicious codes in a row show that the network is down", () => {
    const watch = createNetworkWatch();
    for (let i = 0; i < 99; i++) watch.take(i % 2 === 0 ? "dns-failed" : "network-unreachable");
    expect(() => watch.take("dns-timeout")).toThrow(IoError);
  });
});

const isolating = ["-rn", "--"];
const canIsolate = spawnSync("unshare", [...isolating, process.execPath, "--version"]).status === 0;

test.skipIf(!canIsolate)("without packets the run ends with exit code 3 instead of disallowing all", async () => {
  const app = [process.execPath, ...appArguments, "--agent", "bingbot", "--allow-private", "--cache", "none"];
  const child = spawn("unshare", [...isolating, ...app], { cwd: root, stdio: "pipe" });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on("error", () => undefined);
  const origins = Array.from({ length: 2_000 }, (_, i) => `http://127.0.${i >> 8}.${i & 255}:8080/x\n`);
  child.stdin.end(origins.join(""));
  const [code] = (await once(child, "close")) as [number | null];
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining("none of the last 100 origins could be reached") as string,
  ]);
  expect(recordsOf(stdout).length).toBeLessThan(1_000);
});
