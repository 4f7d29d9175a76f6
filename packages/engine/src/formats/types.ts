// The output format interface: records and answers in, bytes out (as Latin-1 strings, see text.ts).
import type { Decision, DialectName } from "@robots-stream/core";
import type { Question } from "../questions.ts";
import type { TargetProblem } from "../locate/target.ts";

/**
 * The reasons why a row has no decision. With a history: the robots.txt is not known ("no-file"), it was unreachable for longer than
 * copies are used ("outage"), or its versions disagree and the record has no time ("no-time"). A CONNECT has no URL ("connect").
 */
export type UndecidedBecause =
  | TargetProblem
  | "not-a-crawler"
  | "unknown-crawler"
  | "no-file"
  | "outage"
  | "no-time"
  | "connect";

/** The answer for one record and one agent. */
export interface Answer {
  /** The crawler; null when no crawler made the request. */
  readonly agent: string | null;
  /** How robots.txt was read; with `--dialect` or `dialects` only. */
  readonly dialect?: DialectName;
  /** The kind of the agent, when it is not an ordinary crawler. */
  readonly kind?: Question["kind"];
  /** Whether the crawler may fetch the URL; null when no robots.txt applies to it. */
  readonly allowed: boolean | null;
  /**
   * The ground of the decision, or the reason why there is none. With `agentField`, "unknown-crawler" stands for the ground of every
   * decision about a crawler that is not known; `group`, `rule` and `code` are then as with the ground.
   */
  readonly because: Decision["because"] | UndecidedBecause;
  /**
   * The name that selected the group, when it is not the agent's own name: `*` or another name of the crawler. With "unknown-crawler"
   * also the agent's own name.
   */
  readonly group?: string;
  /** The reason of the access result: "http-404", "timeout" …; only with "unavailable" and "unreachable". */
  readonly code?: string;
  /** Type and path pattern, "disallow: /private"; if a rule decides. */
  readonly rule?: string;
  /** The rule's line in the robots.txt, from 1; if a rule decides. */
  readonly line?: number;
  /** The origin of the robots.txt; absent when the URL has no origin. */
  readonly origin?: string;
}

/** Called with each member of a JSON object: the spans of its raw name and its raw value, quotes included. */
export type EachMember = (keyStart: number, keyEnd: number, valueStart: number, valueEnd: number) => void;

/** A JSON object in a block, for a writer of rows; `ObjectWalker` of ndjson/walk.ts implements it. */
export interface WalkedObject {
  /** The block as a Latin-1 string. */
  readonly text: string;
  /** Offset of the closing brace of the object in the last walk. */
  readonly close: number;
  /** Walks over the object at `start` again, and calls back for each member. */
  eachMember(start: number, callback: EachMember): void;
}

/** The rows of a record: one for each agent and dialect, or a single one with the answers for all agents. */
export type RowForm = "agent" | "record";

/** The forms of rows, the default first. */
export const rowForms: readonly RowForm[] = ["agent", "record"];
/** A field of a record: bytes as a Latin-1 string, or a number. */
export type FieldValue = string | number | undefined;

/** Makes output rows of one run: a record's head and an answer's tail, joined, are one row with its line end. */
export interface RecordWriter {
  /** The key of the added object, or the prefix of the added columns' names; as bytes. */
  readonly resultKey: string;
  /** Whether the head of a JSON object is its own bytes, from "{" to before "}". */
  readonly keepsObjects: boolean;
  /**
   * The head of the JSON object at `start`, which was the walker's last object; the method may use the walker. The object has
   * at least one member.
   */
  headOfObject(walker: WalkedObject, start: number): string;
  /** Sets the columns. Returns true when `headOfRow` accepts a row's bytes, including unquoted fields. */
  startRows(names: readonly string[], delimiter: string | undefined): boolean;
  /** The head of a row, from its bytes. */
  headOfRow(row: string): string;
  /**
   * The head of a row, from its fields; `names` are those of `startRows`. An undefined field is absent in a JSON object and empty in
   * a row; the first field is never undefined.
   */
  headOfFields(names: readonly string[], fields: readonly FieldValue[]): string;
  /**
   * The bytes before each field when the head of a row is a JSON object with a string member for each column; otherwise
   * undefined. Valid after `startRows`.
   */
  memberOpenings(): readonly string[] | undefined;
  /**
   * Present when rows have nothing of a record but its URL: the head for a URL, as bytes. It replaces the heads that readers
   * make.
   */
  headOfUrl?(url: string): string;
  /** The bytes after a head: the answer and the line end. */
  tailOf(answer: Answer): string;
  /**
   * The bytes that some agents' answers about one record add to its only row. The parts of all agents, joined in their order, are the bytes
   * after the head. Absent in a format that cannot have the answers for several agents in a row.
   */
  readonly partOf?: (answers: readonly Answer[], isFirst: boolean, isLast: boolean) => string;
  /** Writes members per record into the tails and parts. Absent in a writer whose rows are not written. */
  readonly members?: MemberWriter;
  /** Bytes before the first row; may be "". Complete after the first head was built. */
  header(): string;
  /** Sentences about fields that could not be written, for the end of the run. */
  losses(): readonly string[];
  /** The state that later rows depend on. */
  known(): WriterKnowledge;
}

/** Writes members that differ from record to record into a tail that was built for all records of a decision. */
export interface MemberWriter {
  /** The number of bytes of a tail that come after the members. */
  readonly tailEnd: number;
  /** Like `tailEnd`, for the part of a single agent and for the part of the last agent; 0 in a format without parts. */
  readonly partEnd: number;
  readonly lastPartEnd: number;
  /** The bytes of the members with these names, from their values as JSON texts; for columns, the names are `WriterOptions.memberNames`. */
  bytesOf(names: readonly string[], values: readonly (string | undefined)[]): string;
}

/** The state of a writer between two records. A new writer with this state continues there. Plain data. */
export interface WriterKnowledge {
  /** The output columns, which the first record determined. */
  readonly columns?: readonly string[] | undefined;
  /** Fields that could not be written. */
  readonly lostNames?: readonly string[];
  readonly recordsWithLosses?: number;
}

/** The settings of a writer. */
export interface WriterOptions {
  readonly resultKey: string;
  /** Whether answers contain the dialect. */
  readonly hasDialect: boolean;
  /** Whether answers contain the kind of the agent. */
  readonly hasKind: boolean;
  /** The names of all members per record, in their order; absent: none. */
  readonly memberNames?: readonly string[] | undefined;
  /** Put "'" before fields that a spreadsheet would run as a formula. */
  readonly csvSafe: boolean;
}

/** The settings of a printer. */
export interface PrinterOptions {
  /** The terminal's width, which may change; undefined: lines have no limit. */
  columns(): number | undefined;
  /** Whether lines name the agent, because there are several. */
  readonly hasAgent: boolean;
  readonly hasDialect: boolean;
  /** Adds colour to a text without control characters, or returns it unchanged. */
  paint(style: "dim" | "green" | "red", text: string): string;
  /** The number of terminal columns of a character: none for a combining mark, two for an East Asian one. */
  widthOf(codePoint: number): number;
}

/** Turns the rows of a writer into the text that is written, for formats whose rows depend on the terminal. */
export interface RowPrinter {
  /** The text of a piece of whole rows. */
  print(rows: Buffer): string;
}

/**
 * An output format of the first tier, which writes rows. Heads come from the records' own bytes where possible; a tail is
 * built once per answer; no record becomes an object. Other outputs use `DecidedConsumer` (decided.ts). To add a format: a
 * `write.ts` in its folder, a row in registry.ts.
 */
export interface OutputFormat {
  readonly name: string;
  readonly about: string;
  /** The forms of rows that its writers can write. */
  readonly rowForms: readonly RowForm[];
  /** Creates a writer. `known` is the state of an earlier writer, which the new one continues. */
  createWriter(options: WriterOptions, known?: WriterKnowledge): RecordWriter;
  /** Present when the writer's rows are printed: they are not the output yet. */
  createPrinter?(options: PrinterOptions): RowPrinter;
}
