// The statements of a page to crawlers as readonly data: their directives and their places.

/** The place of a tag. "noscript" and "svg" (which includes MathML): within such an element, in the head or in the body. */
export type Place = "head" | "body" | "noscript" | "svg";

/** One directive of a statement. */
export interface Directive {
  /** The name in lower case. For an item that is not a known directive with a value, the whole item in lower case. */
  readonly name: string;
  /** The trimmed text after the colon of a known directive with a value; undefined for any other item. */
  readonly value: string | undefined;
}

/** The directives that one header line or one tag addresses to the same crawlers. */
export interface Statement {
  readonly from: "x-robots-tag" | "meta";
  /** The product token, or a tag's name, in lower case; undefined in a header without a product token, which addresses every crawler. */
  readonly name: string | undefined;
  /** The line of the header, from 1 on, or the line of the HTML on which the tag begins. */
  readonly line: number;
  /** Undefined for a header. */
  readonly place: Place | undefined;
  /** The whole value of the header line or of the tag's `content`. */
  readonly text: string;
  /**
   * Whether it is uncertain which crawlers the statement addresses. This is so if header lines may have been joined: a product token of one
   * line may or may not apply to the directives of the line that was joined to it.
   */
  readonly isAmbiguous: boolean;
  readonly directives: readonly Directive[];
}
