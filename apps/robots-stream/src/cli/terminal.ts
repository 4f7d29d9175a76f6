// Fits output to its reader: the width and the colours of a terminal, characters that are visible there, and the messages on stderr.
import { Writable } from "node:stream";
import { WriteStream } from "node:tty";
import { styleText } from "node:util";
import { StringDecoder } from "node:string_decoder";
import { visibleJsonOf } from "@robots-stream/core/internal";
import { printableOf, FirstTold } from "@robots-stream/engine/internal";
import type { Terminal } from "./live-line.ts";

interface Sized {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const most = 10_000;

/** The width that the variable COLUMNS sets; undefined if its value is not a whole number from 1 to 10,000. */
function columnsAskedBy({ COLUMNS = "" }: NodeJS.ProcessEnv): number | undefined {
  const columns = /^\d+$/.test(COLUMNS) ? Number(COLUMNS) : 0;
  return columns > 0 && columns <= most ? columns : undefined;
}

/**
 * The width of a stream: the value of COLUMNS, else the width of the terminal, or 80 if that is unknown. Undefined for pipes and files
 * without COLUMNS.
 */
export function columnsOf(stream: Sized, env: NodeJS.ProcessEnv): number | undefined {
  return columnsAskedBy(env) ?? (stream.isTTY === true ? stream.columns || 80 : undefined);
}

/** Adds colour to a text, or returns it unchanged. */
export type Paint = (style: "bold" | "dim" | "green" | "yellow" | "red", text: string) => string;

/**
 * Returns a function that adds colour if `stream` is a terminal with colours and NO_COLOR is absent or empty. FORCE_COLOR replaces both
 * conditions. Node's `getColorDepth` interprets FORCE_COLOR, TERM and CI.
 */
export function paintFor(stream: Writable & { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint {
  const { FORCE_COLOR, NO_COLOR = "", ...others } = env;
  const isWanted = FORCE_COLOR !== undefined || (stream.isTTY === true && NO_COLOR === "");
  // Node 22 treats an empty NO_COLOR as set.
  const hasColours = isWanted && WriteStream.prototype.getColorDepth.call(stream, { FORCE_COLOR, ...others }) > 1;
  return hasColours ? (style, text) => styleText(style, text, { validateStream: false }) : (_style, text) => text;
}

/** Formats whose escapes are those of JSON, so that the data stays the same. */
const jsonFormats: ReadonlySet<string> = new Set(["json", "ndjson", "sarif"]);

/** Formats for people. Their texts from outside are made visible before they are coloured, so that the colours can stay. */
const paintedFormats: ReadonlySet<string> = new Set(["text", "table"]);

// oxlint-disable-next-line no-control-regex
const colour = /(\u001b\[\d+m)/;

const plain = /^[\n\t -~]*$/;

/** Shows hidden characters as escapes. Tabs and line ends (LF, CR LF) stay. */
function visibleOf(text: string): string {
  return text.replaceAll(/(?:[^\n\t\r]|\r(?!\n))+/gu, (part) => printableOf(part, Infinity));
}

/** Shows hidden characters of a text for people as escapes. Tabs, line ends and colours stay. */
function safeTextOf(text: string): string {
  if (plain.test(text)) return text;
  return text
    .split(colour)
    .map((part, at) => (at % 2 === 1 ? part : visibleOf(part)))
    .join("");
}

function escaperOf(format: string): (text: string) => string {
  const escape = jsonFormats.has(format) ? visibleJsonOf : paintedFormats.has(format) ? safeTextOf : visibleOf;
  return (text) => (plain.test(text) ? text : escape(text));
}

/** The stream for output of a format: an escaping stream in front of `stream` if `stream` is a terminal, else `stream` itself. */
export function fitForTerminal(stream: Terminal, format: string): Terminal {
  return stream.isTTY === true ? new TerminalOutput(stream, format) : stream;
}

/** Escapes chunks and writes them to a terminal. The last chunk must end with a line end. */
class TerminalOutput extends Writable {
  readonly isTTY = true;
  readonly #terminal: Terminal;
  readonly #safeOf: (text: string) => string;
  /** Holds the first bytes of a character until its other bytes arrive. */
  readonly #decoder = new StringDecoder("utf8");

  constructor(terminal: Terminal, format: string) {
    super({ decodeStrings: false });
    this.#terminal = terminal;
    this.#safeOf = escaperOf(format);
    // Each write reports its error; an "error" event without a listener would end the process.
    this.on("error", () => undefined);
  }

  /** The width of the terminal; 0 if it is not known. */
  get columns(): number {
    return this.#terminal.columns ?? 0;
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    const text = typeof chunk === "string" ? chunk : this.#decoder.write(chunk);
    this.#terminal.write(this.#safeOf(text), callback);
  }
}

/** Creates a function that writes a sentence as one line to stderr. */
export function createSay(stderr: { write(text: string): unknown }): (sentence: string) => void {
  return (sentence) => void stderr.write(`robots-stream: ${safeTextOf(sentence)}\n`);
}

/** Returns what says the first sentences of one kind, and after them that further `things` are only counted. */
export function firstTold(say: (sentence: string) => void, things: string): FirstTold {
  return new FirstTold(say, `… further ${things} are only counted`);
}

/**
 * Creates a stream that takes chunks of whole rows and writes their text to `stream`. A chunk is done when `stream` has written its text,
 * so the backpressure of `stream` applies. The end of the created stream does not end `stream`.
 */
export function createPrintedOutput(stream: Writable, printer: { print(rows: Buffer): string }): Writable {
  const output = new Writable({
    write: (rows: Buffer, _encoding, callback) => void stream.write(printer.print(rows), callback),
  });
  // Each write reports its error; an "error" event without a listener would end the process.
  output.on("error", () => undefined);
  return output;
}
