// Makes an automaton that accepts the targets that URLs can have, in the form that a dialect compares.
import { dialectOf } from "@robots-stream/core/internal";
import type { DialectName } from "@robots-stream/core";

/** The targets of URLs as an automaton. State 0 is the beginning. */
export interface TargetForm {
  /** Characters that a target can have. */
  readonly characters: string;
  /** The state after a character, or -1 if no target can continue with this character. */
  next(state: number, code: number): number;
  /** Whether a target can end in a state. */
  canEnd(state: number): boolean;
  /** Characters that the search must try in a state even if no pattern contains them: the digits of an escape. */
  digitsAt(state: number): string;
  /** A target that is always allowed; undefined if the dialect has none. */
  readonly alwaysAllowed: string | undefined;
}

const hexDigits = "0123456789ABCDEF";
const [PERCENT, SLASH, QUESTION, BACKSLASH] = [0x25, 0x2f, 0x3f, 0x5c] as const;

/** Printable ASCII except the characters that a URL encodes (space, quotation mark, angle brackets) and `#`, which ends the target. */
const ofUrls = Array.from({ length: 0x7f - 0x21 }, (_, at) => String.fromCharCode(0x21 + at))
  .filter((character) => !'"#<>'.includes(character))
  .join("");

/** The characters that RFC 9309's form does not encode; all others are written as `%XX`. */
const plain = ofUrls.replaceAll(/[^A-Za-z0-9\-._~:/?[\]@!&'()+,;=]/g, "");

/**
 * The targets that `parseTarget` of @robots-stream/url makes, in the form that a dialect compares. Throws a `CoreError` for an
 * unknown dialect.
 */
export function targetFormOf(dialect: DialectName): TargetForm {
  const { normalizes, allowsRobotsTxt } = dialectOf(dialect);
  const form = normalizes ? normalizedForm : rawForm;
  return { ...form, alwaysAllowed: allowsRobotsTxt ? "/robots.txt" : undefined };
}

/** Whether a URL can have the target, in the form that is compared. */
export function isTarget(form: TargetForm, target: string): boolean {
  let state = 0;
  for (let at = 0; at < target.length && state >= 0; at++) state = form.next(state, target.charCodeAt(at));
  return state >= 0 && form.canEnd(state);
}

/** Phases of an escape: none, after "%", after "%" and a digit or an upper-case letter, after "%" and a lower-case letter. */
const [NONE, OPEN, UPPER, LOWER] = [1, 2, 3, 4] as const;
/** Added to a phase after the first "?", because only a query can contain backslashes. */
const inQuery = 8;

/** The form without normalization: the digits of escapes are upper case. */
const rawForm: Omit<TargetForm, "alwaysAllowed"> = {
  characters: ofUrls,
  next(state, code) {
    if (state === 0) return code === SLASH ? NONE : -1;
    if (!ofUrls.includes(String.fromCharCode(code))) return -1;
    const query = state & inQuery;
    const phase = state & ~inQuery;
    if (code === PERCENT) return OPEN | query;
    if (code === BACKSLASH && query === 0) return -1;
    if (code === QUESTION) return NONE | inQuery;
    const isUpper = (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x46);
    const isLower = code >= 0x61 && code <= 0x66;
    // "%c3" would be written "%C3".
    if ((phase === UPPER && isLower) || (phase === LOWER && (isLower || isUpper))) return -1;
    if (phase === OPEN && (isUpper || isLower)) return (isUpper ? UPPER : LOWER) | query;
    return NONE | query;
  },
  canEnd: (state) => state !== 0,
  digitsAt: () => "",
};

/** In the normalized form, the state after "%" is 2 (`OPEN`), and the state after the escape's first digit is 3 plus that digit. */
const firstDigit = 3;
const normalizedForm: Omit<TargetForm, "alwaysAllowed"> = {
  characters: `${plain}%`,
  next(state, code) {
    if (state === 0) return code === SLASH ? NONE : -1;
    const digit = hexDigits.indexOf(String.fromCharCode(code));
    if (state === OPEN) return digit < 0 || !hasForeign[digit]! ? -1 : firstDigit + digit;
    if (state >= firstDigit) return digit >= 0 && isForeign((state - firstDigit) * 16 + digit) ? NONE : -1;
    if (code === PERCENT) return OPEN;
    return plain.includes(String.fromCharCode(code)) ? NONE : -1;
  },
  canEnd: (state) => state === NONE,
  digitsAt: (state) => (state >= OPEN ? hexDigits : ""),
};

const isForeign = (byte: number): boolean => !plain.includes(String.fromCharCode(byte));
const hasForeign = Array.from(hexDigits, (_, high) =>
  Array.from(hexDigits, (_low, low) => high * 16 + low).some(isForeign),
);

/**
 * The characters to try: each character that the automata distinguish, and one that represents all others. The representative is not a
 * hexadecimal digit, because digits have a special meaning after "%".
 */
export function alphabetOf(form: TargetForm, isNamed: (code: number) => boolean): readonly number[] {
  const codes = Array.from(form.characters, (character) => character.charCodeAt(0));
  const named = codes.filter(isNamed);
  const other = Array.from("xzyjkqvwughilmnoprstXZ-_~YJKQVWUGHILMNOPRST!:@").find(
    (character) => form.characters.includes(character) && !isNamed(character.charCodeAt(0)),
  );
  if (other === undefined) return codes;
  const needsQuery = isNamed(BACKSLASH) && form.characters.includes("\\");
  // Every target begins with a slash.
  return [...new Set([other.charCodeAt(0), SLASH, ...(needsQuery ? [QUESTION] : []), ...named])];
}
