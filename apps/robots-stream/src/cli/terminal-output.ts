// Makes output safe for a terminal: control characters and invisible characters are written as escapes. Pipes and files get the bytes
// unchanged.
import { StringDecoder } from "node:string_decoder";
import { Writable } from "node:stream";
import { printableJsonOf, printableOf } from "@robots-stream/engine/internal";
import type { Terminal } from "./live-line.ts";

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
export function safeTextOf(text: string): string {
  if (plain.test(text)) return text;
  return text
    .split(colour)
    .map((part, at) => (at % 2 === 1 ? part : visibleOf(part)))
    .join("");
}

function escaperOf(format: string): (text: string) => string {
  const escape = jsonFormats.has(format) ? printableJsonOf : paintedFormats.has(format) ? safeTextOf : visibleOf;
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
