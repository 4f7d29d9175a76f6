// The FTP transport against raw servers on loopback: the result of each reply or fault, and the addresses it connects to.
import { createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type FtpTransportOptions, createFtpTransport } from "./ftp.ts";
import { type Limits, limitsOf } from "../common/limits.ts";
import { type FtpScript, type RawFtpServer, startFtpServer } from "@robots-stream/raw-servers";
import type { Exchange } from "../common/types.ts";

const rules = "User-agent: *\nDisallow: /private\n";
const limits = limitsOf({ deadlineMs: 4_000, headersTimeoutMs: 2_000, connectTimeoutMs: 2_000 });

const ends: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map(async (end) => end()));
});

async function serve(script: FtpScript): Promise<RawFtpServer> {
  const server = await startFtpServer(script);
  ends.push(() => server.close());
  return server;
}

async function exchange(
  url: string,
  given: Partial<Limits> = {},
  options: FtpTransportOptions = {},
): Promise<Exchange> {
  const transport = createFtpTransport({ allowPrivate: ["127.0.0.1"], ...options });
  try {
    return await transport.exchange(url, { ...limits, ...given });
  } finally {
    await transport.close?.();
  }
}

const outcome = ({ response, failure }: Exchange): number | string => failure?.code ?? response?.status ?? "nothing";
const bodyOf = ({ response }: Exchange): string => Buffer.from(response?.body ?? []).toString("latin1");

test("a file is fetched anonymously, in binary and passive mode, with no other commands", async () => {
  const server = await serve({ file: rules });
  const got = await exchange(`${server.origin}/robots.txt`);
  expect([outcome(got), bodyOf(got), got.response?.truncated]).toEqual([200, rules, false]);
  expect(got.hops).toEqual([{ url: `${server.origin}/robots.txt`, status: 200 }]);
  expect(server.commands.filter((command) => command !== "QUIT")).toEqual([
    "USER anonymous",
    "PASS anonymous@",
    "TYPE I",
    "SIZE robots.txt",
    "EPSV",
    "RETR robots.txt",
  ]);
  await expect.poll(() => server.openConnections).toBe(0);
});

test("bytes are unchanged, and an empty file gives the status 200", async () => {
  const bytes = Uint8Array.from({ length: 3_000 }, (_, i) => (i * 7) & 255);
  const got = await exchange(`${(await serve({ file: bytes })).origin}/robots.txt`);
  expect(Buffer.from(got.response?.body ?? []).equals(Buffer.from(bytes))).toBe(true);
  expect(outcome(await exchange(`${(await serve({ file: "" })).origin}/robots.txt`))).toBe(200);
});

test("credentials in the URL are not sent", async () => {
  const server = await serve({ file: rules });
  const got = await exchange(`ftp://user:secret@127.0.0.1:${server.port}/robots.txt`);
  expect([outcome(got), server.commands.slice(0, 2)]).toEqual([200, ["USER anonymous", "PASS anonymous@"]]);
  expect(JSON.stringify(got)).not.toContain("secret");
});

test.each([
  [511_999, false],
  [512_000, false],
  [512_001, true],
  [3_000_000, true],
])("a file of %d bytes: truncated is %s", async (size, truncated) => {
  const server = await serve({ file: new Uint8Array(size).fill(65) });
  const { response } = await exchange(`${server.origin}/robots.txt`);
  expect([response?.body.length, response?.truncated]).toEqual([Math.min(size, 512_000), truncated]);
});

describe("answers and faults", () => {
  const refused: [what: string, script: FtpScript, outcome: number | string][] = [
    ["no such file", {}, "ftp-not-found"],
    ["no login", { file: rules, replies: { USER: "530 no anonymous login\r\n" } }, "ftp-refused"],
    ["550 in reply to the login", { file: rules, replies: { USER: "550 go away\r\n" } }, "ftp-refused"],
    ["a wrong password", { file: rules, replies: { PASS: "530 wrong\r\n" } }, "ftp-refused"],
    ["too many users", { file: rules, replies: { CONNECT: "421 too many\r\n" } }, "ftp-refused"],
    ["no passive mode", { file: rules, replies: { EPSV: "502 no\r\n", PASV: "502 no\r\n" } }, "ftp-refused"],
    ["450 for the file", { file: rules, replies: { RETR: "450 busy\r\n" } }, "ftp-refused"],
    ["no EPSV, but PASV", { file: rules, replies: { EPSV: "500 no\r\n" } }, 200],
    [
      "a banner of many lines",
      { file: rules, replies: { CONNECT: `220-hi\r\n${"220-x\r\n".repeat(2_000)}220 .\r\n` } },
      200,
    ],
    ["a banner without end", { file: rules, replies: { CONNECT: `220-${"x\r\n".repeat(100_000)}` } }, "protocol"],
    [
      "replies without end",
      { file: rules, replies: { RETR: (socket) => void socket.write("150 soon\r\n".repeat(100_000)) } },
      "headers-too-large",
    ],
    ["no FTP at all", { replies: { CONNECT: "HTTP/1.1 400 Bad Request\r\n\r\n" } }, "timeout"],
    ["closed at once", { replies: { CONNECT: (socket) => socket.end() } }, "closed"],
    ["reset at once", { replies: { CONNECT: (socket) => void socket.resetAndDestroy() } }, "reset"],
    ["closed in the middle", { file: rules, replies: { TYPE: (socket) => socket.end() } }, "incomplete"],
    ["silence", { replies: { CONNECT: () => undefined } }, "timeout"],
    ["silence after the login", { file: rules, replies: { RETR: () => undefined } }, "timeout"],
    ["data that stalls", { file: rules, onData: (data) => void data.write("User-agent") }, "timeout"],
    ["data cut off, and 426", { file: rules, onData: (data) => void data.resetAndDestroy() }, "incomplete"],
    ["SIZE unknown", { file: rules, replies: { SIZE: "500 what?\r\n" } }, 200],
    ["a reply to SIZE without a number", { file: rules, replies: { SIZE: "213 much\r\n" } }, 200],
  ];
  test.each(refused)("%s", async (_what, script, expected) => {
    const server = await serve(script);
    const got = await exchange(`${server.origin}/robots.txt`, { headersTimeoutMs: 400, deadlineMs: 1_200 });
    expect(outcome(got)).toBe(expected);
    await expect.poll(() => server.openConnections).toBe(0);
  });

  test("fewer bytes than SIZE announced, followed by 226", async () => {
    const server = await serve({
      file: rules,
      onData: (data, control) => data.end("User-agent: *\n", () => control.write("226 done\r\n")),
    });
    const got = await exchange(`${server.origin}/robots.txt`);
    expect([outcome(got), got.response]).toEqual(["incomplete", undefined]);
  });

  test("a refused connection gives connect-refused", async () => {
    const server = await serve({});
    await server.close();
    expect(outcome(await exchange(`${server.origin}/robots.txt`))).toBe("connect-refused");
  });

  test("an exchange that is aborted, and one whose signal has already aborted, give aborted", async () => {
    const server = await serve({ replies: { CONNECT: () => undefined } });
    const transport = createFtpTransport({ allowPrivate: true });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    expect(outcome(await transport.exchange(`${server.origin}/robots.txt`, limits, controller.signal))).toBe("aborted");
    expect(outcome(await transport.exchange(`${server.origin}/robots.txt`, limits, controller.signal))).toBe("aborted");
    await transport.close?.();
    await expect.poll(() => server.openConnections).toBe(0);
  });
});

describe("refused and simultaneous connections", () => {
  test.each(["PASV", "EPSV"])(
    "%s to another address or a port of another service is refused, and no connection is made",
    async (mode) => {
      let foreign = 0;
      const other = createServer(() => foreign++);
      await new Promise<void>((resolve) => other.listen(0, "127.0.0.2", resolve));
      ends.push(() => new Promise((resolve) => other.close(resolve)));
      const { port } = other.address() as { port: number };
      const pasv = `227 passive (127,0,0,2,${port >> 8},${port & 255})\r\n`;
      const replies =
        mode === "PASV" ? { EPSV: "500 no\r\n", PASV: pasv } : { EPSV: "229 (|||22|)\r\n", PASV: "502 no\r\n" };
      const server = await serve({ file: rules, replies });
      expect(outcome(await exchange(`${server.origin}/robots.txt`))).toBe("ftp-refused");
      expect([foreign, server.dataConnections]).toEqual([0, 0]);
    },
  );

  test.each(["ftp://127.0.0.1:PORT", "ftp://localhost:PORT", "ftp://inside.example:PORT"])("to %s", async (origin) => {
    const server = await serve({ file: rules });
    const url = `${origin.replace("PORT", String(server.port))}/robots.txt`;
    const lookup = () => Promise.resolve([{ address: "127.0.0.1", family: 4 } as const]);
    const got = await exchange(url, {}, { allowPrivate: false, lookup });
    expect([outcome(got), server.commands]).toEqual(["blocked-address", []]);
  });

  test("five exchanges at once all succeed; ftp through a proxy and http are refused", async () => {
    const server = await serve({ file: rules });
    const transport = createFtpTransport({ allowPrivate: true });
    const all = await Promise.all(
      Array.from({ length: 5 }, () => transport.exchange(`${server.origin}/robots.txt`, limits)),
    );
    expect(all.map(outcome)).toEqual([200, 200, 200, 200, 200]);
    await transport.close?.();
    const before = server.commands.length;
    const got = await exchange(`${server.origin}/robots.txt`, {}, { proxy: "http://127.0.0.1:9" });
    expect([outcome(got), server.commands.length]).toEqual(["ftp-unsupported", before]);
    expect(outcome(await exchange("http://127.0.0.1/robots.txt"))).toBe("scheme-unsupported");
  });
});
