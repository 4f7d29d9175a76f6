// Encodes messages for one broker as the body of a produce request (versions 9 to 12), in memory that later requests reuse.
// The layout: https://kafka.apache.org/protocol, and "Record Batch" in https://kafka.apache.org/documentation/#messageformat
import { crc32c, Writer } from "@platformatic/kafka";

/** A message as the client library passes it to the encoder. */
export interface ProducedMessage {
  readonly topic: string;
  readonly partition: number;
  readonly key?: Buffer | null | undefined;
  /** The value, or its parts in order. */
  readonly value?: Buffer | readonly Buffer[] | null | undefined;
  readonly headers?: ReadonlyMap<Buffer, Buffer | null> | undefined;
  readonly timestamp: bigint;
}

/** Options that the client library passes with the messages. */
export interface ProduceOptions {
  readonly producerId?: bigint | undefined;
  readonly producerEpoch?: number | undefined;
  /** The sequence number of each partition's first message, by `topic:partition`. */
  readonly sequences?: { getWithDefault(partition: string, otherwise: number): number } | undefined;
}

/** Default size of a request's memory. Larger memory is allocated when needed and not kept. */
const memoryBytes = 1_048_576;
/** Maximum number of buffers that are kept for reuse. Each leader has at most one request in flight, in one buffer. */
const mostSpare = 4;

/**
 * Offsets of a batch's fields. The length counts the bytes after the length field; the checksum covers all bytes from the attributes on.
 */
const lengthAt = 8;
const leaderEpochAt = 12;
const magicAt = 16;
const checksumAt = 17;
const attributesAt = 21;
const recordsAt = 61;
const magic = 2;

/** Upper bounds of the bytes for a request's fields, a topic's fields without its name, and a partition's fields without its messages. */
const requestRoom = 32;
const topicRoom = 32;
const partitionRoom = recordsAt + 32;

/** The messages of one partition. `sizes` has the size of each message in bytes, without the message's length prefix. */
interface Batch {
  readonly messages: ProducedMessage[];
  readonly sizes: number[];
  /** Bytes of all messages, with their length prefixes. */
  bytes: number;
}

export class ProduceRequests {
  readonly #spare: ArrayBufferLike[] = [];

  /** Encodes the body of a request without a transaction. */
  encode(acks: number, timeoutMs: number, messages: readonly ProducedMessage[], options: ProduceOptions): Buffer {
    const topics = batchesOf(messages);
    const out = this.#memory(roomFor(topics));
    let at = putUnsigned(out, 0, 0);
    at = out.writeInt16BE(acks, at);
    at = out.writeInt32BE(timeoutMs, at);
    at = putUnsigned(out, topics.size + 1, at);
    for (const [topic, partitions] of topics) {
      const name = Buffer.from(topic);
      at = putUnsigned(out, name.length + 1, at);
      at += name.copy(out, at);
      at = putUnsigned(out, partitions.size + 1, at);
      for (const [partition, batch] of partitions) {
        at = out.writeInt32BE(partition, at);
        at = putUnsigned(out, recordsAt + batch.bytes + 1, at);
        at = putBatch(out, batch, at, options, options.sequences?.getWithDefault(`${topic}:${partition}`, 0) ?? 0);
        at = putNoTags(out, at);
      }
      at = putNoTags(out, at);
    }
    return out.subarray(0, putNoTags(out, at));
  }

  /** Takes back the memory of a request for reuse. The request must not be read after the call. */
  giveBack({ buffer }: Buffer): void {
    if (buffer.byteLength === memoryBytes && this.#spare.length < mostSpare) this.#spare.push(buffer);
  }

  #memory(bytes: number): Buffer {
    const spare = bytes > memoryBytes ? undefined : this.#spare.pop();
    return spare === undefined ? Buffer.allocUnsafeSlow(Math.max(bytes, memoryBytes)) : Buffer.from(spare);
  }
}

/** The messages grouped by topic and partition, in their order. */
function batchesOf(messages: readonly ProducedMessage[]): ReadonlyMap<string, ReadonlyMap<number, Batch>> {
  const topics = new Map<string, Map<number, Batch>>();
  for (const message of messages) {
    const { topic, partition } = message;
    let partitions = topics.get(topic);
    if (partitions === undefined) topics.set(topic, (partitions = new Map<number, Batch>()));
    let batch = partitions.get(partition);
    if (batch === undefined) partitions.set(partition, (batch = { messages: [], sizes: [], bytes: 0 }));
    const size = sizeOfMessage(message, batch.messages.length, batch.messages[0]?.timestamp ?? message.timestamp);
    batch.messages.push(message);
    batch.sizes.push(size);
    batch.bytes += sizeOfSigned(size) + size;
  }
  return topics;
}

function roomFor(topics: ReadonlyMap<string, ReadonlyMap<number, Batch>>): number {
  let room = requestRoom;
  for (const [topic, partitions] of topics) {
    room += topicRoom + Buffer.byteLength(topic);
    for (const { bytes } of partitions.values()) room += partitionRoom + bytes;
  }
  return room;
}

/** Writes a batch at `start`; returns the offset of its end. */
function putBatch(
  out: Buffer,
  { messages, sizes, bytes }: Batch,
  start: number,
  { producerId, producerEpoch }: ProduceOptions,
  sequence: number,
): number {
  const firstTimestamp = messages[0]!.timestamp;
  let maxTimestamp = firstTimestamp;
  let at = start + recordsAt;
  for (const [index, message] of messages.entries()) {
    if (message.timestamp > maxTimestamp) maxTimestamp = message.timestamp;
    at = putSigned(out, sizes[index]!, at);
    at = putMessage(out, message, index, firstTimestamp, at);
  }
  // The broker sets the first offset and the leader's epoch.
  out.writeBigInt64BE(0n, start);
  out.writeInt32BE(recordsAt - leaderEpochAt + bytes, start + lengthAt);
  out.writeInt32BE(0, start + leaderEpochAt);
  out.writeInt8(magic, start + magicAt);
  let field = out.writeInt16BE(0, start + attributesAt);
  field = out.writeInt32BE(messages.length - 1, field);
  field = out.writeBigInt64BE(firstTimestamp, field);
  field = out.writeBigInt64BE(maxTimestamp, field);
  field = out.writeBigInt64BE(producerId ?? -1n, field);
  field = out.writeInt16BE(producerEpoch ?? 0, field);
  field = out.writeInt32BE(sequence, field);
  out.writeInt32BE(messages.length, field);
  out.writeUInt32BE(checksumOf(out.subarray(start + attributesAt, at)), start + checksumAt);
  return at;
}

function sizeOfMessage(message: ProducedMessage, index: number, firstTimestamp: bigint): number {
  const { key, value, headers, timestamp } = message;
  let size = 1 + sizeOfUnsigned(zigzagOf(timestamp - firstTimestamp)) + sizeOfSigned(index);
  size += sizeOfBytes(key) + sizeOfBytes(value) + sizeOfSigned(headers?.size ?? 0);
  if (headers !== undefined) for (const [name, text] of headers) size += sizeOfBytes(name) + sizeOfBytes(text);
  return size;
}

function putMessage(
  out: Buffer,
  { key, value, headers, timestamp }: ProducedMessage,
  index: number,
  firstTimestamp: bigint,
  start: number,
): number {
  // Attributes: none.
  let at = out.writeInt8(0, start);
  at = putUnsigned(out, zigzagOf(timestamp - firstTimestamp), at);
  at = putSigned(out, index, at);
  at = putBytes(out, key, at);
  at = putBytes(out, value, at);
  at = putSigned(out, headers?.size ?? 0, at);
  if (headers !== undefined) for (const [name, text] of headers) at = putBytes(out, text, putBytes(out, name, at));
  return at;
}

type Bytes = Buffer | readonly Buffer[] | null | undefined;

function isInParts(bytes: Bytes): bytes is readonly Buffer[] {
  return Array.isArray(bytes);
}

function lengthOf(bytes: Bytes): number {
  if (bytes === null || bytes === undefined) return -1;
  if (!isInParts(bytes)) return bytes.length;
  let length = 0;
  for (const part of bytes) length += part.length;
  return length;
}

function sizeOfBytes(bytes: Bytes): number {
  const length = lengthOf(bytes);
  return sizeOfSigned(length) + Math.max(0, length);
}

/** Writes the length (−1 for no value), then the bytes; returns the offset of their end. */
function putBytes(out: Buffer, bytes: Bytes, start: number): number {
  let at = putSigned(out, lengthOf(bytes), start);
  if (bytes === null || bytes === undefined) return at;
  for (const part of isInParts(bytes) ? bytes : [bytes]) at += part.copy(out, at);
  return at;
}

function putNoTags(out: Buffer, at: number): number {
  return putUnsigned(out, 0, at);
}

/** Zigzag encoding of a 64-bit integer, which keeps small magnitudes small. Results of 2^53 or more stay BigInts. */
function zigzagOf(value: bigint): number | bigint {
  const coded = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  return coded <= Number.MAX_SAFE_INTEGER ? Number(coded) : coded;
}

function zigzagOfInt(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function sizeOfSigned(value: number): number {
  return sizeOfUnsigned(zigzagOfInt(value));
}

function putSigned(out: Buffer, value: number, at: number): number {
  return putUnsigned(out, zigzagOfInt(value), at);
}

function sizeOfUnsigned(value: number | bigint): number {
  let size = 1;
  if (typeof value === "bigint") for (let left = value >> 7n; left > 0n; left >>= 7n) size++;
  else for (let left = value; left >= 128; left = Math.floor(left / 128)) size++;
  return size;
}

/** Writes an unsigned integer with seven bits per byte, the lowest first; returns the offset of its end. */
function putUnsigned(out: Buffer, value: number | bigint, start: number): number {
  let at = start;
  let left = value;
  if (typeof left === "bigint") {
    for (; left >= 128n; left >>= 7n) out[at++] = Number(left & 127n) | 128;
    left = Number(left);
  }
  for (; left >= 128; left = Math.floor(left / 128)) out[at++] = (left % 128) | 128;
  out[at++] = left;
  return at;
}

/** CRC-32C of the bytes. The library's function would copy bytes that are not in its own kind of buffer, so they are wrapped first. */
function checksumOf(bytes: Buffer): number {
  return crc32c(Writer.create().append(bytes).dynamicBuffer);
}
