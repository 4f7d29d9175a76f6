// Makes the members of an object when they are read first, for objects of which most callers read few members.

/** An object with the members that the functions make; each function is called at most once. */
export function madeWhenRead<Members extends object>(makers: {
  readonly [Name in keyof Members]-?: () => Members[Name];
}): Members {
  const made = {};
  for (const name of Object.keys(makers) as (keyof Members & string)[]) {
    Object.defineProperty(made, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        const value = makers[name]();
        Object.defineProperty(made, name, { enumerable: true, value });
        return value;
      },
    });
  }
  return made as Members;
}
