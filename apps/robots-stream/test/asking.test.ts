// Tests the flags about requests in runs against loopback servers: each flag changes a request or a decision.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type RawReply,
  type RawServer,
  createCertificate,
  responseOf,
  startRawServer,
} from "@robots-stream/raw-servers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { recordsOf } from "./run.ts";

const rules = "User-agent: *\nDisallow: /private\n";
const servers: RawServer[] = [];
const folder = makeFolder();
let tls: { key: string; cert: string };
beforeAll(() => {
  tls = createCertificate();
  writeFileSync(join(folder, "ca.pem"), tls.cert);
  writeFileSync(join(folder, "no.pem"), "no certificate");
});
afterAll(async () => {
  await Promise.all(servers.map(async (server) => server.close()));
});

async function serve(reply: RawReply, certificate?: typeof tls): Promise<RawServer> {
  const server = await startRawServer(reply, certificate);
  servers.push(server);
  return server;
}

const answer = (stdout: string): unknown => recordsOf(stdout)[0]?.["robots"];
const asked = (origin: string, ...flags: string[]) =>
  runHere(["--agent", "bingbot", ...flags], `${origin}/private/x\n`);
const all = "--allow-private";

test("--ca, --insecure-tls", async () => {
  const { origin } = await serve((socket) => socket.end(responseOf(200, {}, rules)), tls);
  expect(answer((await asked(origin, all)).stdout)).toMatchObject({ because: "unreachable", code: "tls-untrusted" });
  const trusted = await asked(origin, all, "--ca", join(folder, "ca.pem"));
  expect([answer(trusted.stdout), trusted.stderr]).toMatchObject([{ because: "rule", line: 2 }, ""]);
  const insecure = await asked(origin, all, "--insecure-tls");
  expect(answer(insecure.stdout)).toMatchObject({ because: "rule", line: 2 });
  expect(insecure.stderr).toMatch(/^robots-stream: --insecure-tls: certificates are not checked.*\n$/);
});

test.each([
  [["--ca", "no.pem"], "holds no certificate in PEM"],
  [["--ca", "nowhere.pem"], "no such file or directory (ENOENT)"],
  [["--proxy", "socks5://me:hush@h:1"], "--proxy: the scheme of a proxy must be http or https, not socks5:"],
  [["--proxy", "http://me:hush@:1"], "--proxy is not the URL of a proxy"],
])("%j is wrong usage, and no row is written", async ([flag = "", value = ""], message) => {
  const given = flag === "--ca" ? join(folder, value) : value;
  const { code, stdout, stderr } = await asked("http://127.0.0.1:9", all, flag, given);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("hush");
});

test("--allow-private with a list", async () => {
  const { origin, requests } = await serve((socket) => socket.end(responseOf(200, {}, rules)));
  const blocked = await asked(origin, "--allow-private", "10.0.0.0/8");
  expect(answer(blocked.stdout)).toMatchObject({ code: "blocked-address" });
  expect(blocked.stderr).toMatch(
    /^robots-stream: origins with private addresses are requested only with --allow-private:.*\n$/,
  );
  expect(requests).toHaveLength(0);
  expect(answer((await asked(origin, "--allow-private=10.0.0.0/8,127.0.0.0/8")).stdout)).toMatchObject({ line: 2 });
});

test("--proxy, and the proxy of the environment", async () => {
  const proxy = await serve((socket, { path }) =>
    socket.end(path.startsWith("http://shop.example/") ? responseOf(200, {}, rules) : responseOf(500)),
  );
  const url = proxy.origin.replace("//", "//me:hush@");
  const byFlag = await asked("http://shop.example", "--proxy", url);
  expect([answer(byFlag.stdout), byFlag.stderr]).toMatchObject([{ because: "rule" }, ""]);
  const input = "http://shop.example/private/x\n";
  const byVariable = await runHere(["--agent", "bingbot"], input, { http_proxy: url });
  expect(answer(byVariable.stdout)).toMatchObject({ because: "rule" });
  expect(byVariable.stdout + byVariable.stderr + byFlag.stdout).not.toContain("hush");
  const before = proxy.requests.length;
  const direct = await runHere(["--agent", "bingbot", "--proxy", "none"], "http://127.0.0.1:8/\n", { http_proxy: url });
  expect(answer(direct.stdout)).toMatchObject({ code: "blocked-address" });
  expect(proxy.requests).toHaveLength(before);
  const wrong = await runHere(["--agent", "bingbot"], input, { ALL_PROXY: "socks5://me:hush@h:1" });
  expect([wrong.code, wrong.stdout]).toEqual([2, ""]);
  expect(wrong.stderr).toMatch(/^robots-stream: ALL_PROXY: /);
});

test("--access-policy, --soft-404", async () => {
  const { origin } = await serve((socket) => socket.end(responseOf(429)));
  expect(answer((await asked(origin, all)).stdout)).toMatchObject({ because: "unreachable", code: "http-429" });
  const rfc = await asked(origin, all, "--access-policy", "rfc9309");
  expect(answer(rfc.stdout)).toMatchObject({ because: "unavailable", code: "http-429" });
  const broken = await serve((socket) => socket.end(responseOf(500, {}, "<html><title>404 Not Found</title>")));
  expect(answer((await asked(broken.origin, all)).stdout)).toMatchObject({ allowed: false, code: "http-500" });
  const soft = await asked(broken.origin, all, "--soft-404");
  expect(answer(soft.stdout)).toMatchObject({ allowed: true, because: "unavailable", code: "soft-404" });
});

test("a redirect from https to http is reported", async () => {
  const plain = await serve((socket) => socket.end(responseOf(200, {}, rules)));
  const secure = await serve((socket) => socket.end(responseOf(302, { location: `${plain.origin}/r.txt` })), tls);
  const flags = [all, "--ca", join(folder, "ca.pem")];
  const { stdout, stderr } = await asked(secure.origin, ...flags, "--summary");
  expect(answer(stdout)).toMatchObject({ because: "rule" });
  expect(stderr).toContain("\n  downgraded  1\n");
  const explained = await runHere(["explain", `${secure.origin}/x`, "--agent", "bingbot", ...flags]);
  expect(explained.stdout).toContain(`${plain.origin}/r.txt: 200, from https to http`);
});

test("--retry-wait, --max-redirects, --max-header-bytes, --headers-timeout", async () => {
  const busy = await serve((socket, { index }) =>
    socket.end(index === 0 ? responseOf(503, { "retry-after": "1" }) : responseOf(200, {}, rules)),
  );
  expect(answer((await asked(busy.origin, all, "--retry-wait", "0")).stdout)).toMatchObject({ code: "http-503" });
  expect(answer((await asked(busy.origin, all)).stdout)).toMatchObject({ because: "rule" });
  const moved = await serve((socket) => socket.end(responseOf(301, { location: "/elsewhere" })));
  expect(answer((await asked(moved.origin, all, "--max-redirects", "0")).stdout)).toMatchObject({
    code: "redirect-limit",
  });
  const wordy = await serve((socket) => socket.end(responseOf(200, { "x-words": "w".repeat(2_000) }, rules)));
  const short = await asked(wordy.origin, all, "--max-header-bytes", "1k");
  expect(answer(short.stdout)).toMatchObject({ code: "headers-too-large" });
  const silent = await serve(() => undefined);
  expect(answer((await asked(silent.origin, all, "--headers-timeout", "0.1")).stdout)).toMatchObject({
    code: "timeout",
  });
});
