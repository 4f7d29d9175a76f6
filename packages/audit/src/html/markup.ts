// Makes HTML from templates. Every value is escaped, so that text from a log never becomes markup.
import { safeTextOf } from "../text/safe-text.ts";

/** A piece of HTML. Only `html` and constants of the page create instances. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The values that a template may contain. */
export type MarkupPart = Markup | string | number | readonly MarkupPart[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for content and for quoted attributes. Control characters and invisible characters become visible escapes. */
function escapeText(text: string): string {
  return safeTextOf(text).replace(/[&<>"']/gu, (character) => entities[character]!);
}

/** Caches the texts of each template after the removal of its line breaks. */
const compactTexts = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Removes the indentation of templates: a line break with its spaces is removed between two tags, and becomes one space elsewhere. */
function compactTextsOf(strings: TemplateStringsArray): readonly string[] {
  let texts = compactTexts.get(strings);
  if (texts === undefined) {
    texts = strings.map((text) => text.replaceAll(/>\s*\n\s*</gu, "><").replaceAll(/\s*\n\s*/gu, " "));
    compactTexts.set(strings, texts);
  }
  return texts;
}

/** Fills a template. Values are escaped unless they are `Markup`. */
export function html(strings: TemplateStringsArray, ...values: readonly MarkupPart[]): Markup {
  return new Markup(compactTextsOf(strings).reduce((text, string, at) => text + shown(values[at - 1]!) + string));
}

function shown(value: MarkupPart): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === "string") return escapeText(value);
  return typeof value === "number" ? String(value) : value.map(shown).join("");
}

export const nothing: Markup = new Markup("");

/** A text in small type; nothing for no text. */
export function smallMarkup(text: string): Markup {
  return text === "" ? nothing : html`<small>${text}</small>`;
}
