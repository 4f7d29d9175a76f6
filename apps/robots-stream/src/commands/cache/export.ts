// Exports the entries of a cache as lines of JSON, as an indexed snapshot, or as WARC/1.1 records. An entry has two WARC records: a resource
// with the robots.txt, and metadata with the other data. Each record is compressed separately (ISO 28500:2017, annex D).
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { UsageError } from "@robots-stream/engine";
import { base32Of, checksumOf, lineOfEntry, SnapshotWriter } from "@robots-stream/engine/archives";
import { type FirstTold, printableOf, shownWordOf } from "@robots-stream/engine/internal";
import type { StoredRobots } from "@robots-stream/fetch";
import { jsonOfStored } from "@robots-stream/fetch/json";
import { robotsUrlOf } from "@robots-stream/url";
import { exitCodes } from "../../cli/exit-codes.ts";
import { plainCountText } from "../../cli/figures.ts";
import { firstTold } from "../../cli/terminal.ts";
import { type ActionContext, originOf } from "./command.ts";
import { isoOf } from "./show.ts";

/**
 * Writes the entries of the named origins, or of all origins if none is named. With `isNewest`, writes only the newest entry of each
 * origin. Resolves to the exit code.
 */
export async function exportEntries(context: ActionContext): Promise<number> {
  const { command, write, stdout } = context;
  const snapshotPath = command.flags.get("snapshot");
  if (snapshotPath !== undefined) return exportSnapshot(context, snapshotPath);
  const isWarc = command.output.format.name === "warc";
  if (isWarc && stdout.isTTY === true) {
    throw new UsageError(
      "wrong-value",
      "a WARC file is compressed bytes, and stdout is a terminal",
      "for example: robots-stream cache export --output-file robots.warc.gz",
    );
  }
  if (isWarc) await write(warcBeginning(Date.now()));
  const damaged = new DamagedRows(context.say);
  for (const batch of batchesOf(context, damaged.add)) {
    if (!isWarc) await write(batch.map(lineOfEntry).join(""));
    // A signal is heard in turns of the event loop only; compressing a batch takes seconds.
    for (const entry of isWarc ? batch : []) {
      await write(Buffer.concat(warcRecordsOf(entry)));
      await new Promise(setImmediate);
    }
    await new Promise(setImmediate);
  }
  return damaged.end();
}

/** Tells the damaged rows of the cache, which are left out. The export then has fewer entries than the cache, and fails. */
class DamagedRows {
  readonly #say: ActionContext["say"];
  readonly #told: FirstTold;

  constructor(say: ActionContext["say"]) {
    this.#say = say;
    this.#told = firstTold(say, "damaged rows");
  }

  readonly add = (origin: string): void => this.#told.tell(`${printableOf(origin)}: left out: its row is damaged`);

  /** Says how many rows are left out, if there are any, and returns the exit code. */
  end(): number {
    const { count } = this.#told;
    if (count === 0) return exitCodes.done;
    this.#say(`${plainCountText(count, "damaged row is", "damaged rows are")} left out`);
    return exitCodes.failed;
  }
}

async function exportSnapshot(context: ActionContext, folder: string): Promise<number> {
  const { say, signal } = context;
  const writer = new SnapshotWriter(folder);
  const damaged = new DamagedRows(say);
  const left = firstTold(say, "entries that are left out");
  try {
    for (const batch of batchesOf(context, damaged.add)) {
      for (const entry of batch) {
        const why = writer.add(entry);
        if (why !== undefined) left.tell(`${printableOf(entry.origin)}: left out: ${why}`);
      }
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
    const { origins, entries } = await writer.finish(signal);
    const more = left.count === 0 ? "" : `, ${left.count} left out`;
    const fetches = plainCountText(entries, "fetch", "fetches");
    say(`${shownWordOf(folder)}: ${fetches} of ${plainCountText(origins, "origin")}${more}`);
  } finally {
    writer.close();
  }
  return damaged.end();
}

/** Yields the entries to export in batches. */
function* batchesOf(
  { command, store }: ActionContext,
  onDamaged: (origin: string) => void,
): Generator<readonly StoredRobots[]> {
  const { names, flags } = command;
  const isNewest = flags.get("newest");
  if (names.length === 0) {
    yield* isNewest ? store.newest({ onDamaged }) : store.entries({ onDamaged });
    return;
  }
  for (const origin of new Set(names.map(originOf))) {
    yield store.history(origin, { onDamaged, ...(isNewest ? { limit: 1 } : {}) }).toReversed();
  }
}

/** Returns the warcinfo record, the first record of a WARC file. */
export function warcBeginning(nowMs: number): Uint8Array {
  const block =
    "software: robots-stream\r\nformat: WARC File Format 1.1\r\n" +
    "description: robots.txt files as they were decoded, and a metadata record for each fetch\r\n";
  return recordOf(
    "warcinfo",
    idOf("warcinfo", String(nowMs)),
    nowMs,
    "application/warc-fields",
    Buffer.from(block),
    [],
  );
}

/**
 * Returns the records of an entry. An entry without a robots.txt has only a metadata record. The resource record is not a response record,
 * because the cache stores neither the request nor most header fields of the response.
 */
export function warcRecordsOf(entry: StoredRobots): Uint8Array[] {
  const { body, ...rest } = entry;
  const url = robotsUrlOf(entry.origin);
  const block = Buffer.from(JSON.stringify({ ...jsonOfStored(rest), checksum: checksumOf(entry) }));
  const place: Field[] = [["WARC-Target-URI", url]];
  if (body === undefined) return [metadataOf(place)];
  const id = idOf("resource", entry.origin, String(entry.fetchedAt), body);
  const type = /^[\x20-\x7e]{1,200}$/.exec(entry.headers?.["content-type"] ?? "")?.[0] ?? "text/plain";
  const digest: Field = ["WARC-Payload-Digest", digestOf(body)];
  const cut: Field[] = entry.truncated === true ? [["WARC-Truncated", "length"]] : [];
  const resource = recordOf("resource", id, entry.fetchedAt, type, body, [...place, digest, ...cut]);
  return [resource, metadataOf([...place, ["WARC-Refers-To", `<${id}>`]])];

  function metadataOf(fields: readonly Field[]): Uint8Array {
    const metadataId = idOf("metadata", entry.origin, String(entry.fetchedAt), block);
    return recordOf("metadata", metadataId, entry.fetchedAt, "application/json", block, fields);
  }
}

type Field = readonly [name: string, value: string];

function recordOf(
  type: string,
  id: string,
  dateMs: number,
  contentType: string,
  block: Uint8Array,
  fields: readonly Field[],
): Uint8Array {
  const all: readonly Field[] = [
    ["WARC-Type", type],
    ["WARC-Record-ID", `<${id}>`],
    ["WARC-Date", isoOf(dateMs)],
    ...fields,
    ["WARC-Block-Digest", digestOf(block)],
    ["Content-Type", contentType],
    ["Content-Length", String(block.byteLength)],
  ];
  const head = `WARC/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  return gzipSync(Buffer.concat([Buffer.from(head, "utf8"), block, Buffer.from("\r\n\r\n")]));
}

/** Returns a UUID of version 8 (RFC 9562 §5.8), computed from `parts`. So the records of an entry have the same ids in every export. */
function idOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  const bytes = hash.digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return `urn:uuid:${bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")}`;
}

/** Returns the SHA-1 digest in Base32, the form of digests that every WARC tool can check. */
function digestOf(bytes: Uint8Array): string {
  return `sha1:${base32Of(createHash("sha1").update(bytes).digest())}`;
}
