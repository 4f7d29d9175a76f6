// What an output format is: records and answers in, bytes out (as Latin-1 strings, see text.ts).
import type { Decision, DialectName } from "@robots-stream/core";
import type { Question } from "../questions.ts";
import type { TargetProblem } from "../locate/target.ts";

/** The answer for one record and one agent. */
export interface Answer {
  /** null: no known crawler made the request. */
  readonly agent: string | null;
  /** How robots.txt was read; with `--dialect` only. */
  readonly dialect?: DialectName;
  /** The kind of the agent, when it is not an ordinary crawler. */
  readonly kind?: Question["kind"];
  /** Null: no robots.txt applies to the URL. */
  readonly allowed: boolean | null;
  readonly because: Decision["because"] | TargetProblem | "not-a-crawler";
  /** The name that chose the group, where it is not the agent's own: `*` or the next one of its names. */
  readonly group?: string;
  /** What the access result rests on: "http-404", "timeout" …; with "unavailable" and "unreachable" only. */
  readonly code?: string;
  /** Type and path pattern, "disallow: /private"; with "rule" only. */
  readonly rule?: string;
  /** The rule's line in the robots.txt, from 1; with "rule" only. */
  readonly line?: number;
  /** Absent when the URL has no origin. */
  readonly origin?: string;
}

/** Called with each member of a JSON object: the spans of its raw name and its raw value, quotes included. */
export type EachMember = (keyStart: number, keyEnd: number, valueStart: number, valueEnd: number) => void;

/** A JSON object in a block, as a writer of rows sees it: `ObjectWalker` of ndjson/walk.ts. */
export interface WalkedObject {
  /** The block, one character a byte. */
  readonly text: string;
  /** Offset of the closing brace of the object walked over last. */
  readonly close: number;
  /** Walks over the object at `start` again; see `ObjectWalker`. */
  walk(start: number, asked: Uint8Array, taken: Uint8Array, eachMember: EachMember): boolean;
}

/** Makes output rows of one run: a record's head and an answer's tail, joined, are one row with its line end. */
export interface RecordWriter {
  /** The key of the added object, or the prefix of the added columns' names; as bytes. */
  readonly resultKey: string;
  /** Whether the head of a JSON object is its own bytes, from its "{" to before its "}". */
  readonly keepsObjects: boolean;
  /** The head of the JSON object at `start`, which the walker has walked over last and may be used for. It has at least one member. */
  headOfObject(walker: WalkedObject, start: number): string;
  /** Says which columns come; true when rows may be passed to `headOfRow` as their bytes, unquoted fields and all. */
  startRows(names: readonly string[], delimiter: string | undefined): boolean;
  /** The head of a row, from its bytes. */
  headOfRow(row: string): string;
  /** The head of a row, from its fields; `names` are those of `startRows`. */
  headOfFields(names: readonly string[], fields: readonly string[]): string;
  /**
   * What stands before each field when the head of a row is a JSON object with a text for each column, as bytes; undefined
   * when it is something else. Valid after `startRows`.
   */
  memberOpenings(): readonly string[] | undefined;
  /** The bytes behind a head: the answer and the line end. */
  tailOf(answer: Answer): string;
  /** Bytes before the first row; "" for none. Complete once the first head was made. */
  header(): string;
  /** Sentences about fields that could not be written, for the end of the run. */
  losses(): readonly string[];
  /** The state that later rows depend on. */
  known(): WriterKnowledge;
}

/** The state of a writer between two records; a new writer that gets it continues there. Plain data. */
export interface WriterKnowledge {
  /** The columns that the first record gave the output. */
  readonly columns?: readonly string[] | undefined;
  /** Fields that could not be written. */
  readonly lostNames?: readonly string[];
  readonly recordsWithLosses?: number;
}

/** How rows are to be written. */
export interface WriterOptions {
  readonly resultKey: string;
  /** Whether answers contain the dialect. */
  readonly hasDialect: boolean;
  /** Whether answers contain the kind of the agent. */
  readonly hasKind: boolean;
  /** Put "'" before fields that a spreadsheet would run as a formula. */
  readonly csvSafe: boolean;
}

/**
 * One output format that writes rows, the first tier: heads are made of the records' own bytes where these are read, tails once for
 * each answer, and no record is an object. Other outputs use `DecidedConsumer` (decided.ts). Add one: a `write.ts` in its
 * folder, a row in registry.ts.
 */
export interface OutputFormat {
  readonly name: string;
  readonly about: string;
  /** With the state of an earlier writer, `known`, it continues that writer's records. */
  createWriter(options: WriterOptions, known?: WriterKnowledge): RecordWriter;
}
