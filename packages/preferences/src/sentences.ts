// Explains a usage in English sentences: one for each category with a statement, one for the key `use`, and one for each licence.
import { checkArgument } from "./errors.ts";
import type { Reason, Usage } from "./types.ts";
import { categories } from "./vocabulary.ts";

const whys = {
  "not-a-dictionary": "which is not a Dictionary of Structured Fields",
  "unknown-value": "a value without a meaning",
  partial: "which allows URL, title and snippet only",
  "no-effect": "which has no effect",
} as const;

/**
 * English sentences about a usage, for example `train-ai: disallow, by line 3 of the group for * (content-signal: "ai-train=no").` Texts of
 * the file are as written: escape control characters before printing the sentences to a terminal. Returns an empty array for a usage with
 * neither a statement nor a licence.
 */
export function sentencesOf(usage: Usage): string[] {
  checkArgument(
    categories.every((category) => Array.isArray((usage as Partial<Usage> | null | undefined)?.[category]?.by)),
    "A usage is what usageAt returns",
  );
  const sentences: string[] = [];
  for (const category of categories) {
    const { value, by } = usage[category];
    if (by.length > 0) sentences.push(`${category}: ${value}, by ${by.map(reasonOf).join("; and by ")}.`);
  }
  if (usage.use !== undefined) {
    sentences.push(`use: ${usage.use.value}, by ${usage.use.by.map(reasonOf).join("; and by ")}.`);
  }
  for (const licence of usage.licences) sentences.push(`Licence: ${licence}`);
  return sentences;
}

function reasonOf(reason: Omit<Reason, "value">): string {
  const { signal, statement, path, because, policy } = reason;
  const facts = [
    `"${statement}"`,
    ...(path === undefined ? [] : [`for ${path}`]),
    ...(because === undefined ? [] : [whys[because]]),
    ...(policy === undefined ? [] : [`policy ${policy}`]),
  ];
  return `${placeOf(reason)} (${signal}: ${facts.join(", ")})`;
}

function placeOf({ line, scope, productToken }: Omit<Reason, "value">): string {
  if (scope === "header") return "the response's header";
  if (scope === "page") return "the page";
  const group =
    scope === "file"
      ? "before all groups"
      : scope === "everybody"
        ? "of the group for *"
        : productToken === undefined
          ? "of the crawler's group"
          : `of the group of ${productToken}`;
  return `line ${line} ${group}`;
}
