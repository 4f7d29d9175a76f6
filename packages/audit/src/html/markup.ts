// Text in, HTML out in which text from a log is always text.
import { safeTextOf } from "../text/safe-text.ts";

/** A piece of HTML. Only `html` and the page's own constants make one. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template may hold. */
export type MarkupPart = Markup | string | number | readonly MarkupPart[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for content and for quoted attributes; control characters and marks of direction become `\u{…}`. */
function escapeText(text: string): string {
  return safeTextOf(text).replace(/[&<>"']/gu, (character) => entities[character]!);
}

/** The texts of templates without their line breaks. */
const compactTexts = new WeakMap<TemplateStringsArray, readonly string[]>();

/** A line break with its indentation becomes a space, or nothing between two tags, so that templates can be indented in the source. */
function compactTextsOf(strings: TemplateStringsArray): readonly string[] {
  let texts = compactTexts.get(strings);
  if (texts === undefined) {
    texts = strings.map((text) => text.replaceAll(/>\s*\n\s*</gu, "><").replaceAll(/\s*\n\s*/gu, " "));
    compactTexts.set(strings, texts);
  }
  return texts;
}

/** A template whose values are escaped unless they are markup. */
export function html(strings: TemplateStringsArray, ...values: readonly MarkupPart[]): Markup {
  return new Markup(compactTextsOf(strings).reduce((text, string, at) => text + shown(values[at - 1]!) + string));
}

function shown(value: MarkupPart): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === "string") return escapeText(value);
  return typeof value === "number" ? String(value) : value.map(shown).join("");
}

/** Nothing. */
export const nothing: Markup = new Markup("");
