// Makes a workflow command of GitHub Actions that annotates a line of a file with a message.
import { printableOf } from "@robots-stream/engine/internal";

/** A message about a line of a file, about a whole file, or about neither. */
export interface Annotation {
  readonly level: "error" | "warning" | "notice";
  /** A file of the repository; undefined for a source that is not in the repository. */
  readonly file: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly title: string;
  readonly message: string;
}

/** The workflow command of an annotation, as one line. */
export function annotationOf({ level, file, line, column, title, message }: Annotation): string {
  const places = [
    ...(file === undefined
      ? []
      : [`file=${propertyOf(printableOf(file.replaceAll("\\", "/").replace(/^\.\//, ""), 500))}`]),
    ...(file === undefined || line === undefined ? [] : [`line=${line}`]),
    ...(file === undefined || column === undefined ? [] : [`col=${column}`]),
    `title=${propertyOf(title)}`,
  ];
  return `::${level} ${places.join(",")}::${messageOf(printableOf(message, 2000))}\n`;
}

function messageOf(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function propertyOf(text: string): string {
  return messageOf(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
