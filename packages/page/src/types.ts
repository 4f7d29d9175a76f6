// What a page says to crawlers, as readonly data: statements, their directives, and the place where each one stands.

/** Where a tag stands. "noscript" and "svg" (which includes MathML): within such an element, in the head or in the body. */
export type Place = "head" | "body" | "noscript" | "svg";

/** One directive of a statement. */
export interface Directive {
  /** The name in lower case; for text that is no directive with a known value, all of it. */
  readonly name: string;
  /** The text after the colon, trimmed; undefined without one. */
  readonly value: string | undefined;
}

/** The directives that one header line or one tag addresses to the same crawlers. */
export interface Statement {
  readonly from: "x-robots-tag" | "meta";
  /** The product token, or a tag's name, in lower case; undefined in a header without product token: it is for every crawler. */
  readonly name: string | undefined;
  /** The line of the header, from 1 on, or the line of the HTML on which the tag begins. */
  readonly line: number;
  /** Undefined for a header. */
  readonly place: Place | undefined;
  /** The whole value of the header line or of the tag's `content`. */
  readonly text: string;
  /**
   * Whether the crawlers that are addressed are uncertain: lines of a header were joined, and one of them names a product token,
   * which may or may not have been for the directives of the next line.
   */
  readonly isAmbiguous: boolean;
  readonly directives: readonly Directive[];
}
