// Reads the lines of X-Robots-Tag as statements: directives, and the crawlers that they address.
import { checkOptionNames, checkArgument } from "./errors.ts";
import { ItemReader } from "./items.ts";
import { isKnownDirective } from "./known-directives.ts";
import type { Directive, Statement } from "./types.ts";
import { asciiLowerOf } from "./words.ts";

/** How header lines are read. */
export interface HeaderOptions {
  /**
   * Whether a line may consist of several lines that were joined with commas, as `Headers.get` and proxies join them. In such a line, it is
   * unknown at which directive the scope of a product token ends. The statements of a line with a product token and at least two items are
   * therefore marked as ambiguous. Default: false.
   */
  readonly areJoined?: boolean;
}

/**
 * Reads the values of the X-Robots-Tag lines of a response, each line by itself. A product token applies to the directives after it, up to
 * the next product token on the same line. Takes any text, never throws for it, and takes linear time. Throws a `PageError` for an unknown
 * option.
 */
export function readXRobotsTag(lines: string | readonly string[], options?: HeaderOptions): readonly Statement[] {
  checkOptionNames(options, ["areJoined"]);
  const isText = (text: unknown): boolean => typeof text === "string";
  checkArgument(
    isText(lines) || (Array.isArray(lines) && lines.every(isText)),
    "X-Robots-Tag is a string or a list of strings",
  );
  const statements: Statement[] = [];
  const all = typeof lines === "string" ? [lines] : lines;
  for (const [index, text] of all.entries()) addLine(text, index + 1, options?.areJoined === true, statements);
  return statements;
}

function addLine(text: string, line: number, isJoined: boolean, statements: Statement[]): void {
  const reader = new ItemReader(text);
  const first = statements.length;
  let name: string | undefined;
  let directives: Directive[] = [];
  let items = 0;
  let hasProductToken = false;
  const end = (): void => {
    if (directives.length === 0 && name === undefined) return;
    statements.push({ from: "x-robots-tag", name, line, place: undefined, text, isAmbiguous: false, directives });
  };
  while (reader.hasMore) {
    const before = reader.nameBeforeColon();
    if (before !== undefined && isProductToken(before)) {
      end();
      hasProductToken = true;
      name = asciiLowerOf(before);
      directives = [];
      reader.passColon();
      continue;
    }
    const directive = reader.take();
    items++;
    if (directive !== undefined) directives.push(directive);
  }
  end();
  if (!isJoined || !hasProductToken || items < 2) return;
  for (let at = first; at < statements.length; at++) statements[at] = { ...statements[at]!, isAmbiguous: true };
}

/** Whether the text before a colon names a crawler: a token (RFC 9110 §5.6.2) that is not the name of a known directive. */
function isProductToken(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text) && !isKnownDirective(asciiLowerOf(text));
}
