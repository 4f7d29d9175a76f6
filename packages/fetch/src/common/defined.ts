// Leaves out the members of an object that are undefined.

/** A copy without the members that are undefined; the others keep their order. */
export function definedOf<T extends object>(members: { readonly [Name in keyof T]: T[Name] | undefined }): T {
  const defined: Partial<Record<keyof T, unknown>> = {};
  for (const name of Object.keys(members) as (keyof T)[]) {
    if (members[name] !== undefined) defined[name] = members[name];
  }
  return defined as T;
}
