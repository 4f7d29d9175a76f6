// Makes each member of an object when it is first read, for objects of which most callers read few members.

/**
 * Returns an object with one member for each function of `makers`. Each function is called when its member is first read, and only once.
 */
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
