// One line in, the place of one member's value and of the closing brace out, checked as strictly as JSON.parse checks
// (RFC 8259) but without making an object: what is not asked for is only walked over.

/** What `scanObject` found; one object is used again and again. */
export interface ObjectScan {
  /** The place of the object's closing brace. */
  close: number;
  /** The raw value of the asked member, quotes included; -1 when there is no such member. Of several, the last. */
  valueStart: number;
  valueEnd: number;
  /** Whether the value has a backslash in it. */
  valueEscaped: boolean;
  /** Whether the object has a member of the taken name. */
  taken: boolean;
  /** Set when the line is no object: what was expected, and where. */
  expected: string;
  at: number;
}

/** Containers inside one another. JSON.parse has no such limit, but then a stack of its own. */
const maxDepth = 10_000;

/** A fresh result to be filled by `scanObject`. */
export function createObjectScan(): ObjectScan {
  return { close: -1, valueStart: -1, valueEnd: -1, valueEscaped: false, taken: false, expected: "", at: -1 };
}

/** Set by skipString and skipValue when they give -1: what they expected and where. */
let failedAt = 0;
let failedFor = "";
/** Set by skipString: whether the string had a backslash. */
let sawEscape = false;

/**
 * Walks over the object in text[start, end). `asked` and `taken` are names as bytes. `eachMember` gets the raw key and
 * raw value of every member. False when it is no JSON object: then `expected` and `at` say why.
 */
export function scanObject(
  text: string,
  start: number,
  end: number,
  asked: string,
  taken: string,
  found: ObjectScan,
  eachMember?: (keyStart: number, keyEnd: number, valueStart: number, valueEnd: number) => void,
): boolean {
  found.valueStart = -1;
  found.taken = false;
  if (text.charCodeAt(start) !== 0x7b) return fails(found, "{", start);
  let at = skipSpace(text, start + 1, end);
  if (at < end && text.charCodeAt(at) === 0x7d) return ends(text, at, end, found);
  for (;;) {
    if (at >= end || text.charCodeAt(at) !== 0x22) return fails(found, 'a name in "quotes"', at);
    const keyStart = at;
    at = skipString(text, at, end);
    if (at < 0) return fails(found, failedFor, failedAt);
    const keyEnd = at;
    const keyEscaped = sawEscape;
    at = skipSpace(text, at, end);
    if (at >= end || text.charCodeAt(at) !== 0x3a) return fails(found, ":", at);
    const valueStart = skipSpace(text, at + 1, end);
    const isString = valueStart < end && text.charCodeAt(valueStart) === 0x22;
    at = isString ? skipString(text, valueStart, end) : skipValue(text, valueStart, end);
    if (at < 0) return fails(found, failedFor, failedAt);
    const escaped = isString && sawEscape;
    if (isName(text, keyStart, keyEnd, keyEscaped, asked)) {
      found.valueStart = valueStart;
      found.valueEnd = at;
      found.valueEscaped = escaped;
    }
    if (isName(text, keyStart, keyEnd, keyEscaped, taken)) found.taken = true;
    eachMember?.(keyStart, keyEnd, valueStart, at);
    at = skipSpace(text, at, end);
    const next = at < end ? text.charCodeAt(at) : 0;
    if (next === 0x7d) return ends(text, at, end, found);
    if (next !== 0x2c) return fails(found, ", or }", at);
    at = skipSpace(text, at + 1, end);
  }
}

function ends(text: string, close: number, end: number, found: ObjectScan): boolean {
  found.close = close;
  const rest = skipSpace(text, close + 1, end);
  return rest === end ? true : fails(found, "the end of the line", rest);
}

function fails(found: ObjectScan, expected: string, at: number): false {
  found.expected = expected;
  found.at = at;
  return false;
}

/** Whether a raw key, quotes included, is a name given as bytes. */
function isName(text: string, start: number, end: number, escaped: boolean, name: string): boolean {
  if (escaped) return isEscapedName(text, start, end, name);
  return end - start - 2 === name.length && text.startsWith(name, start + 1);
}

/** The same for a valid key with a backslash in it, without making a string of it unless its name may go beyond ASCII. */
function isEscapedName(text: string, start: number, end: number, name: string): boolean {
  let at = start + 1;
  for (let place = 0; place < name.length; place++) {
    if (at === end - 1) return false;
    let code = text.charCodeAt(at++);
    if (code === 0x5c) {
      code = text.charCodeAt(at++);
      if (code === 0x75) {
        code = Number.parseInt(text.slice(at, at + 4), 16);
        at += 4;
      } else code = simpleEscapes.get(code) ?? code;
    }
    const wanted = name.charCodeAt(place);
    if (code >= 0x80 && wanted >= 0x80) return keyOf(text.slice(start, end)) === name;
    if (code !== wanted) return false;
  }
  return at === end - 1;
}

/** What the letters of escapes stand for, where that is not themselves. */
const simpleEscapes: ReadonlyMap<number, number> = new Map([
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
]);

/** The bytes that a raw JSON string, quotes included, means. */
export function keyOf(raw: string): string {
  if (!raw.includes("\\")) return raw.slice(1, -1);
  const text = JSON.parse(Buffer.from(raw, "latin1").toString("utf8")) as string;
  return Buffer.from(text, "utf8").toString("latin1");
}

function skipSpace(text: string, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x09 && code !== 0x0d && code !== 0x0a) break;
    at++;
  }
  return at;
}

/** From an opening quote to the place after the closing one, or -1. */
function skipString(text: string, from: number, end: number): number {
  sawEscape = false;
  let at = from + 1;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return failed("no control character in a string", at);
    if (code === 0x5c) {
      sawEscape = true;
      const next = text.charCodeAt(at + 1);
      if (next === 0x75) {
        for (let digit = at + 2; digit < at + 6; digit++) {
          if (digit >= end || !isHex(text.charCodeAt(digit))) return failed("four hexadecimal digits after \\u", digit);
        }
        at += 6;
      } else if (at + 1 < end && isSimpleEscape(next)) at += 2;
      else return failed("an escape that JSON knows", at);
    } else at++;
  }
  return failed('a closing "', end);
}

function isHex(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}

/** One of " \ / b f n r t. */
function isSimpleEscape(code: number): boolean {
  switch (code) {
    case 0x22:
    case 0x5c:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return true;
    default:
      return false;
  }
}

/** Whether a text without white space around it is a JSON value: whether JSON.parse would take it, without a throw if not. */
export function isJsonValue(text: string): boolean {
  return skipValue(text, 0, text.length, Number.POSITIVE_INFINITY) === text.length;
}

/** Over any value, containers included, without recursion; the place after it, or -1. */
export function skipValue(text: string, from: number, end: number, mostDepth: number = maxDepth): number {
  let at = from;
  // One entry for each open container: whether it is an object.
  const open: boolean[] = [];
  for (;;) {
    const code = at < end ? text.charCodeAt(at) : 0;
    if (code === 0x7b || code === 0x5b) {
      if (open.length >= mostDepth) return failed(`at most ${mostDepth} containers inside one another`, at);
      const isObject = code === 0x7b;
      open.push(isObject);
      at = skipSpace(text, at + 1, end);
      if (at >= end || text.charCodeAt(at) !== (isObject ? 0x7d : 0x5d)) {
        if (!isObject) continue;
        at = skipKey(text, at, end);
        if (at < 0) return -1;
        continue;
      }
      // An empty container: its closing bracket is handled below.
    } else {
      at = code === 0x22 ? skipString(text, at, end) : skipScalar(text, at, end);
      if (at < 0) return -1;
    }
    // After a value: close what ends here, and find the next value.
    for (;;) {
      const isObject = open.at(-1);
      if (isObject === undefined) return at;
      at = skipSpace(text, at, end);
      const next = at < end ? text.charCodeAt(at) : 0;
      if (next === (isObject ? 0x7d : 0x5d)) {
        open.pop();
        at++;
        continue;
      }
      if (next !== 0x2c) return failed(isObject ? ", or }" : ", or ]", at);
      at = skipSpace(text, at + 1, end);
      if (isObject) at = skipKey(text, at, end);
      if (at < 0) return -1;
      break;
    }
  }
}

/** Over a member's name and colon to its value, or -1. */
function skipKey(text: string, from: number, end: number): number {
  if (from >= end || text.charCodeAt(from) !== 0x22) return failed('a name in "quotes"', from);
  let at = skipString(text, from, end);
  if (at < 0) return -1;
  at = skipSpace(text, at, end);
  if (at >= end || text.charCodeAt(at) !== 0x3a) return failed(":", at);
  return skipSpace(text, at + 1, end);
}

/** Over true, false, null or a number; the place after it, or -1. */
function skipScalar(text: string, from: number, end: number): number {
  const code = from < end ? text.charCodeAt(from) : 0;
  const word = code === 0x74 ? "true" : code === 0x66 ? "false" : code === 0x6e ? "null" : "";
  if (word !== "") {
    const after = from + word.length;
    return after <= end && text.startsWith(word, from) ? after : failed("a value", from);
  }
  let at = code === 0x2d ? from + 1 : from;
  if (at < end && text.charCodeAt(at) === 0x30) at++;
  else {
    const digits = at;
    at = skipDigits(text, at, end);
    if (at === digits) return failed("a value", from);
  }
  if (at < end && text.charCodeAt(at) === 0x2e) {
    const digits = at + 1;
    at = skipDigits(text, digits, end);
    if (at === digits) return failed("a digit", at);
  }
  if (at < end && (text.charCodeAt(at) | 0x20) === 0x65) {
    at++;
    const sign = at < end ? text.charCodeAt(at) : 0;
    if (sign === 0x2b || sign === 0x2d) at++;
    const digits = at;
    at = skipDigits(text, digits, end);
    if (at === digits) return failed("a digit", at);
  }
  return at;
}

function skipDigits(text: string, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code < 0x30 || code > 0x39) break;
    at++;
  }
  return at;
}

function failed(what: string, at: number): -1 {
  failedFor = what;
  failedAt = at;
  return -1;
}
