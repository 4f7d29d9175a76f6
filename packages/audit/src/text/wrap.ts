// Breaks a text into lines.

/**
 * Breaks a text at spaces into lines of at most `columns - indent` characters, or of at most 20 if that is fewer. A longer word is not
 * broken.
 */
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
