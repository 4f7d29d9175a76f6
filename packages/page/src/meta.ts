// Reads `<meta>` tags with a name and a content as statements.
import { checkArgument } from "./errors.ts";
import { ItemReader } from "./items.ts";
import type { Directive, Mistake, Place, Statement } from "./types.ts";
import { asciiLowerOf, trimmedOf } from "./words.ts";

/** A `<meta>` tag, with its character references decoded. */
export interface MetaTag {
  readonly name: string;
  readonly content: string;
  /** Default: "head". */
  readonly place?: Place;
  /** The line on which the tag begins. Default: the number of the tag in the list, from 1. */
  readonly line?: number;
  /** The attribute that the tag has in place of `name` or `content`. Default: none. */
  readonly mistake?: Mistake | undefined;
}

/** Reads tags with any names; each engine uses only some of them. Takes any text, never throws for it, and takes linear time. */
export function readMetaTags(tags: Iterable<MetaTag>): readonly Statement[] {
  const statements: Statement[] = [];
  const isTag = ({ name, content }: Partial<MetaTag>): boolean =>
    typeof name === "string" && typeof content === "string";
  const given: readonly unknown[] = Array.isArray(tags) ? tags : [];
  checkArgument(
    typeof (tags as Iterable<MetaTag> | null | undefined)?.[Symbol.iterator] === "function" &&
      typeof tags !== "string" &&
      given.every((tag) => isTag(Object(tag) as Partial<MetaTag>)),
    "Meta tags are a list of objects with a name and a content",
  );
  for (const { name, content, place = "head", line = statements.length + 1, mistake } of tags) {
    statements.push({
      from: "meta",
      name: asciiLowerOf(trimmedOf(name, 0, name.length)),
      line,
      place,
      text: content,
      isAmbiguous: false,
      ...(mistake === undefined ? {} : { mistake }),
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
