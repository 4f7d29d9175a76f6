// The statements of a page to crawlers as readonly data: their directives and their places.

/** The place of a tag. "noscript" and "svg" (which includes MathML): within such an element, in the head or in the body. */
export type Place = "head" | "body" | "noscript" | "svg";

/** An attribute that authors write instead of another: `property` instead of `name`, `value` instead of `content`. */
export type Mistake = "property" | "value";

/** One directive of a statement. */
export interface Directive {
  /** For a directive that takes a value, the text before the colon; otherwise the whole item. Trimmed, in lower case. */
  readonly name: string;
  /** The text after the colon, trimmed; undefined if the whole item is the name. */
  readonly value: string | undefined;
}

/** The directives that one header line or one tag addresses to the same crawlers. */
export interface Statement {
  readonly from: "x-robots-tag" | "meta";
  /**
   * The product token in the header line, or the tag's `name`; in lower case. Undefined for the directives before the first product token
   * of a header line, because they address every crawler.
   */
  readonly name: string | undefined;
  /** The line of the header, from 1 on, or the line of the HTML on which the tag begins. */
  readonly line: number;
  /** Undefined for a header. */
  readonly place: Place | undefined;
  /** The whole value of the header line or of the tag's `content`. */
  readonly text: string;
  /**
   * Whether it is uncertain which crawlers are addressed: the line may be several lines that were joined, and a product token applies only
   * to the directives of its own line.
   */
  readonly isAmbiguous: boolean;
  /** The wrong attribute of a tag, in place of `name` or `content`: no engine documents that it reads such a tag. */
  readonly mistake?: Mistake | undefined;
  readonly directives: readonly Directive[];
}
