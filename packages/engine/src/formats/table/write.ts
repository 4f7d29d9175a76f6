// The output format `table`: aligned lines, no wider than the terminal. The writer makes rows for the printer: the URL as a JSON string, a
// tab, the answer as JSON. JSON escapes tabs and line ends, so that no record can break a row. In the printer's lines, control characters of
// the records become escapes.
import { byteStringOf, printableOf } from "../../common/text.ts";
import { jsonMembersOf, ndjson } from "../ndjson/write.ts";
import type { Answer, OutputFormat, PrinterOptions, RowPrinter } from "../types.ts";
import { cutEnd, cutMiddle, markOf, membersTextOf, type Verdict, verdictOf, whyOf, widthWithin } from "./text.ts";

export const table: OutputFormat = {
  name: "table",
  about: "lines for people: the decision, the URL, why",
  rowForms: ["agent"],
  createWriter: (options, known) => ({
    ...ndjson.createWriter(options, known),
    // `headOfUrl` makes the heads. The heads that readers request are not used.
    resultKey: noKey,
    startRows: () => true,
    headOfFields: () => "",
    memberOpenings: () => undefined,
    headOfUrl: (url) => byteStringOf(JSON.stringify(url)),
    members: { tailEnd: "}\n".length, partEnd: 0, lastPartEnd: 0, bytesOf: jsonMembersOf },
    tailOf: (answer) => `\t${byteStringOf(JSON.stringify(answer))}\n`,
  }),
  createPrinter: (options) => new TablePrinter(options),
};

/**
 * The result key of a table. Readers refuse a record that has a member of this name. A table adds no member, so the key is a name that no
 * record is expected to have.
 */
const noKey = "robots-stream: no key";

/** Terminal columns between two fields. */
const gap = 2;
/** Width of a mark and the longest word. */
const verdictWidth = 12;
/** Width of the longest name of a dialect. */
const dialectWidth = 7;
/** Widths of the URL's column: the smallest, the step of growth, and the largest when the width of lines has no limit. */
const leastUrlWidth = 24;
const urlWidthStep = 8;
const mostUrlWidth = 60;
/** Widths of the agent's column. */
const leastAgentWidth = 4;
const mostAgentWidth = 24;
/** The greatest width of the agent's column on terminals narrower than `wideColumns`. */
const mostAgentWidthIfNarrow = 16;
const wideColumns = 100;
/** The reason's column: its share of the width that the URL and the reason have together, and its smallest and largest width. */
const whyShare = 0.35;
const leastWhyWidth = 24;
const mostWhyWidth = 60;
/** When less than this is left for the URL and the reason, each row takes two lines. */
const leastShared = leastUrlWidth + gap + 18;
/** Largest number of different answers whose texts are cached. */
const mostAnswers = 10_000;

/** The texts of an answer in its line. */
interface AnswerText {
  readonly verdict: Verdict;
  readonly agent: string;
  readonly dialect: string;
  readonly why: string;
}

interface TableRow {
  readonly url: string;
  readonly answer: AnswerText;
}

const colours = { allowed: "green", disallowed: "red", undecided: "dim", "no crawler": "dim" } as const;

/** Prints rows in pieces. The columns of agents and URLs grow with their contents, up to the width of the terminal. */
class TablePrinter implements RowPrinter {
  readonly #options: PrinterOptions;
  readonly #answers = new Map<string, AnswerText>();
  #agentWidth = leastAgentWidth;
  #mostAgentWidth = mostAgentWidth;
  #urlWidth = leastUrlWidth;

  constructor(options: PrinterOptions) {
    this.#options = options;
  }

  print(rows: Buffer): string {
    const parsed: TableRow[] = [];
    for (let at = 0; at < rows.length;) {
      const end = rows.indexOf("\n", at);
      parsed.push(this.#rowOf(rows.toString("utf8", at, end)));
      at = end + 1;
    }
    const columns = this.#options.columns();
    this.#mostAgentWidth = columns !== undefined && columns < wideColumns ? mostAgentWidthIfNarrow : mostAgentWidth;
    const isNarrow = columns !== undefined && columns - this.#leftWidth(this.#mostAgentWidth) < leastShared;
    if (!isNarrow) this.#grow(parsed, columns);
    const lines = parsed.map((row) => (isNarrow ? this.#twoLinesOf(row, columns) : this.#lineOf(row, columns)));
    return lines.join("");
  }

  #rowOf(text: string): TableRow {
    // The URL is a JSON string, which contains no tab: the first tab is the separator.
    const tab = text.indexOf("\t");
    const url = JSON.parse(text.slice(0, tab)) as string;
    return { url: printableOf(url, Infinity), answer: this.#answerOf(text.slice(tab + 1)) };
  }

  #answerOf(json: string): AnswerText {
    const known = this.#answers.get(json);
    if (known !== undefined) return known;
    const answer = JSON.parse(json) as Answer;
    const text: AnswerText = {
      verdict: verdictOf(answer),
      agent: answer.agent === null ? "–" : printableOf(answer.agent, Infinity),
      dialect: answer.dialect ?? "",
      why: printableOf(whyOf(answer) + membersTextOf(answer), Infinity),
    };
    if (this.#answers.size === mostAnswers) this.#answers.clear();
    this.#answers.set(json, text);
    return text;
  }

  /** Widens the columns of agents and URLs for these rows. */
  #grow(rows: readonly TableRow[], columns: number | undefined): void {
    const { hasAgent, widthOf } = this.#options;
    const most = columns ?? mostUrlWidth;
    for (const { url, answer } of rows) {
      if (hasAgent) this.#agentWidth = Math.max(this.#agentWidth, widthWithin(answer.agent, most, widthOf));
      this.#urlWidth = Math.max(this.#urlWidth, widthWithin(url, most, widthOf));
    }
    this.#agentWidth = Math.min(this.#agentWidth, this.#mostAgentWidth);
    const stepped = Math.ceil(this.#urlWidth / urlWidthStep) * urlWidthStep;
    this.#urlWidth = Math.min(stepped, columns === undefined ? mostUrlWidth : this.#mostUrlWidthOf(columns));
  }

  /** The largest width of the URL on a terminal of `columns` columns: the width that the other fields and the reason leave. */
  #mostUrlWidthOf(columns: number): number {
    const shared = columns - this.#leftWidth();
    const why = Math.min(mostWhyWidth, Math.max(leastWhyWidth, Math.floor(shared * whyShare)));
    return Math.max(leastUrlWidth, shared - gap - why);
  }

  /** The width of all fields before the URL. */
  #leftWidth(agentWidth: number = this.#agentWidth): number {
    const { hasAgent, hasDialect } = this.#options;
    return verdictWidth + gap + (hasAgent ? agentWidth + gap : 0) + (hasDialect ? dialectWidth + gap : 0);
  }

  #lineOf({ url, answer }: TableRow, columns: number | undefined): string {
    const { hasAgent, hasDialect, widthOf } = this.#options;
    const { agent, dialect, why } = answer;
    const shownUrl = columns === undefined ? url : cutMiddle(url, this.#urlWidth, widthOf);
    const whyWidth = columns === undefined ? Infinity : columns - this.#leftWidth() - this.#urlWidth - gap;
    const parts = [
      this.#paintVerdict(answer, padded(verdictTextOf(answer), verdictWidth, widthOf)),
      ...(hasAgent ? [padded(cutEnd(agent, this.#agentWidth, widthOf), this.#agentWidth, widthOf)] : []),
      ...(hasDialect ? [padded(dialect, dialectWidth, widthOf)] : []),
      padded(shownUrl, this.#urlWidth, widthOf),
      this.#paintWhy(answer, whyWidth === Infinity ? why : cutEnd(why, whyWidth, widthOf)),
    ];
    return `${parts.join(" ".repeat(gap))}\n`;
  }

  /** Makes two lines: the first with the URL, the second with all other fields. */
  #twoLinesOf({ url, answer }: TableRow, columns: number): string {
    const { hasAgent, hasDialect, widthOf } = this.#options;
    const { verdict, agent, dialect, why } = answer;
    const indent = " ".repeat(gap);
    const room = columns - indent.length;
    const before = [verdict, ...(hasAgent ? [agent] : []), ...(hasDialect ? [dialect] : [])].join(" ");
    const shownBefore = cutEnd(before, room, widthOf);
    const left = room - widthWithin(shownBefore, room, widthOf) - gap;
    const second = [this.#paintVerdict(answer, shownBefore), ...(left < 1 ? [] : [cutEnd(why, left, widthOf)])];
    const mark = this.#paintVerdict(answer, markOf[verdict]);
    return `${mark} ${cutMiddle(url, room, widthOf)}\n${indent}${second.join(indent)}\n`;
  }

  #paintVerdict({ verdict }: AnswerText, text: string): string {
    return this.#options.paint(colours[verdict], text);
  }

  /** Dims the reason, except for a disallowed URL. */
  #paintWhy({ verdict }: AnswerText, text: string): string {
    return verdict === "disallowed" ? text : this.#options.paint("dim", text);
  }
}

function verdictTextOf({ verdict }: AnswerText): string {
  return `${markOf[verdict]} ${verdict}`;
}

/** The text with spaces after it up to a width. */
function padded(text: string, width: number, widthOf: PrinterOptions["widthOf"]): string {
  return text + " ".repeat(Math.max(0, width - widthWithin(text, width, widthOf)));
}
