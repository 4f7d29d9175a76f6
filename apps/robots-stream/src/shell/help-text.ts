// A help text in, the same text with its lines wrapped to a width out. A help text has one line for each paragraph, row and example.

/** A description gets a line of its own where less than this is left beside the name. */
const leastDescription = 28;
/** The indentation of such a description. */
const ownLineIndent = 8;
/** Lines are no longer than this on any terminal: longer ones are hard to read. */
export const mostHelpColumns = 100;

/** A help text, to be printed for the width of the output. */
export interface HelpText {
  readonly help: string;
}

/** Wraps every line to at most `columns` columns, as far as its words allow. */
export function wrapHelp(text: string, columns: number): string {
  return text
    .split("\n")
    .flatMap((line) => (line.length <= columns ? [line] : wrapLine(line, columns)))
    .join("\n");
}

/** A name and its description, with two or more spaces between them. */
const row = /^(\s*\S.*?\s{2,})(\S.*)$/;

function wrapLine(line: string, columns: number): readonly string[] {
  const [, name, description] = row.exec(line) ?? [];
  if (name === undefined || description === undefined) {
    const indent = /^\s*/.exec(line)![0].length;
    // The following lines of an indented one, an example, are indented further.
    const lines = wrapWords(line.trim(), columns - indent - (indent === 0 ? 0 : 4));
    return lines.map((words, at) => " ".repeat(indent === 0 || at === 0 ? indent : indent + 4) + words);
  }
  if (columns - name.length >= leastDescription) {
    const lines = wrapWords(description, columns - name.length);
    return lines.map((words, at) => (at === 0 ? name : " ".repeat(name.length)) + words);
  }
  const lines = wrapWords(description, columns - ownLineIndent).map((words) => " ".repeat(ownLineIndent) + words);
  return [...wrapLine(name.trimEnd(), columns), ...lines];
}

/** The words in lines of at most `width` columns; a longer word has a line of its own. */
function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
