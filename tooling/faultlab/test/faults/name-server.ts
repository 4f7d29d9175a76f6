// A UDP name server on loopback (RFC 1035 §4) with a chosen response per name, including responses that no real server sends.
import { createSocket } from "node:dgram";
import { type Lookup, createDirectLookup } from "@robots-stream/fetch/transports";

/** A response: addresses valid for `ttl` seconds, an error, a name without addresses, or no response at all. */
export type NameAnswer =
  | { readonly addresses: readonly string[]; readonly ttl?: number }
  | "no-such-name"
  | "server-failure"
  | "refused"
  | "no-address"
  | "garbage"
  | "silence";

/** A name server that runs until `close`. */
export interface NameServer {
  /** The address in the form "127.0.0.1:port". */
  readonly address: string;
  /** The names of all received questions, in order. */
  readonly asked: readonly string[];
  /** A lookup that uses only this server. */
  readonly lookup: Lookup;
  close(): Promise<void>;
}

const errors: Readonly<Record<string, number>> = { "server-failure": 2, "no-such-name": 3, refused: 5 };

/** Starts a name server; `answer` gets the name and the number of earlier questions for it. */
export async function startNameServer(
  answer: (name: string, times: number) => NameAnswer,
  timeoutMs = 1_500,
): Promise<NameServer> {
  const asked: string[] = [];
  const times = new Map<string, number>();
  const socket = createSocket("udp4");
  socket.on("message", (question, { port, address }) => {
    const name = nameIn(question);
    const before = times.get(name) ?? 0;
    times.set(name, before + 1);
    asked.push(name);
    const reply = replyTo(question, answer(name, before));
    if (reply !== undefined) socket.send(reply, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const at = `127.0.0.1:${socket.address().port}`;
  const lookup = createDirectLookup({ servers: [at], hostsFile: "/dev/null", ipv6: false, timeoutMs });
  return {
    address: at,
    asked,
    lookup,
    close() {
      lookup.close?.();
      return new Promise((resolve) => socket.close(resolve));
    },
  };
}

/** The name of the first question, which begins at octet 12: labels, each preceded by its length. */
function nameIn(question: Buffer): string {
  const labels: string[] = [];
  let at = 12;
  for (let size = question[at] ?? 0; size > 0; size = question[at] ?? 0) {
    labels.push(question.toString("latin1", at + 1, at + 1 + size));
    at += 1 + size;
  }
  return labels.join(".").toLowerCase();
}

function replyTo(question: Buffer, answer: NameAnswer): Buffer | undefined {
  if (answer === "silence") return undefined;
  if (answer === "garbage") return Buffer.alloc(40, 0xa5);
  // The question ends after the name's zero octet, type and class. The octets behind it (EDNS) are not echoed.
  const end = question.indexOf(0, 12) + 5;
  const reply = Buffer.from(question.subarray(0, end));
  const addresses = typeof answer === "string" ? [] : answer.addresses;
  reply.writeUInt16BE(0x8180 | (typeof answer === "string" ? (errors[answer] ?? 0) : 0), 2);
  reply.writeUInt16BE(addresses.length, 6);
  reply.writeUInt16BE(0, 8);
  reply.writeUInt16BE(0, 10);
  const ttl = typeof answer === "string" ? 0 : (answer.ttl ?? 0);
  return Buffer.concat([reply, ...addresses.map((address) => record(address, ttl))]);
}

/** An A record for the question's name. */
function record(address: string, ttl: number): Buffer {
  const head = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]);
  head.writeUInt32BE(ttl, 6);
  return Buffer.concat([head, Buffer.from(address.split(".").map(Number))]);
}
