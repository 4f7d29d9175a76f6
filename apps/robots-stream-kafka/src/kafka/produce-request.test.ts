// Compares the bytes of a produce request with those of the client library's own encoder.
import { produceV9, produceV11, Reader, readRecordsBatches } from "@platformatic/kafka";
import { describe, expect, test } from "vitest";
import { type ProducedMessage, type ProduceOptions, ProduceRequests } from "./produce-request.ts";

type Library = (acks: number, timeout: number, messages: unknown[], options: unknown) => { readonly buffer: Buffer };

const whole = (value: ProducedMessage["value"]): Buffer | undefined =>
  value === null || value === undefined ? undefined : Buffer.isBuffer(value) ? value : Buffer.concat(value);

/** The request as encoded by the library. */
function libraryBytes(
  { createRequest }: { readonly createRequest: unknown },
  messages: readonly ProducedMessage[],
  options: ProduceOptions,
): Buffer {
  const given = messages.map((message) => ({ ...message, value: whole(message.value) }));
  return (createRequest as Library)(-1, 5_000, given, options).buffer;
}

const message = (more: Partial<ProducedMessage> = {}): ProducedMessage => ({
  topic: "out",
  partition: 0,
  key: Buffer.from("key"),
  value: Buffer.from("value"),
  timestamp: 1_700_000_000_000n,
  ...more,
});
const none = Buffer.alloc(0);
const times = (count: number, one: (at: number) => ProducedMessage): ProducedMessage[] =>
  Array.from({ length: count }, (_, at) => one(at));

const cases: [what: string, messages: readonly ProducedMessage[]][] = [
  ["one message", [message()]],
  ["neither key nor value", [message({ key: undefined, value: undefined })]],
  ["null for key and value", [message({ key: null, value: null })]],
  ["empty key and value", [message({ key: none, value: none })]],
  ["a value in parts", [message({ value: [Buffer.from("a\n"), none, Buffer.from("b\n"), Buffer.from("c")] })]],
  ["a value without parts", [message({ value: [] })]],
  [
    "headers whose names repeat",
    [
      message({
        headers: new Map([
          [Buffer.from("a"), Buffer.from("1")],
          [Buffer.from("a"), null],
          [none, none],
        ]),
      }),
    ],
  ],
  ["no headers", [message({ headers: new Map() })]],
  ["several topics and partitions", times(12, (at) => message({ topic: `out-${at % 2}`, partition: at >> 2 }))],
  ["a topic name with letters of several bytes", [message({ topic: "ausgänge" })]],
  ["timestamps that go backwards", times(5, (at) => message({ timestamp: [900n, 1n, 0n, -1n, 2n ** 30n][at]! }))],
  ["indexes that need another byte", times(300, (at) => message({ value: Buffer.alloc(at) }))],
  [
    "value lengths that need another byte",
    [63, 64, 8_191, 8_192, 1_048_575, 1_048_576].map((size) => message({ value: Buffer.alloc(size, 97) })),
  ],
];

/** The timestamps of the messages in a request for one partition. */
function timesIn(body: Buffer): bigint[] {
  const reader = Reader.from(body);
  reader.readNullableString();
  reader.readInt16();
  reader.readInt32();
  const partitions = reader.readArray((topics) => {
    topics.readString();
    return topics.readArray((each) => {
      each.readInt32();
      const size = each.readUnsignedVarInt() - 1;
      const batches = readRecordsBatches(Reader.from(each.buffer.subarray(each.position, each.position + size)));
      each.skip(size);
      return batches;
    });
  });
  const [batch] = partitions[0]![0]!;
  return batch!.records.map(({ timestampDelta }) => batch!.firstTimestamp + timestampDelta);
}

describe("produce requests", () => {
  test.for(cases)("the bytes are those of the library: %s", ([, messages]) => {
    const sequences = new Map([["out:0", 41]]);
    const all: ProduceOptions[] = [
      {},
      {
        producerId: 2n ** 40n,
        producerEpoch: 7,
        sequences: { getWithDefault: (partition, otherwise) => sequences.get(partition) ?? otherwise },
      },
    ];
    const requests = new ProduceRequests();
    for (const options of all)
      for (const library of [produceV9, produceV11]) {
        const bytes = requests.encode(-1, 5_000, messages, options);
        expect(bytes.equals(libraryBytes(library, messages, options))).toBe(true);
      }
  });

  // Not compared with the library, whose encoder writes wrong timestamps in this case.
  test("timestamps more than 2^31 milliseconds apart can be read back", () => {
    const given = [0n, 2n ** 31n, -(2n ** 31n) - 1n, 2n ** 40n, -(2n ** 53n), 2n ** 62n, -(2n ** 62n), 7n];
    const body = new ProduceRequests().encode(
      -1,
      0,
      given.map((timestamp) => message({ timestamp })),
      {},
    );
    expect(timesIn(body)).toEqual(given);
  });

  test("returned memory is reused, except the memory of large requests", () => {
    const requests = new ProduceRequests();
    const encode = (size: number): Buffer => requests.encode(-1, 5_000, [message({ value: Buffer.alloc(size) })], {});
    const [first, second] = [encode(100_000), encode(100_000)];
    expect(second.buffer).not.toBe(first.buffer);
    requests.giveBack(first);
    const large = encode(3_000_000);
    requests.giveBack(large);
    expect(encode(3_000_000).buffer).not.toBe(large.buffer);
    expect(encode(50_000).buffer).toBe(first.buffer);
  });
});
