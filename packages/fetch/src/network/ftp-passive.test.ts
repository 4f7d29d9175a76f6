// Replies to EPSV and PASV: the data connection only goes to the control connection's address and a port above 1023.
import { type Server, Socket, createServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createFtpTransport } from "./ftp.ts";
import { limitsOf } from "../common/limits.ts";
import { type FtpReply, type FtpScript, type RawFtpServer, startFtpServer } from "@robots-stream/raw-servers";

const rules = "User-agent: *\nDisallow: /private\n";
const stolen = "User-agent: *\nDisallow: /stolen\n";
const limits = limitsOf({ deadlineMs: 20_000, headersTimeoutMs: 10_000, connectTimeoutMs: 10_000 });

/** Addresses of services to which no reply of a server on 127.0.0.1 may lead the client. */
const elsewhere = ["127.0.0.2", "127.1.2.3"];
const reached: string[] = [];
const dialled: string[] = [];
let victims: Server[] = [];
let victimPort = 0;

function listen(host: string, port: number): Promise<Server> {
  const server = createServer((socket) => {
    reached.push(`${host}:${socket.localPort}`);
    socket.on("error", () => undefined);
    socket.end(stolen);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
}

beforeAll(async () => {
  const [first, ...others] = elsewhere;
  const server = await listen(first!, 0);
  victimPort = (server.address() as { port: number }).port;
  victims = [server, ...(await Promise.all(others.map((host) => listen(host, victimPort))))];
  // Only root can listen on ports below 1024. For other users, the test relies on the recorded dialled ports.
  for (const port of lowPorts)
    victims.push(
      ...(await listen("127.0.0.1", port).then(
        (one) => [one],
        () => [],
      )),
    );
  const { connect } = Socket.prototype;
  vi.spyOn(Socket.prototype, "connect").mockImplementation(function (this: Socket, ...given: unknown[]) {
    const [to] = (Array.isArray(given[0]) ? given[0] : given) as [{ host?: string; port?: number }];
    dialled.push(`${to.host}:${to.port}`);
    return Reflect.apply(connect, this, given) as Socket;
  });
});

afterAll(async () => {
  vi.restoreAllMocks();
  await Promise.all(victims.map((server) => new Promise((resolve) => server.close(resolve))));
});

const lowPorts = [80, 880];

const servers: RawFtpServer[] = [];
afterEach(async () => {
  dialled.length = reached.length = 0;
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Makes one exchange with a server that sends these replies. Returns the failure's code or the file. */
async function outcomeOf(replies: FtpScript["replies"]): Promise<string> {
  const server = await startFtpServer({ file: rules, ...(replies === undefined ? {} : { replies }) });
  servers.push(server);
  const transport = createFtpTransport({ allowPrivate: ["127.0.0.1"] });
  const { response, failure } = await transport.exchange(`${server.origin}/robots.txt`, limits);
  await transport.close?.();
  return failure?.code ?? Buffer.from(response?.body ?? []).toString("latin1");
}

/**
 * Forbidden connections: connections dialled to another address than the server's or to a port below 1024, and connections that reached
 * another service.
 */
const astray = (): string[] => [
  ...dialled.filter((place) => !place.startsWith("127.0.0.1:") || !(Number(place.slice(10)) >= 1_024)),
  ...reached.map((place) => `reached ${place}`),
];

/** A port as the two numbers of a PASV reply. */
const split = (port: number): string => `${port >> 8},${port & 255}`;
const pasv = (reply: string): FtpScript["replies"] => ({ EPSV: "500 no\r\n", PASV: `${reply}\r\n` });
const epsv = (reply: string): FtpScript["replies"] => ({ EPSV: `${reply}\r\n`, PASV: "502 no\r\n" });

describe("replies with another address or a low port end the exchange", () => {
  const to = (host: string): string => `${host.replaceAll(".", ",")},${split(victimPort)}`;
  const own = "127,0,0,1,4,1";
  test.each<[what: string, replies: () => FtpScript["replies"]]>([
    ["PASV with 200", () => pasv(`200 Entering (${to("127.0.0.2")})`)],
    ["PASV with 228", () => pasv(`228 Entering (${to("127.0.0.2")})`)],
    ["PASV with 229", () => pasv(`229 Entering (${to("127.0.0.2")})`)],
    ["PASV with 150", () => pasv(`150 Entering (${to("127.0.0.2")})`)],
    ["PASV with 227 to another address", () => pasv(`227 Entering (${to("127.0.0.2")})`)],
    ["PASV to this network", () => pasv("200 Entering (0,0,0,0,16,1)")],
    ["PASV, a tuple with a negative number before one that fits", () => pasv(`227 (127,0,0,2,4,-255) (${own})`)],
    ["PASV, a negative port of a service", () => pasv(`227 (127,0,0,1,0,-176) (${own})`)],
    ["PASV, a negative number in an address", () => pasv(`227 (127,0,-0,2,${split(victimPort)}) (${own})`)],
    ["PASV, numbers over 255", () => pasv("227 (127,0,0,1,256,336)")],
    ["PASV with 200 to a port of a service", () => pasv("200 (127,0,0,1,3,112)")],
    ["EPSV (!!!880!)", () => epsv("229 (!!!880!)")],
    ["EPSV (||| 880|)", () => epsv("229 (||| 880|)")],
    ["EPSV (|||880x|)", () => epsv("229 (|||880x|)")],
    ["EPSV (|||+880|)", () => epsv("229 (|||+880|)")],
    ["EPSV (|!|880|) (|||2000|)", () => epsv("229 (|!|880|) (|||2000|)")],
    ["EPSV with 200", () => epsv("200 (!!!880!)")],
  ])("%s", async (_what, replies) => {
    const came = await outcomeOf(replies());
    const control = servers.map(({ port }) => `127.0.0.1:${port}`);
    expect({ came, dialled, reached }).toEqual({ came: "ftp-refused", dialled: control, reached: [] });
  });
});

describe("replies with a port of the server itself are used", () => {
  const open =
    (reply: (port: number) => string): FtpReply =>
    (control, server) => {
      void server.openData().then((port) => control.write(`${reply(port)}\r\n`));
    };
  test.each<[what: string, replies: FtpScript["replies"]]>([
    ["EPSV", { EPSV: open((port) => `229 Entering Extended Passive Mode (|||${port}|)`) }],
    ["EPSV, a full stop", { EPSV: open((port) => `229 Extended Passive mode OK (|||${port}|).`) }],
    ["EPSV, as OS/400 writes it", { EPSV: open((port) => `229 Entering (!!!${port}!)`) }],
    ["PASV", { EPSV: "500 no\r\n", PASV: open((port) => `227 Entering Passive Mode (127,0,0,1,${split(port)}).`) }],
    ["PASV without parentheses", { EPSV: "500 no\r\n", PASV: open((port) => `227 127,0,0,1,${split(port)}`) }],
    ["PASV with =", { EPSV: "502 no\r\n", PASV: open((port) => `227 Entering =127,0,0,1,${split(port)}`) }],
    // After the failed connection, PASV is tried: a port without a server looks the same as a firewall.
    ["EPSV to a port without a server", { EPSV: "229 (|||1024|)\r\n" }],
  ])("%s", async (_what, replies) => {
    expect([await outcomeOf(replies), astray()]).toEqual([rules, []]);
  });
});

/** Pseudo-random numbers, the same in every run (Numerical Recipes' constants). */
function* numbersFrom(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

interface Generated {
  readonly mode: "EPSV" | "PASV";
  readonly reply: (port: number) => string;
}

/** Combines reply codes, addresses, signs, delimiters and line breaks at random. */
function generate(count: number): Generated[] {
  const random = numbersFrom(9_309);
  const pick = <T>(from: readonly T[]): T => from[(random.next().value as number) % from.length]!;
  return Array.from({ length: count }, () => {
    const mode = pick(["EPSV", "PASV"] as const);
    const code = pick(["227", "229", "200", "228", "150", "125", "299", "331", "2270", "127"]);
    const sign = pick(["", "", "-", "+", " ", "0", "-0"]);
    const tail = pick(["", "", "x", " ", ".5", "e0"]);
    const [a, b, c, d] = pick(["||||", "!!!!", "|!||", "###|", "   |", ",,,,", "----"]);
    const isLow = pick([true, false]);
    const host = pick(["127,0,0,2", "127,1,2,3", "127,0,0,1", "-127,0,0,2", "127,0,0,02", "0,0,0,0", "127,0,0,258"]);
    const second = pick(["", "", " (127,0,0,1,4,1)", " (|||2000|)", " 127,0,0,2,4,1"]);
    const wrap = pick<(line: string) => string>([
      (line) => line,
      (line) => line,
      (line) => line.replace(/[()]/g, ""),
      (line) => `${code}-Entering\r\n${line}`,
      (line) => `${code}-${line.slice(4)}\r\n${code} done`,
      (line) => `229-x\r\n ${line}\r\n229 (|||2000|)`,
      (line) => `200 soon\r\n${line}`,
    ]);
    return {
      mode,
      reply(victim) {
        const port = isLow ? 880 : victim;
        const low = `${sign}${port & 255}${tail}`;
        const text = mode === "PASV" ? `(${host},${port >> 8},${low})` : `(${a}${b}${c}${sign}${port}${tail}${d})`;
        return wrap(`${code} Entering ${text}${second}`);
      },
    };
  });
}

test.each(["229 Entering (|||4097|)", "227 Entering (127,0,0,1,16,1)"])(
  "%s in two pieces, wherever it is cut, leads to no forbidden connection",
  async (reply) => {
    const isExtended = reply.startsWith("229");
    await Promise.all(
      Array.from({ length: reply.length - 1 }, (_, at) => {
        const inPieces: FtpReply = (control) => {
          control.setNoDelay(true).write(reply.slice(0, at + 1));
          setTimeout(() => control.write(`${reply.slice(at + 1)}\r\n`), 20);
          setTimeout(() => control.end(), 200);
        };
        return outcomeOf(isExtended ? { EPSV: inPieces, PASV: "502 no\r\n" } : { EPSV: "500 no\r\n", PASV: inPieces });
      }),
    );
    expect(astray()).toEqual([]);
  },
);

test("replies sent before their commands do not choose the data connection", async () => {
  const early = "229 (|!|880|)\r\n227 (127,0,0,2,4,1)\r\n";
  const usual = { CONNECT: "220 in", USER: "331 go", PASS: "230 in", TYPE: "200 ok", SIZE: `213 ${rules.length}` };
  const scripts = Object.entries(usual).flatMap(([command, reply]) => [
    { [command]: `${reply}\r\n${early}` },
    { [command]: `${early}${reply}\r\n` },
  ]);
  await Promise.all(scripts.map(outcomeOf));
  expect(astray()).toEqual([]);
});

test("200 generated replies: only the control connection's address is dialled, and no port below 1024", async () => {
  await Promise.all(
    generate(200).map(({ mode, reply }) => {
      // Some texts are incomplete replies: the client would wait for the rest.
      const said: FtpReply = (control) => {
        control.write(`${reply(victimPort)}\r\n`);
        setTimeout(() => control.end(), 200);
      };
      return outcomeOf(mode === "EPSV" ? { EPSV: said, PASV: "502 no\r\n" } : { EPSV: "500 no\r\n", PASV: said });
    }),
  );
  expect(astray()).toEqual([]);
  // Every server received EPSV: no exchange ended before it.
  expect(servers.filter(({ commands }) => !commands.includes("EPSV"))).toEqual([]);
});
