// Tags with a name and a content in, statements out.
import { ItemReader } from "./items.ts";
import type { Directive, Place, Statement } from "./types.ts";
import { asciiLowerOf, trimmedOf } from "./words.ts";

/** A `<meta>` tag, with its character references decoded. */
export interface MetaTag {
  readonly name: string;
  readonly content: string;
  /** Default: "head". */
  readonly place?: Place;
  /** The line on which it begins. Default: its number among the tags, from 1 on. */
  readonly line?: number;
}

/** Reads tags with any names; each engine uses only some of them. Takes any text, never throws for it, and takes linear time. */
export function readMetaTags(tags: Iterable<MetaTag>): readonly Statement[] {
  const statements: Statement[] = [];
  for (const { name, content, place = "head", line = statements.length + 1 } of tags) {
    statements.push({
      from: "meta",
      name: asciiLowerOf(trimmedOf(name, 0, name.length)),
      line,
      place,
      text: content,
      isAmbiguous: false,
      directives: directivesOf(content),
    });
  }
  return statements;
}

function directivesOf(content: string): readonly Directive[] {
  const directives: Directive[] = [];
  const reader = new ItemReader(content);
  while (reader.hasMore) {
    const directive = reader.take();
    if (directive !== undefined) directives.push(directive);
  }
  return directives;
}
