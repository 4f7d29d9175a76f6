// The words in which messages name what the caller can do: options of the library, or the flags and commands of a program.

/** Options of the library that messages name. */
const libraryOptions = [
  "agentField",
  "agents",
  "base",
  "inputFormat",
  "keepLine",
  "maxLineBytes",
  "output",
  "resultKey",
  "robots",
  "urlField",
  "without",
] as const;

/** Options that messages name. Those of the second part are options of programs only. */
export type OptionName =
  | (typeof libraryOptions)[number]
  | "add"
  | "candidate"
  | "hostField"
  | "logFormat"
  | "pathField"
  | "queryField"
  | "resume"
  | "robotsHistory"
  | "schemeField"
  | "timeField"
  | "urlTemplate";

/** Texts that only a program with commands has. */
export type CallerText =
  | "detectNames"
  | "detectWhich"
  | "detectReading"
  | "oneCrawler"
  | "fieldToLines"
  | "headingBefore"
  | "newSnapshot";

/** The words of a program. */
export interface CallerWords {
  /** Writes an option, with or without a value; undefined when the program has no such option. */
  readonly option: (name: OptionName, value: string | undefined) => string | undefined;
  readonly texts: Readonly<Partial<Record<CallerText, string>>>;
}

const names: ReadonlySet<OptionName> = new Set(libraryOptions);
let words: CallerWords = { option: (name, value) => (names.has(name) ? plain(name, value) : undefined), texts: {} };

function plain(name: OptionName, value: string | undefined): string {
  return value === undefined ? name : `${name}: ${value}`;
}

/**
 * Sets the words of all messages of this process. A program calls it once, before it calls anything else of the engine. Without a call,
 * messages name the options of `decideStream` and `decideMessages`. Returns the words before, which a test sets again.
 */
export function setCallerWords(own: CallerWords): CallerWords {
  const before = words;
  words = own;
  return before;
}

/** An option in the caller's words, with or without a value; undefined when the caller has no such option. For `hint`. */
export function option(name: OptionName, value?: string): string | undefined {
  return words.option(name, value);
}

/** Like `option`, for messages that must name the option. */
export function optionText(name: OptionName, value?: string): string {
  return words.option(name, value) ?? plain(name, value);
}

/** " (NAME)", the option to which a message points, behind it; "" when the caller has no such option. */
export function optionMark(name: OptionName): string {
  const shown = words.option(name, undefined);
  return shown === undefined ? "" : ` (${shown})`;
}

/** A text of the caller; undefined when the caller has none. */
export function callerText(name: CallerText): string | undefined {
  return words.texts[name];
}

/** The tag of a template that proposes options of the caller; undefined if the caller lacks one of them. */
export function hint(texts: TemplateStringsArray, ...values: readonly (string | undefined)[]): string | undefined {
  return values.includes(undefined) ? undefined : String.raw({ raw: texts }, ...values);
}

/** The hints that the caller can follow, joined; undefined if there are none. */
export function hints(...all: readonly (string | undefined)[]): string | undefined {
  const known = all.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : known.join("; ");
}
