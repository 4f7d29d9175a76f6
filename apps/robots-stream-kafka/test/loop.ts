// The baseline of bench.ts: copies the key, the value and the timestamp of the first messages of one topic into another, with nothing but
// the client library.
import { Consumer, Producer } from "@platformatic/kafka";

const [address = "", from = "", to = "", count = "0"] = process.argv.slice(2);
const consumer = new Consumer({ clientId: "loop", bootstrapBrokers: [address], groupId: `loop-${process.pid}` });
const producer = new Producer({ clientId: "loop", bootstrapBrokers: [address], idempotent: true });
const stream = await consumer.consume({
  topics: [from],
  mode: "earliest",
  maxBytes: 4 * 1_048_576,
  maxWaitTime: 500,
  autocommit: 1_000,
});
let left = Number(count);
let batch: { topic: string; key: Buffer; value: Buffer; timestamp: bigint }[] = [];
let bytes = 0;
const send = async (): Promise<void> => {
  const messages = batch;
  batch = [];
  bytes = 0;
  await producer.send({ messages });
};
for await (const { key, value, timestamp } of stream) {
  batch.push({ topic: to, key, value, timestamp });
  bytes += value.length + 64;
  left--;
  if (bytes >= 800_000 || left === 0) await send();
  if (left === 0) break;
}
await stream.close();
await consumer.close(true);
await producer.close();
