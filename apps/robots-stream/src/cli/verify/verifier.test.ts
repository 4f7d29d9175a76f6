// Look-ups of host names at a name server on loopback.
import { createSocket } from "node:dgram";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HostLookup } from "./verifier.ts";

/** The zone: names of addresses (PTR), and addresses of names (A). A name that is not in the zone does not exist. */
const zone: Readonly<Record<string, readonly string[] | "server-failure" | "silence">> = {
  "1.66.249.66.in-addr.arpa": ["crawl-66-249-66-1.googlebot.com"],
  "crawl-66-249-66-1.googlebot.com": ["66.249.66.1"],
  "9.114.0.203.in-addr.arpa": ["fake.googlebot.com"],
  "fake.googlebot.com": ["66.249.66.1"],
  "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.0.1.0.8.4.0.6.8.4.1.0.0.2.ip6.arpa": ["crawl-6.googlebot.com"],
  "8.114.0.203.in-addr.arpa": "server-failure",
  "7.114.0.203.in-addr.arpa": "silence",
};
const asked: string[] = [];
const socket = createSocket("udp4");
let lookup: HostLookup;

beforeAll(async () => {
  socket.on("message", (question, { port, address }) => {
    const reply = replyTo(question);
    if (reply !== undefined) socket.send(reply, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  lookup = new HostLookup({ servers: [`127.0.0.1:${socket.address().port}`], timeoutMs: 100 });
});

afterAll(async () => {
  lookup.close();
  await new Promise<void>((resolve) => socket.close(resolve));
});

test("names are resolved back to their address, and each address is looked up once", async () => {
  const unknown = Array.from({ length: 200 }, (_, index) => `198.51.100.${index}`);
  const addresses = [
    "66.249.66.1",
    "203.0.114.9",
    "203.0.114.8",
    "203.0.114.7",
    "-",
    ...unknown,
    "2001:4860:4801:10::1",
  ];
  await lookup.find(addresses);
  await lookup.find([...addresses, "66.249.66.1:443", "[2001:4860:4801:0010::1]:80", "::ffff:66.249.66.1"]);
  expect(lookup.findingOf("66.249.66.1:80")).toBe(lookup.findingOf("66.249.66.1"));
  expect(addresses.slice(0, 6).map((address) => lookup.findingOf(address))).toEqual([
    { isAnswered: true, hosts: ["crawl-66-249-66-1.googlebot.com"], askedAtMs: expect.any(Number) },
    { isAnswered: true, hosts: [], askedAtMs: expect.any(Number) },
    { isAnswered: false },
    { isAnswered: false },
    { isAnswered: true, hosts: [], askedAtMs: expect.any(Number) },
    { isAnswered: true, hosts: [], askedAtMs: expect.any(Number) },
  ]);
  expect(asked).toContain("crawl-6.googlebot.com");
  expect(lookup.asked).toBe(addresses.length);
  expect(asked.filter((name) => name === "1.66.249.66.in-addr.arpa")).toHaveLength(1);
  expect(lookup.findingOf("192.0.2.1")).toBeUndefined();
});

/** The response to a question; undefined: no response. */
function replyTo(question: Buffer): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at]!; length > 0; length = question[at]!) {
    labels.push(question.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  const name = labels.join(".").toLowerCase();
  asked.push(name);
  const end = at + 5;
  const answer = zone[name] ?? [];
  if (answer === "silence") return undefined;
  const head = Buffer.from(question.subarray(0, end));
  const answers = typeof answer === "string" ? [] : answer.map((each) => recordOf(each));
  head.writeUInt16BE(0x8180 | (answer === "server-failure" ? 2 : answers.length === 0 ? 3 : 0), 2);
  head.writeUInt16BE(answers.length, 6);
  // The response has no additional records, because the EDNS record of the question is not copied into it.
  head.writeUInt16BE(0, 10);
  return Buffer.concat([head, ...answers]);
}

/** A record for the name in the question: an address (A), or a host name (PTR). */
function recordOf(value: string): Buffer {
  const isAddress = /^[\d.]+$/.test(value);
  const data = isAddress
    ? Buffer.from(value.split(".").map(Number))
    : Buffer.concat([
        ...value.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
        Buffer.from([0]),
      ]);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(isAddress ? 1 : 12, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
