// Reads a Markdown page: the anchors of its headings, its links and its blocks of code.

/** A link in a page. */
interface Link {
  readonly target: string;
  /** The line number, counted from 1. */
  readonly line: number;
}

/** A fenced or indented block of code. */
export interface CodeBlock {
  /** The word after the fence, such as "console"; empty for a fence without a word and for an indented block. */
  readonly language: string;
  readonly body: string;
  /** The line of the fence, or the first line of an indented block. */
  readonly line: number;
  /** The text of the comment directly before the block, "not run: X" for `<!-- not run: X -->`; empty if there is no comment. */
  readonly comment: string;
}

/** The parts of a page. */
export interface Page {
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly Link[];
  readonly blocks: readonly CodeBlock[];
}

const fence = /^ {0,3}(`{3,})([^`]*)$/u;

/** Reads a page. The project's pages have ATX headings, inline links and bare URLs, and no raw HTML except comments. */
export function readPage(text: string): Page {
  const anchors = new Map<string, number>();
  const links: Link[] = [];
  const blocks: CodeBlock[] = [];
  const lines = text.split("\n");
  let before = "";
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const opening = fence.exec(line);
    const isIndented = line.startsWith("    ") && before === "";
    if (opening === null && !isIndented) {
      addHeading(anchors, line);
      links.push(...linksOf(line).map((target) => ({ target, line: index + 1 })));
      before = line;
      continue;
    }
    const end = opening === null ? endOfIndented(lines, index) : endOfFence(lines, index + 1, opening[1]!);
    const body = lines.slice(opening === null ? index : index + 1, end).join("\n");
    blocks.push({
      language: opening?.[2]?.trim() ?? "",
      body: opening === null ? body.replaceAll(/^ {4}/gmu, "") : body,
      line: index + 1,
      comment: /^<!-- (.*) -->$/u.exec(before === "" ? (lines[index - 2] ?? "") : before)?.[1] ?? "",
    });
    index = opening === null ? end - 1 : end;
    before = "-";
  }
  return { anchors: new Set(anchors.keys()), links, blocks };
}

function endOfFence(lines: readonly string[], from: number, marks: string): number {
  const end = lines.findIndex((line, index) => index >= from && line.trim() === marks);
  return end < 0 ? lines.length : end;
}

function endOfIndented(lines: readonly string[], from: number): number {
  const end = lines.findIndex((line, index) => index > from && line !== "" && !line.startsWith("    "));
  return end < 0 ? lines.length : end;
}

/** Adds the anchor that GitHub gives a heading; the anchors of repeated headings end in -1, -2 and so on. */
function addHeading(anchors: Map<string, number>, line: string): void {
  const heading = /^#{1,6} +(.*)$/u.exec(line)?.[1];
  if (heading === undefined) return;
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, "$1").toLowerCase();
  const anchor = text.replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
  const times = anchors.get(anchor) ?? 0;
  anchors.set(anchor, times + 1);
  if (times > 0) anchors.set(`${anchor}-${times}`, 1);
}

/** The targets of links and images in a line, and its bare URLs; links inside code are ignored. */
function linksOf(line: string): readonly string[] {
  const text = line.replaceAll(/(`+)(?:(?!\1).)*\1/gu, "code");
  const targets = [...text.matchAll(/\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)/gu)].map(([, target]) => target!);
  const rest = text.replaceAll(/\]\([^)]*\)/gu, "]");
  return [...targets, ...[...rest.matchAll(/\bhttps?:\/\/[^\s<>|)\]]+[^\s<>|)\].,;:]/gu)].map(([url]) => url)];
}
