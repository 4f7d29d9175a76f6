// Finds start tags and their places in HTML. Implements the parts of the HTML standard's tree construction that decide the place of a tag
// and how the text after it is tokenized, with scripting off (§13.2.6).
import { Token, type TokenHandler, Tokenizer, TokenizerMode, foreignContent, html } from "parse5";
import type { Place } from "./types.ts";

/** A tag, with its character references decoded. */
export interface FoundTag {
  readonly tagName: string;
  readonly attribute: (name: string) => string | null;
  readonly place: Place;
  /** The line on which the tag begins. */
  readonly line: number;
}

/** Elements whose content is text, with the tokenizer's mode for that text. */
const textElements: ReadonlyMap<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]> = new Map([
  ["title", TokenizerMode.RCDATA],
  ["textarea", TokenizerMode.RCDATA],
  ["style", TokenizerMode.RAWTEXT],
  ["xmp", TokenizerMode.RAWTEXT],
  ["iframe", TokenizerMode.RAWTEXT],
  ["noembed", TokenizerMode.RAWTEXT],
  ["noframes", TokenizerMode.RAWTEXT],
  ["script", TokenizerMode.SCRIPT_DATA],
  ["plaintext", TokenizerMode.PLAINTEXT],
]);

/** Start tags that may occur in the head; any other start tag begins the body. */
const headTags: ReadonlySet<string> = new Set(
  "html head base basefont bgsound link meta title noscript noframes style script template".split(" "),
);
/** The tags of `headTags` that may not occur in a noscript in the head, besides noscript itself. */
const notInHeadNoscript: ReadonlySet<string> = new Set("base title script template".split(" "));
/** End tags that begin the body. */
const bodyEndTags: ReadonlySet<string> = new Set(["body", "html", "br"]);

/** Handles the tokens of one page. */
export class TagFinder implements TokenHandler {
  readonly #tokenizer: Tokenizer;
  readonly #onTag: (tag: FoundTag) => void;
  #stopAfter = Number.POSITIVE_INFINITY;
  /**
   * Whether a token other than text ended after `#stopAfter`. The tokenizer's own offset does not show this, because that offset may be
   * inside a tag.
   */
  #isPast = false;
  /**
   * The open elements that change the namespace, outermost first: svg, math and integration points, each with the namespace of its content.
   */
  readonly #namespaces: { readonly namespace: html.NS; readonly tagName: string }[] = [];
  #isHead = true;
  /** Whether `</head>` was read. A noscript after `</head>` begins the body. */
  #isAfterHead = false;
  #noscripts = 0;
  /** For each open template, the length of `#namespaces` at the template's start tag. */
  readonly #templates: number[] = [];
  /** Whether the current tokens are the text of a title, a script or a similar element. */
  #isInText = false;

  /** `onTag` is called for each start tag that is not in a template. */
  constructor(onTag: (tag: FoundTag) => void) {
    this.#tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, this);
    this.#onTag = onTag;
  }

  /** Reads a page to its end, or until a token other than text ends after the offset `stopAfter`. */
  read(page: string, stopAfter: number): void {
    this.#stopAfter = stopAfter;
    const tokenizer = this.#tokenizer;
    const step = 16_384;
    for (let at = 0; at < page.length && !this.#isPast; at += step) {
      tokenizer.write(page.slice(at, at + step), at + step >= page.length);
    }
  }

  /** Called at the end of each token that is not text. */
  #seeEnd(): void {
    if (this.#tokenizer.preprocessor.offset > this.#stopAfter) this.#isPast = true;
  }

  onStartTag(token: Token.TagToken): void {
    const { tagName } = token;
    this.#seeEnd();
    const isForeign = this.#isForeign;
    const isSvg = this.#namespaces.length > 0;
    if (isForeign && foreignContent.causesExit(token)) this.#leaveForeign();
    if (this.#isForeign) this.#enterWithin(token);
    else this.#startHtml(tagName, token);
    if (this.#templates.length > 0) return;
    const attribute = (name: string): string | null => Token.getTokenAttr(token, name);
    const line = token.location?.startLine ?? 1;
    this.#onTag({ tagName, attribute, place: isSvg ? "svg" : this.#place, line });
  }

  onEndTag({ tagName }: Token.TagToken): void {
    this.#seeEnd();
    this.#isInText = false;
    const last = this.#namespaces.at(-1);
    if (tagName === "template") this.#leaveTemplate();
    else if (this.#isForeign) {
      if (tagName === "p" || tagName === "br") this.#leaveForeign();
      else if (tagName === last?.tagName) this.#leave();
    } else if (tagName === last?.tagName) this.#leave();
    else if (this.#templates.length > 0) return;
    else if (tagName === "noscript") this.#noscripts = Math.max(0, this.#noscripts - 1);
    // A noscript in the head ignores all other end tags except `</br>`.
    else if (this.#isHead && this.#noscripts > 0 && tagName !== "br") return;
    else if (tagName === "head") this.#isAfterHead = true;
    else if (bodyEndTags.has(tagName)) this.#beginBody();
  }

  onCharacter(): void {
    if (!this.#isInText && this.#templates.length === 0) this.#beginBody();
  }

  /** Outside of the body, a null character is ordinary text. */
  onNullCharacter(): void {
    this.onCharacter();
  }

  onWhitespaceCharacter(): void {}
  onComment(): void {
    this.#seeEnd();
  }
  onDoctype(): void {
    this.#seeEnd();
  }
  onEof(): void {}

  get #place(): Place {
    return this.#noscripts > 0 ? "noscript" : this.#isHead ? "head" : "body";
  }

  get #isForeign(): boolean {
    return this.#namespace !== html.NS.HTML;
  }

  get #namespace(): html.NS {
    return this.#namespaces.at(-1)?.namespace ?? html.NS.HTML;
  }

  /** Handles a start tag of an HTML element, or of the outermost element of SVG or MathML. */
  #startHtml(tagName: string, { selfClosing }: Token.TagToken): void {
    if (this.#templates.length === 0) this.#seeInHead(tagName);
    if (tagName === "template") this.#templates.push(this.#namespaces.length);
    else if (tagName === "noscript" && this.#templates.length === 0) this.#noscripts++;
    else if (tagName === "svg" && !selfClosing) this.#enter(html.NS.SVG, tagName);
    else if (tagName === "math" && !selfClosing) this.#enter(html.NS.MATHML, tagName);
    const mode = textElements.get(tagName);
    if (mode === undefined) return;
    this.#tokenizer.state = mode;
    this.#isInText = true;
  }

  #seeInHead(tagName: string): void {
    if (!this.#isHead) return;
    const isHeadTag = headTags.has(tagName) && !(this.#isAfterHead && tagName === "noscript");
    if (!isHeadTag || (this.#noscripts > 0 && (tagName === "noscript" || notInHeadNoscript.has(tagName)))) {
      // In a noscript of the head, a tag of the head ends the noscript, not the head.
      if (this.#noscripts > 0 && isHeadTag) this.#noscripts = 0;
      else this.#beginBody();
    }
  }

  /** Begins the body, which also ends a noscript of the head. Has no effect in the body. */
  #beginBody(): void {
    if (!this.#isHead) return;
    this.#isHead = false;
    this.#noscripts = 0;
  }

  /** Handles a start tag within SVG or MathML. */
  #enterWithin(token: Token.TagToken): void {
    const { tagName, tagID, attrs, selfClosing } = token;
    if (selfClosing) return;
    const current = this.#namespace;
    // Within SVG, `math` is an element of SVG, not of MathML.
    if (tagName === "svg" || tagName === "math") this.#enter(current, tagName);
    else if (foreignContent.isIntegrationPoint(foreignTagOf(tagName, tagID), current, attrs)) {
      this.#enter(html.NS.HTML, tagName);
    }
  }

  #enter(namespace: html.NS, tagName: string): void {
    this.#namespaces.push({ namespace, tagName });
    this.#tokenizer.inForeignNode = this.#isForeign;
  }

  #leave(): void {
    this.#namespaces.pop();
    this.#tokenizer.inForeignNode = this.#isForeign;
  }

  /** Ends a template and the open elements in it. */
  #leaveTemplate(): void {
    const depth = this.#templates.pop();
    while (depth !== undefined && this.#namespaces.length > depth) this.#leave();
  }

  /** Leaves the open elements of SVG and MathML until the namespace is HTML. */
  #leaveForeign(): void {
    while (this.#isForeign) this.#leave();
  }
}

/**
 * The parse5 ID of a tag within SVG. parse5 finds the ID of `foreignObject` by its name with the capital letter, which the names of tokens
 * lack.
 */
function foreignTagOf(tagName: string, tagID: html.TAG_ID): html.TAG_ID {
  return tagName === "foreignobject" ? html.TAG_ID.FOREIGN_OBJECT : tagID;
}
