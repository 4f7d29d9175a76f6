// Imports files into the cache: NDJSON exports, and WARC files of this app or of any crawler, compressed or not.
import type { StoredRobots } from "@robots-stream/fetch";
import { storedOfJson } from "@robots-stream/fetch/json";
import { robotsUrlOf, parseTarget } from "@robots-stream/url";
import { IoError, openSource, peek, shownWordOf, type Source, unpack } from "@robots-stream/engine/internal";
import { exitCodes } from "../../shell/exit-codes.ts";
import { checksumOf } from "./checksum.ts";
import type { ActionContext } from "./action.ts";
import { WarcEntries } from "./warc-entry.ts";
import { WarcError, readWarc } from "./warc-read.ts";

/** Number of entries in one transaction. */
const batchEntries = 200;
/** Maximum size of a line: enough for two bodies of the largest size that a run reads, fully escaped. */
const maxLineBytes = 64 * 1_048_576;
/** Number of faults that are reported one by one; further faults are only counted. */
const toldFaults = 10;

interface Counts {
  /** Number of entries that were added, and that the cache already had. */
  added: number;
  known: number;
  /** Number of lines and records that are not valid entries. */
  rejects: number;
}

/** Imports the files and reports the numbers of entries. Invalid entries are reported and skipped. */
export async function importFiles(context: ActionContext): Promise<number> {
  const { command, say, stdin } = context;
  for (const name of command.names.length === 0 ? ["-"] : command.names) {
    const counts: Counts = { added: 0, known: 0, rejects: 0 };
    const shown = name === "-" ? "stdin" : shownWordOf(name);
    const reject = (where: string, why: string): void => {
      counts.rejects++;
      if (counts.rejects <= toldFaults) say(`${shown}: ${where}: ${why}`);
      if (counts.rejects === toldFaults) say("… further ones are only counted");
    };
    try {
      await importOne(context, openSource(name, stdin), counts, reject);
    } catch (error) {
      if (context.signal?.aborted === true || isStoreError(error) || error instanceof IoError) throw error;
      throw new IoError("input", shown, error);
    } finally {
      const { added, known, rejects } = counts;
      say(`${shown}: ${added} fetches added, ${known} known before${rejects === 0 ? "" : `, ${rejects} left out`}`);
    }
  }
  return exitCodes.done;
}

function isStoreError(error: unknown): boolean {
  return error instanceof Error && error.name === "StoreError";
}

type Reject = (where: string, why: string) => void;

async function importOne(
  { store, signal }: ActionContext,
  source: Source,
  counts: Counts,
  reject: Reject,
): Promise<void> {
  let batch: StoredRobots[] = [];
  const flush = async (): Promise<void> => {
    const added = await store.merge(batch);
    counts.added += added;
    counts.known += batch.length - added;
    batch = [];
  };
  const stop = (): void => source.destroy();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    for await (const entry of entriesOf(source.chunks as AsyncIterable<Uint8Array>, reject)) {
      signal?.throwIfAborted();
      batch.push(entry);
      if (batch.length >= batchEntries) await flush();
    }
    signal?.throwIfAborted();
  } finally {
    signal?.removeEventListener("abort", stop);
    source.destroy();
    // Stores the entries that were read before a fault.
    await flush();
  }
}

/** The entries of a file, which is an NDJSON export or a WARC file, compressed or not. */
export async function* entriesOf(source: AsyncIterable<Uint8Array>, reject: Reject): AsyncGenerator<StoredRobots> {
  const { chunks } = await unpack(source);
  const wanted = "WARC/";
  let seen = 0;
  const peeked = await peek(chunks, (chunk) => (seen += chunk.byteLength) >= wanted.length);
  const beginning = Buffer.from(peeked.beginning).toString("latin1", 0, wanted.length);
  yield* beginning === wanted ? warcEntriesOf(peeked.chunks, reject) : lineEntriesOf(peeked.chunks, reject);
}

async function* lineEntriesOf(chunks: AsyncIterable<Uint8Array>, reject: Reject): AsyncGenerator<StoredRobots> {
  let number = 0;
  for await (const line of linesOf(chunks)) {
    number++;
    if (line === undefined) reject(`line ${number}`, "is too long");
    else if (line.trim() !== "") {
      const entry = entryOfLine(line);
      if (entry === undefined)
        reject(`line ${number}`, `is not an entry of a cache (${Buffer.byteLength(line)} bytes)`);
      else if (typeof entry === "string") reject(`line ${number}`, entry);
      else yield entry;
    }
  }
}

/** Yields the lines of a file, and undefined for a line that is too long. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const take = (): string | undefined => {
    const line = heldBytes > maxLineBytes ? undefined : Buffer.concat(held).toString("utf8");
    held = [];
    heldBytes = 0;
    return line;
  };
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength;) {
      const end = chunk.indexOf(0x0a, at);
      const piece = chunk.subarray(at, end === -1 ? undefined : end);
      heldBytes += piece.byteLength;
      // A piece that is held until the next chunk is copied, because the source may reuse the chunk's memory.
      if (heldBytes <= maxLineBytes) held.push(end === -1 ? Buffer.from(piece) : piece);
      if (end === -1) break;
      yield take();
      at = end + 1;
    }
  }
  if (heldBytes > 0) yield take();
}

function entryOfLine(line: string): StoredRobots | string | undefined {
  try {
    return checkedEntry(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/**
 * The entry in a JSON value, completed by `body` if the body is stored separately. Returns a sentence when the checksum does not match,
 * and undefined when the value is not an entry. Entries without a checksum, from other programs and earlier versions, are accepted.
 */
function checkedEntry(value: unknown, body?: Uint8Array): StoredRobots | string | undefined {
  const stored = storedOfJson(value);
  if (stored === undefined || parseTarget(robotsUrlOf(stored.origin))?.origin !== stored.origin) return undefined;
  const entry = body === undefined ? stored : { ...stored, body };
  const { checksum } = value as { readonly checksum?: unknown };
  if (checksum !== undefined && checksum !== checksumOf(entry)) {
    return `${shownWordOf(entry.origin, 200)}: is damaged, or was changed: its checksum does not match its content`;
  }
  // A missing file must not be treated as an empty one, which allows everything.
  return entry.access === "successful" && entry.body === undefined
    ? `${shownWordOf(entry.origin, 200)}: its robots.txt is missing`
    : entry;
}

async function* warcEntriesOf(chunks: AsyncIterable<Uint8Array>, reject: Reject): AsyncGenerator<StoredRobots> {
  const entries = new WarcEntries(checkedEntry);
  let number = 0;
  try {
    for await (const record of readWarc(chunks)) {
      number++;
      const found = entries.take(record);
      if (typeof found === "string") reject(`record ${number}`, found);
      else if (found !== undefined) yield found;
    }
  } catch (error) {
    // The records before the error are valid.
    if (!(error instanceof WarcError)) throw error;
    reject(`record ${number + 1}`, error.message);
  }
}
