// A text in, lines out.

/** Breaks a text at spaces into lines that are `indent` shorter than `columns`. A longer word stays whole. */
export function wrap(text: string, columns: number, indent: number): readonly string[] {
  const width = Math.max(20, columns - indent);
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
