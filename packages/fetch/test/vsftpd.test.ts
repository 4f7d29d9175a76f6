// The FTP transport against a real server on loopback, vsftpd of Debian: its replies, its login, its passive mode.
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRobotsClient } from "@robots-stream/fetch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const program = "/usr/sbin/vsftpd";
// vsftpd must be started by root, because it drops its privileges itself: for other users these tests are skipped.
const isRoot = process.getuid?.() === 0;
const canRun = existsSync(program) && isRoot;
const isRequired = process.env["CI"] !== undefined && process.platform === "linux" && isRoot;

const rules = "User-agent: *\r\nDisallow: /private\r\n";
let folder = "";
let port = 0;
let closedPort = 0;
const children: ChildProcess[] = [];

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: found } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return found;
}

function isListening(at: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(at, "127.0.0.1");
    socket.on("connect", () => (socket.destroy(), resolve(true)));
    socket.on("error", () => resolve(false));
  });
}

async function start(name: string, more: readonly string[]): Promise<number> {
  const at = await freePort();
  const root = join(folder, name);
  mkdirSync(join(folder, "empty"), { recursive: true });
  mkdirSync(root);
  const config = [
    "listen=YES",
    "listen_ipv6=NO",
    "listen_address=127.0.0.1",
    `listen_port=${at}`,
    "background=NO",
    "local_enable=NO",
    `anon_root=${root}`,
    "ftp_username=ftp",
    "nopriv_user=nobody",
    `secure_chroot_dir=${join(folder, "empty")}`,
    "pasv_address=127.0.0.1",
    "seccomp_sandbox=NO",
    "xferlog_enable=NO",
    ...more,
  ];
  const path = join(folder, `${name}.conf`);
  writeFileSync(path, `${config.join("\n")}\n`);
  const child = spawn(program, [path], { stdio: "ignore" });
  children.push(child);
  while (child.exitCode === null && !(await isListening(at))) await new Promise((resolve) => setTimeout(resolve, 20));
  if (child.exitCode !== null) throw new Error(`vsftpd ended with ${child.exitCode}`);
  return at;
}

describe.skipIf(!canRun && !isRequired)("vsftpd", () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "robots-stream-vsftpd-"));
    // The server reads the folder as another user.
    chmodSync(folder, 0o755);
    port = await start("open", ["anonymous_enable=YES"]);
    writeFileSync(join(folder, "open", "robots.txt"), rules);
    closedPort = await start("closed", ["anonymous_enable=NO", "local_enable=YES"]);
  });
  afterAll(() => {
    for (const child of children) child.kill();
    if (folder !== "") rmSync(folder, { recursive: true, force: true });
  });

  test("is installed in CI", () => expect(canRun).toBe(true));

  test("a file is fetched and applied", async () => {
    const client = createRobotsClient({ allowPrivate: ["127.0.0.0/8"] });
    const loaded = await client.load(`ftp://127.0.0.1:${port}`);
    await client.close();
    expect([loaded.stored.code, Buffer.from(loaded.stored.body ?? []).toString()]).toEqual(["ok", rules]);
    expect(loaded.matcherOf("bingbot").decideTarget("/private/x").allowed).toBe(false);
    expect(loaded.stored.hops).toEqual([{ url: `ftp://127.0.0.1:${port}/robots.txt`, status: 200 }]);
  });

  test("a file longer than the limit is cut, and a missing file is unavailable", async () => {
    writeFileSync(join(folder, "open", "robots.txt"), rules.repeat(50_000));
    const client = createRobotsClient({ allowPrivate: true, limits: { maxBytes: 100_000 } });
    const long = await client.load(`ftp://127.0.0.1:${port}`);
    // The line that the limit cuts is no rule: only whole lines are kept.
    const whole = Math.floor(100_000 / rules.length) * rules.length;
    const kept = Buffer.from(long.stored.body ?? []).toString();
    expect([long.stored.code, long.stored.truncated, kept.endsWith("\n")]).toEqual(["ok", true, true]);
    expect([kept.length <= 100_000, kept.length >= whole]).toEqual([true, true]);
    await client.close();
    rmSync(join(folder, "open", "robots.txt"));
    const other = createRobotsClient({ allowPrivate: true });
    const missing = await other.load(`ftp://127.0.0.1:${port}`);
    expect([missing.stored.code, missing.access]).toEqual(["ftp-not-found", "unavailable"]);
    await other.close();
  });

  test("a server without anonymous login is unreachable", async () => {
    const client = createRobotsClient({ allowPrivate: true });
    const loaded = await client.load(`ftp://127.0.0.1:${closedPort}`);
    expect([loaded.stored.code, loaded.access]).toEqual(["ftp-refused", "unreachable"]);
    await client.close();
  });
});
