// Creates elements from texts, so that typed text is never parsed as markup.
import { visibleTextOf } from "@robots-stream/core/internal";

type Child = Node | string | undefined;

/** An element with attributes and children; an undefined attribute is left out. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** A button that runs an action. */
export function button(
  attributes: Readonly<Record<string, string | undefined>>,
  act: () => void,
  ...children: readonly Child[]
): HTMLButtonElement {
  const element = h("button", { type: "button", ...attributes }, ...children);
  element.addEventListener("click", act);
  return element;
}

/** The element of index.html with this id. Throws if there is no such element of this class. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`the page has no ${id}`);
  return element;
}

/** A text cut after `most` characters, with control characters and invisible characters as visible escapes. */
export function shown(text: string, most = 300): string {
  return visibleTextOf(text.length > most ? `${text.slice(0, most)}…` : text);
}

/** "1 rule", "2 rules". */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
