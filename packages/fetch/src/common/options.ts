// Reads a caller's option object: reads each value once, and checks it.
import { nearestOf } from "@robots-stream/core/internal";
import { definedOf } from "./defined.ts";
import { FetchError } from "./errors.ts";

/** The check of one value. Undefined is always allowed. */
export interface Check {
  readonly must: string;
  readonly accepts: (value: unknown) => boolean;
}

/** A check for each name of an option object. */
export type Checks<T> = Readonly<Record<keyof T, Check>>;

export const aBoolean: Check = { must: "be true or false", accepts: (value) => typeof value === "boolean" };
export const aFunction: Check = { must: "be a function", accepts: (value) => typeof value === "function" };
export const aText: Check = { must: "be a text", accepts: (value) => typeof value === "string" };
/** A number of 0 or more, including infinity. */
export const aNumber: Check = { must: "be 0 or more", accepts: (value) => typeof value === "number" && value >= 0 };
/** An object. Its members are checked elsewhere. */
export const anObject: Check = { must: "be an object", accepts: isObject };

/** An `AbortSignal` of this realm or of another realm. */
export const aSignal: Check = {
  must: "be an AbortSignal",
  accepts: (value) => isObject(value) && "aborted" in value && "addEventListener" in value,
};

/** A whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER): Check {
  const must = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  const accepts = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  return { must: `be a whole number ${must}`, accepts };
}

/** A number from 0 to `max`. */
export function numberTo(max: number): Check {
  const accepts = (value: unknown): boolean => typeof value === "number" && value >= 0 && value <= max;
  return {
    must: max === Number.POSITIVE_INFINITY ? "be a number of 0 or more" : `be a number from 0 to ${max}`,
    accepts,
  };
}

/** A value that passes either of two checks. */
export function eitherOf(one: Check, other: Check): Check {
  return { must: `${one.must} or ${other.must}`, accepts: (value) => one.accepts(value) || other.accepts(value) };
}

/** A list of texts. */
export const texts: Check = {
  must: "be a list of texts",
  accepts: (value) => Array.isArray(value) && value.every((each) => typeof each === "string"),
};

/** One of two texts. */
export function oneOf(one: string, other: string): Check {
  return { must: `be "${one}" or "${other}"`, accepts: (value) => value === one || value === other };
}

/**
 * Reads `given`: each value once, and no value inherited from Object.prototype. The result has every known name and no prototype; its
 * lists are copies. Throws `ERR_INVALID_OPTION` when `given` is not an object, for an unknown name, for a value that its check does
 * not accept, and when reading a value throws.
 */
export function readOptions<T extends object>(given: T | undefined, checks: Checks<T>, path = ""): T {
  const read = Object.create(null) as Record<string, unknown>;
  if (given !== undefined && !isObject(given)) throw invalid(`${path === "" ? "the options" : path} must be an object`);
  const prefix = path === "" ? "" : `${path}.`;
  try {
    for (const name of given === undefined ? [] : Object.keys(given)) {
      if (!Object.hasOwn(checks, name)) throw unknown(name, Object.keys(checks), prefix);
    }
    for (const name of Object.keys(checks) as (keyof T & string)[]) {
      const isInherited = given === undefined || (Object.hasOwn(Object.prototype, name) && !Object.hasOwn(given, name));
      const value: unknown = isInherited ? undefined : given[name];
      const kept: unknown = Array.isArray(value) ? Object.freeze([...(value as unknown[])]) : value;
      const { must, accepts } = checks[name];
      if (kept !== undefined && !accepts(kept)) throw invalid(`${prefix}${name} must ${must}`);
      read[name] = kept;
    }
  } catch (error) {
    if (error instanceof FetchError) throw error;
    throw invalid(
      `${prefix === "" ? "the options" : path} cannot be read: ${error instanceof Error ? error.message : "reading a value throws"}`,
    );
  }
  return read as T;
}

/** `defaults`, overridden by the values of `given` that are not undefined. */
export function withDefaults<T extends object>(defaults: T, given: Partial<T>): T {
  return { ...defaults, ...definedOf<Partial<T>>(given) };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `prefix` is the path to the option object with a dot after it, or empty. */
function unknown(name: string, names: readonly string[], prefix: string): FetchError {
  const nearest = nearestOf(name, names);
  const hint = nearest === undefined ? "" : `; did you mean ${prefix}${nearest}?`;
  return invalid(`${prefix}${name.slice(0, 40)} is not an option${hint}`);
}

function invalid(message: string): FetchError {
  return new FetchError("ERR_INVALID_OPTION", message);
}
