// The interface of output formats, which convert records and answers to bytes (as Latin-1 strings, see text.ts).
import type { Decision, DialectName } from "@robots-stream/core";
import type { Question } from "../questions/questions.ts";
import type { TargetProblem } from "../common/target.ts";

/**
 * The reasons why a row has no decision. "not-a-crawler": no crawler made the request. "unknown-crawler": the crawler is not known.
 * "connect": the request was a CONNECT, which has no URL. Three reasons occur only with a history. "no-file": no robots.txt is known.
 * "outage": the robots.txt was unreachable for longer than crawlers use a copy. "no-time": the versions of the robots.txt disagree, and
 * the record has no time.
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
  /** The dialect in which robots.txt was parsed; present only if dialects were named. */
  readonly dialect?: DialectName;
  /** The kind of the agent, when it is not an ordinary crawler. */
  readonly kind?: Question["kind"];
  /** Whether the crawler may fetch the URL; null when there is no decision. */
  readonly allowed: boolean | null;
  /**
   * The ground of the decision, or the reason why there is no decision. With `agentField`, this is "unknown-crawler" for every decision
   * about a crawler that is not known; `group`, `rule` and `code` are then those of the decision's real ground.
   */
  readonly because: Decision["because"] | UndecidedBecause;
  /**
   * The name in robots.txt that selected the group: `*` or another name of the crawler. Absent when it is the agent's own name, except
   * with "unknown-crawler".
   */
  readonly group?: string;
  /**
   * With "unavailable" and "unreachable", the reason of the access result: "http-404", "timeout" … With "no-group", what the file is if it
   * is no robots.txt: "html", "json", "utf-16" …
   */
  readonly code?: string;
  /** Type and pattern of the rule, for example "disallow: /private"; present if a rule decides. */
  readonly rule?: string;
  /** The rule's line in the robots.txt, from 1; present if a rule decides. */
  readonly line?: number;
  /** The origin of the robots.txt; absent when the URL has no origin. */
  readonly origin?: string;
}

/** Called for each member of a JSON object, with the offsets of its raw name and its raw value, quotes included. */
export type EachMember = (keyStart: number, keyEnd: number, valueStart: number, valueEnd: number) => void;

/** A JSON object in a block, for a writer of rows; `ObjectWalker` of ndjson/walk.ts implements it. */
export interface WalkedObject {
  /** The block as a Latin-1 string. */
  readonly text: string;
  /** Offset of the closing brace of the object in the last walk. */
  readonly close: number;
  /** Walks over the object at `start` again, and calls `callback` for each member. */
  eachMember(start: number, callback: EachMember): void;
}

/** The rows of a record. "agent": one row for each agent and dialect. "record": one row with the answers for all agents. */
export type RowForm = "agent" | "record";

/** The forms of rows, the default first. */
export const rowForms: readonly RowForm[] = ["agent", "record"];
/** A field of a record: bytes as a Latin-1 string, or a number. */
export type FieldValue = string | number | undefined;

/**
 * Makes the output rows of one run. A row is the head of a record and the tail of an answer; the tail contains the line end. In row form
 * "record", the parts of the answers (`partOf`) take the place of the tail.
 */
export interface RecordWriter {
  /** The key of the added object, or the prefix of the added columns' names; as bytes. */
  readonly resultKey: string;
  /** Whether the head of a JSON object is its own bytes, from "{" up to its closing "}", which is not included. */
  readonly keepsObjects: boolean;
  /**
   * Makes the head of the JSON object at `start`, over which `walker` walked last. The object has at least one member. The method may call
   * `eachMember`.
   */
  headOfObject(walker: WalkedObject, start: number): string;
  /** Sets the columns of a source. Returns true when the bytes of the source's rows are their heads. */
  startRows(names: readonly string[], delimiter: string | undefined): boolean;
  /**
   * Makes the head of a row from its fields. `names` are the names given to `startRows`. An undefined field is absent in a JSON object
   * and empty in a row; the first field is never undefined.
   */
  headOfFields(names: readonly string[], fields: readonly FieldValue[]): string;
  /**
   * The bytes before each field, for a writer that makes a row a JSON object with a string for each column; undefined for other
   * writers. Valid after `startRows`.
   */
  memberOpenings(): readonly string[] | undefined;
  /**
   * Makes the head for a URL, as bytes. Present when a row contains only the URL of a record: the engine then uses this head and not the
   * head that the reader made.
   */
  headOfUrl?(url: string): string;
  /** Makes the bytes after a head: the answer and the line end. */
  tailOf(answer: Answer): string;
  /**
   * Makes the bytes of some agents' answers in a record's only row (row form "record"). The parts of all agents, joined in order, are the
   * bytes after the head. `isFirst`, `isLast`: whether the part is the first or last of the row. Absent in a format without this row form.
   */
  readonly partOf?: (answers: readonly Answer[], isFirst: boolean, isLast: boolean) => string;
  /** Writes members per record into tails and parts. Absent in a writer whose rows are never written, as in `detect`. */
  readonly members?: MemberWriter;
  /** Bytes before the first row; may be "". Complete after the first head was built. */
  header(): string;
  /** Sentences about fields that could not be written, for the end of the run. */
  losses(): readonly string[];
  /** The state that later rows depend on. */
  known(): WriterKnowledge;
}

/** Writes members that differ from record to record. All records with the same answer share the tail into which these are written. */
export interface MemberWriter {
  /** The members are written this number of bytes before the end of a tail. */
  readonly tailEnd: number;
  /** Like `tailEnd`, for a part that is not the last; 0 in a format without parts. */
  readonly partEnd: number;
  /** Like `tailEnd`, for the last part; 0 in a format without parts. */
  readonly lastPartEnd: number;
  /** Makes the bytes of members from their values (JSON texts). A format with columns needs all names of `WriterOptions.memberNames`. */
  bytesOf(names: readonly string[], values: readonly (string | undefined)[]): string;
}

/** The state of a writer between two records, with which a new writer can continue. Plain data. */
export interface WriterKnowledge {
  /** The output columns, which the first record determined. */
  readonly columns?: readonly string[] | undefined;
  /** Names of fields that could not be written. */
  readonly lostNames?: readonly string[];
  readonly recordsWithLosses?: number;
}

export interface WriterOptions {
  readonly resultKey: string;
  /** Whether answers contain the dialect. */
  readonly hasDialect: boolean;
  /** Whether answers contain the kind of the agent. */
  readonly hasKind: boolean;
  /** The names of all members per record, in their order; absent: none. */
  readonly memberNames?: readonly string[] | undefined;
  /** Whether "'" is written before fields that a spreadsheet would interpret as a formula. */
  readonly csvSafe: boolean;
}

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

/** Converts the rows of a writer to the text of the output, for formats whose text depends on the terminal. */
export interface RowPrinter {
  /** Converts a piece of whole rows to text. */
  print(rows: Buffer): string;
}

/**
 * An output format that writes rows. A head is made from the record's own bytes where possible, a tail once per answer, and no record
 * becomes an object; `ObjectTails` makes objects. A new format needs a `write.ts` in its folder and a
 * row in registry.ts.
 */
export interface OutputFormat {
  readonly name: string;
  readonly about: string;
  /** The forms of rows that its writers can write. */
  readonly rowForms: readonly RowForm[];
  /** Creates a writer. `known` is the state of an earlier writer, which the new one continues. */
  createWriter(options: WriterOptions, known?: WriterKnowledge): RecordWriter;
  /** Present when a printer must convert the writer's rows to the output. */
  createPrinter?(options: PrinterOptions): RowPrinter;
}
