// Finds the patterns of logs in a server's configuration: nginx's log_format statements, Apache's LogFormat directives, lighttpd's
// accesslog.format, or one copied pattern.

/** A pattern with its name. */
export interface NamedPattern {
  /** Undefined for a LogFormat without a nickname. */
  readonly name: string | undefined;
  readonly pattern: string;
}

/** The maximum number of patterns that are read from a configuration, and of words that are read from one log_format statement. */
const mostPatterns = 1_000;

/** A word of nginx's configuration: in quotes, or up to white space, a semicolon or a brace. */
const nginxWord = /\s*(?:"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|((?:[^\s;{}"'\\]|\\[^])(?:[^\s;{}\\]|\\[^])*))/y;

/** The patterns that a configuration defines, in their order. */
export function patternsOf(configuration: string): readonly NamedPattern[] {
  const found: NamedPattern[] = [];
  const text = configuration.replaceAll(/^[ \t]*#.*$/gm, "").replaceAll(/\\\r?\n/g, "");
  for (const statement of text.matchAll(
    /^[ \t]*(?:(log_format)|(LogFormat|accesslog\.format)(?:[ \t]*=)?)[ \t\r\n]+/gim,
  )) {
    if (found.length === mostPatterns) break;
    const from = statement.index + statement[0].length;
    const pattern = statement[1] === undefined ? apacheAt(text, from) : nginxAt(text, from);
    if (pattern !== undefined) found.push(pattern);
  }
  return found;
}

/**
 * The pattern in a text copied from a configuration: a whole statement, nginx's quoted words, Apache's quoted word, or only the pattern,
 * possibly with backslashes before its quotes.
 */
export function patternIn(written: string): string {
  const text = written.trim();
  const [statement] = patternsOf(text);
  if (statement !== undefined) return statement.pattern;
  if (text.startsWith("'")) return nginxAt(`x ${text}`, 0)?.pattern ?? text;
  if (/^"(?:[^"\\]|\\[^])*"(?:\s+[\w-]+)?$/.test(text)) return apacheAt(text, 0)!.pattern;
  return unescaped(written.replaceAll(/\\?\r?\n\s*/g, ""));
}

/** The words after `log_format`: a name, perhaps `escape=…`, and the parts of the pattern. */
function nginxAt(text: string, from: number): NamedPattern | undefined {
  const words: string[] = [];
  nginxWord.lastIndex = from;
  for (let found = nginxWord.exec(text); found !== null && words.length < mostPatterns; found = nginxWord.exec(text)) {
    words.push(unescaped(found[1] ?? found[2] ?? found[3]!));
  }
  const [name, ...parts] = words;
  const pattern = parts.filter((part, index) => index > 0 || !/^escape=\w+$/.test(part)).join("");
  return pattern === "" ? undefined : { name, pattern };
}

/** The words after `LogFormat`: a pattern, usually in quotes, and perhaps a nickname. */
function apacheAt(text: string, from: number): NamedPattern | undefined {
  const words = /[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|([^\s"']\S*))(?:[ \t]+([\w.-]+))?/y;
  words.lastIndex = from;
  const found = words.exec(text);
  if (found === null) return undefined;
  return { name: found[4], pattern: unescaped(found[1] ?? found[2] ?? found[3]!) };
}

/** A text with the escapes of quotes, spaces, backslashes, tabs and line ends decoded. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(["'\\ tn])/g, (_all, escaped: string) =>
    escaped === "t" ? "\t" : escaped === "n" ? "\n" : escaped,
  );
}
