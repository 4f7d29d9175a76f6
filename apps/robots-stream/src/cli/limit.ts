// Parses the conditions of `--fail-on` that limit a count.

/** A condition: the count `name` is larger than `moreThan`. */
export interface Limit<Name extends string> {
  readonly name: Name;
  readonly moreThan: number;
}

/** Parses a name, ">" and a whole number; undefined for other texts and for names that are not among `names`. */
export function limitIn<Name extends string>(text: string, names: readonly Name[]): Limit<Name> | undefined {
  const [, word, digits] = /^([a-z-]+) ?> ?(\d{1,15})$/.exec(text) ?? [];
  const name = names.find((each) => each === word);
  return name === undefined ? undefined : { name, moreThan: Number(digits) };
}
