// Extracts a program's line from the line in which a container runtime, syslog, journald or Filebeat wrapped it.
import { DividedLines, dividedLine, jsonRecordOf, prefixLengthOf as prefixInFrontOf } from "@robots-stream/logs";
import type { ReaderKnowledge, Reject } from "../../records/batch.ts";
import { utf8TextOf } from "../../common/text.ts";
import { rejectOf } from "../line-reader.ts";

/** The beginning of a record of Docker's json-file. */
const docker = /^\{\s*"log"\s*:\s*"/;

/** The length of the prefix before a JSON object; 0 for other lines. Parsers of text logs remove prefixes themselves. */
export function prefixLengthOf(line: string): number {
  if (line.startsWith("{")) return 0;
  const length = prefixInFrontOf(line);
  return line[length] === "{" ? length : 0;
}

/** A record of Docker's json-file, decoded: a line of the program with its line end, and the stream it came from (`stdout` or `stderr`). */
interface DockerRecord {
  readonly log: string;
  readonly stream: string;
}

/** The record of Docker's json-file in a line; undefined for other lines. */
function dockerRecordOf(line: string): DockerRecord | undefined {
  if (!docker.test(line)) return undefined;
  let record: unknown;
  try {
    record = JSON.parse(utf8TextOf(line));
  } catch {
    return undefined;
  }
  const { log, stream } = record as { readonly log?: unknown; readonly stream?: unknown };
  return typeof log === "string" && typeof stream === "string" ? { log, stream } : undefined;
}

/**
 * The program's line in a record of Docker's json-file, of journald (`journalctl -o json`) or of Filebeat, decoded and without its line end;
 * undefined for other lines.
 */
export function wrappedLineOf(line: string): string | undefined {
  const text = dockerRecordOf(line)?.log ?? messageOf(line);
  return text?.replace(/[\r\n]+$/, "");
}

/** The message of journald, whose value is a list of bytes if it is not UTF-8; or of Filebeat. */
function messageOf(line: string): string | undefined {
  if (!line.startsWith("{")) return undefined;
  const isOfJournal = line.includes('"MESSAGE"') && line.includes('"__REALTIME_TIMESTAMP"');
  if (!isOfJournal && !(line.includes('"message"') && line.includes('"@timestamp"'))) return undefined;
  const record = jsonRecordOf(utf8TextOf(line));
  if (record === undefined) return undefined;
  const { MESSAGE: bytes, message, agent, ecs, beat } = record;
  if (isOfJournal) return typeof bytes === "string" ? bytes : Array.isArray(bytes) ? textOfBytes(bytes) : undefined;
  // A record with the parts of a request was made from the message, which need not be the line any more.
  const isParsed = ["url", "http", "user_agent", "uri", "request", "request_uri"].some((name) =>
    Object.hasOwn(record, name),
  );
  const isOfBeat = [agent, ecs, beat].some((each) => typeof each === "object" && each !== null);
  return isOfBeat && !isParsed && typeof message === "string" ? message : undefined;
}

function textOfBytes(bytes: readonly unknown[]): string {
  return Buffer.from(bytes.map((byte) => (typeof byte === "number" ? byte : 0))).toString("utf8");
}

/** The line that the program wrote: decoded text from a record around it, otherwise the bytes after the prefix. */
export function innerOf(line: string): string {
  return wrappedLineOf(line) ?? line.slice(prefixLengthOf(line));
}

/** The same, but a record with a message stays as it is: the user has named a field of it. */
export function innerOfRuntime(line: string): string {
  return dockerRecordOf(line) === undefined ? line.slice(prefixLengthOf(line)) : innerOf(line);
}

/** Docker divides a line after this number of bytes. Only the last part ends with the line end. */
const dockerPartBytes = 16_384;

/**
 * The name of the member of `ReaderKnowledge` that lists the open streams. A stream is open when its last record was a part of a line, but
 * not the last part.
 */
const dividedName = "divided";
/** The prefix of the names of Docker's streams in this list. */
const ofDocker = "docker ";

/**
 * Finds the parts of lines that a container runtime divided because they were too long. No part is read as a record, because a client that
 * makes a line long enough can choose the text with which a part begins.
 */
export class LineParts {
  readonly #cri: DividedLines;
  /** The open streams of Docker. */
  readonly #docker: Set<string>;

  /** `known`: the state of the earlier reader at the point where this reader continues; undefined at the beginning of a source. */
  constructor(known: ReaderKnowledge | undefined) {
    const divided = known?.[dividedName];
    const open = typeof divided === "object" ? divided : [];
    this.#cri = new DividedLines(open.filter((name) => !name.startsWith(ofDocker)));
    this.#docker = new Set(open.filter((name) => name.startsWith(ofDocker)));
  }

  /** The open streams, as a member of `ReaderKnowledge`; no member when no stream is open. */
  get known(): ReaderKnowledge {
    const open = [...this.#cri.open, ...this.#docker];
    return open.length === 0 ? {} : { [dividedName]: open };
  }

  /** The reject for a line that is a part; undefined for other lines. Call it for each line, in the order of the lines. */
  rejectOf(source: string, number: number, line: string): Reject | undefined {
    if (!this.#cri.isPart(line) && !this.#isDockerPart(line)) return undefined;
    return rejectOf(source, number, dividedLine.code, dividedLine.message, line);
  }

  #isDockerPart(line: string): boolean {
    // The record is at least as long as its line, because a JSON escape is not shorter than the bytes that it represents.
    if (this.#docker.size === 0 && line.length < dockerPartBytes) return false;
    const record = dockerRecordOf(line);
    if (record === undefined) return false;
    const name = ofDocker + record.stream;
    const wasOpen = this.#docker.delete(name);
    const isOpen = !record.log.endsWith("\n") && Buffer.byteLength(record.log) >= dockerPartBytes;
    if (isOpen) this.#docker.add(name);
    return wasOpen || isOpen;
  }
}
