// The input format of web archives: a record for each response in a WARC file (ISO 28500:2017).
import type { InputFormat, ReadOptions } from "../input-format.ts";
import type { Batch, Fingerprint, Reject, ResumePoint } from "../../records/batch.ts";
import { mostRejectsAtOnce } from "../../records/blocks.ts";
import { type FieldTexts, RowHeads } from "../../records/row-heads.ts";
import { IoError } from "../../common/errors.ts";
import { byteStringOf } from "../../common/text.ts";
import { rejectOf } from "../line-reader.ts";
import { checkFixedFields } from "../asked-fields.ts";
import type { FieldValue } from "../types.ts";
import type { PageTextsOf } from "./warc-entry.ts";
import { readWarc, WarcError, type WarcRecord } from "./records.ts";

/** WARC. A compressed file may have one gzip member per record. */
export const warc: InputFormat = {
  name: "warc",
  hasBytes: true,
  about: "the responses of web archives (WARC)",
  endings: [".warc"],
  recognize: ({ lines: [first = ""] }) => (/^WARC\/1\.\d$/.test(first) ? "heading" : undefined),
  read,
};

const names = ["url", "time", "status", "user_agent"] as const;

/** Largest number of records in a batch. */
const mostRecordsAtOnce = 1_024;

/** Largest number of bytes of pages in a batch. A batch may exceed it by one page. */
const mostPagesAtOnce = 4 * 1_048_576;

/**
 * The texts in a response's block. If the user names a field for such a text, the name has no effect; for a required text, it is an error
 * to name a field.
 */
const blockTexts: ReadonlyMap<string, null> = new Map([
  ["xRobotsTag", null],
  ["html", null],
]);

/** Number of bytes kept of a block: enough for the fields of a request, and for the first line of a response. */
const keptBytes = 16_384;

/** Number of bytes kept of a block if the engine needs pages: the head, and the beginning of the page that Google Search reads. */
const keptPageBytes = 2 * 1_048_576 + 65_536;

/**
 * The fingerprint of a resume point. It is empty, because the bytes before the point are not kept; only the file's beginning is compared.
 */
const noBytes: Fingerprint = { bytes: 0, crc: 0 };

async function* read(chunks: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<Batch> {
  const { source, texts = [], from, givesPlaces, writer } = options;
  checkFixedFields(options, { names, url: "url", agent: "user_agent", time: "time", texts: blockTexts });
  writer.startRows(names, undefined);
  // Imported on demand, because warc-entry.ts loads modules of Node that no other input format needs.
  const asksTexts = texts.some(({ name }) => blockTexts.has(name));
  const pageTextsOf = asksTexts ? (await import("./warc-entry.ts")).pageTextsOf : undefined;
  const responses = new Responses(options, pageTextsOf);
  const known = from?.known["crawler"];
  if (typeof known === "string") responses.crawler = known;
  let line = from?.line ?? 0;
  let place: ResumePoint | undefined;
  const take = (): Batch => ({ ...responses.takeBatch(), ...(place === undefined ? {} : { place }) });
  try {
    const kept = responses.asksPage ? keptPageBytes : keptBytes;
    for await (const record of readWarc(chunks, { keptBytes: kept, offset: from?.offset ?? 0 })) {
      responses.add(record, ++line);
      // There is no resume point between a request and its response, which is a later record.
      if (givesPlaces === true && responses.request === undefined) {
        place = { offset: record.end, line, before: noBytes, known: { crawler: responses.crawler } };
      }
      if (responses.size > 0 && (record.isLast || responses.size >= mostRecordsAtOnce)) yield take();
    }
  } catch (error) {
    if (responses.size > 0) yield take();
    if (!(error instanceof WarcError)) throw error;
    throw new IoError("input", source, new Error(`record ${line + 1} ${error.message}`));
  }
  if (responses.size > 0) yield take();
}

/** A request whose response has not been read yet. */
interface Request {
  readonly uri: string;
  readonly userAgent: string | undefined;
}

/** Makes rows from responses. */
class Responses {
  readonly #options: ReadOptions;
  /** Undefined when the engine needs no text of a response's block. */
  readonly #pageTextsOf: PageTextsOf | undefined;
  /** Whether the engine needs the pages of responses. */
  readonly asksPage: boolean;
  readonly #heads = new RowHeads();
  #rejects: Reject[] = [];
  #pageBytes = 0;
  request: Request | undefined;
  /** The User-Agent header of all requests, which a crawler may write into the first record. */
  crawler: string | undefined;

  constructor(options: ReadOptions, pageTextsOf: PageTextsOf | undefined) {
    this.#options = options;
    this.#pageTextsOf = pageTextsOf;
    const { texts = [] } = options;
    this.asksPage = texts.some(({ name }) => name === "html");
    this.#heads.begin();
  }

  /** The size of the batch so far, in records: `mostRecordsAtOnce` when its rejects or its pages reach their limit. */
  get size(): number {
    if (this.#pageBytes > mostPagesAtOnce) return mostRecordsAtOnce;
    return Math.max(this.#heads.packed.count, this.#rejects.length * (mostRecordsAtOnce / mostRejectsAtOnce));
  }

  takeBatch(): Batch {
    const batch = { records: this.#heads.finish(), rejects: this.#rejects };
    this.#heads.begin();
    this.#rejects = [];
    this.#pageBytes = 0;
    return batch;
  }

  /** Adds a record of the file; `number` is its number, from 1. */
  add({ fields, block = new Uint8Array(0) }: WarcRecord, number: number): void {
    const type = fields.get("warc-type");
    // Programs that follow the grammar of WARC 1.0 write the URI in angle brackets.
    const uri = (fields.get("warc-target-uri") ?? "").replace(/^<(.*)>$/, "$1");
    const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
    const head = (): string => bytes.toString("latin1", 0, keptBytes);
    if (type === "warcinfo") this.crawler = fieldIn(head(), "http-header-user-agent") ?? this.crawler;
    else if (type === "request") this.request = { uri, userAgent: fieldIn(head(), "user-agent") };
    else if (type === "response" || type === "revisit") {
      const { request } = this;
      this.request = undefined;
      const userAgent = (request?.uri === uri ? request.userAgent : undefined) ?? this.crawler;
      if (uri !== "") this.#addRow(fields, uri, head(), userAgent, this.#textsOf(bytes, head));
      else {
        const text = [...fields].map(([name, value]) => `${name}: ${value}`).join("\n");
        const { source } = this.#options;
        this.#rejects.push(rejectOf(source, number, "no-url-field", "has no WARC-Target-URI", byteStringOf(text)));
      }
    }
  }

  #addRow(
    fields: WarcRecord["fields"],
    uri: string,
    head: string,
    userAgent: string | undefined,
    texts: FieldTexts,
  ): void {
    const { agentField, time: askedTime, writer } = this.#options;
    const date = fields.get("warc-date");
    const time = date === undefined ? undefined : byteStringOf(date);
    const status = /^HTTP\/[\d.]{1,5} (\d{3})(?!\d)/.exec(head)?.[1];
    const values: FieldValue[] = [
      byteStringOf(uri),
      time,
      status === undefined ? undefined : Number(status),
      userAgent,
    ];
    this.#heads.add(writer.headOfFields(names, values), uri, {
      ...texts,
      agent: agentField === undefined ? undefined : userAgent,
      time: askedTime === undefined ? undefined : time,
    });
  }

  /** The requested texts of a response's block; none if the engine needs none. */
  #textsOf(block: Buffer, head: () => string): FieldTexts {
    if (this.#pageTextsOf === undefined) return {};
    const texts = this.#pageTextsOf(block, head(), this.asksPage);
    this.#pageBytes += texts.html?.length ?? 0;
    return texts;
  }
}

/** The value of a header field in the text of a block, as bytes. */
function fieldIn(text: string, name: string): string | undefined {
  for (const line of text.split("\n")) {
    if (line === "" || line === "\r") return undefined;
    const colon = line.indexOf(":");
    if (colon > 0 && line.slice(0, colon).trim().toLowerCase() === name) return line.slice(colon + 1).trim();
  }
  return undefined;
}
