// Finds lines of a robots.txt whose effect differs from their appearance (RFC 9309 §2.2).
import { checkText } from "../read/errors.ts";
import { utf8Of } from "../read/bytes.ts";
import type { DirectiveCursor } from "../read/directives.ts";
import type { Finding } from "./findings.ts";
import { ALLOW, DISALLOW, USER_AGENT } from "../read/keys.ts";
import { checkCharacters } from "./characters.ts";
import { beginsWithComment, foreignFormatOf, isUtf16 } from "./file.ts";
import { cursorOf, hasUserAgent } from "./foreign.ts";
import { FindingsList, type Place } from "./findings-list.ts";
import { GroupReader } from "./groups.ts";
import { BLANK, checkKey } from "./keys.ts";
import { checkPattern } from "./patterns.ts";
import { RecordReader } from "./records.ts";
import { nameOfType, ruleOf } from "./rule.ts";
import { checkRules } from "./rules.ts";
import { Speller } from "./spelling.ts";
import { checkUsageGroups } from "./usage.ts";

/**
 * Finds lines whose effect differs from their appearance, in line order; lines are read as Google's parser reads them. Never throws for a
 * string or bytes; a string is read as its UTF-8 bytes. Only the first 512,000 bytes are read. At most 100 findings of each code are
 * returned; a finding of code `more-findings` has the number of the others. Linear in the input, apart from sorting. The rules of a crawler
 * are sorted only if at most 10,000 of them match different paths.
 */
export function lint(input: string | Uint8Array): readonly Finding[] {
  checkText(input, true);
  const bytes = typeof input === "string" ? utf8Of(input) : input;
  const list = new FindingsList(bytes);
  if (isUtf16(bytes) && !hasUserAgent(bytes)) {
    list.add("utf-16", fileStart, () => ({}));
    return list.inOrder();
  }
  checkByteOrderMark(list, bytes);
  const format = foreignFormatOf(bytes);
  if (format !== undefined) {
    const isRead = hasUserAgent(bytes);
    // An HTML comment may precede a real robots.txt; the line of the comment gets its own finding.
    if (!isRead || !beginsWithComment(bytes)) list.add("not-robots-txt", fileStart, () => ({ what: format }));
    // In an error page, every line would have a finding; one finding for the whole file is enough.
    if (!isRead) return list.inOrder();
  }
  lintLines(list, bytes);
  return list.inOrder();
}

const fileStart: Place = { line: 1, lineStart: 0, at: 0 };

/** Checks for a byte order mark and for an incomplete one; the parser skips both. */
function checkByteOrderMark(list: FindingsList, bytes: Uint8Array): void {
  if (bytes[0] !== 0xef) return;
  if (bytes[1] === 0xbb && bytes[2] === 0xbf) list.add("bom", fileStart, () => ({}));
  else if (bytes[1] === 0xbb || !(bytes[1]! >= 0x80)) list.add("invalid-utf8", fileStart, () => ({ byte: "0xEF" }));
}

function lintLines(list: FindingsList, bytes: Uint8Array): void {
  const cursor = cursorOf(bytes);
  const isCut = bytes.length > cursor.size;
  const groups = new GroupReader(list);
  const records = new RecordReader(list);
  const speller = new Speller();
  let hasBareCr = false;
  while (cursor.next()) {
    const { kind, line, lineStart, lineEnd } = cursor;
    if (!hasBareCr && bytes[lineEnd] === 0x0d && bytes[lineEnd + 1] !== 0x0a && lineEnd < cursor.size) {
      list.add("cr-only", { line, lineStart, at: lineEnd }, () => ({}));
      hasBareCr = true;
    }
    if (lineStart === lineEnd) {
      groups.takeOther(BLANK, line);
      continue;
    }
    const isLastOfCut = isCut && lineEnd === cursor.size;
    const holdsInvisible = checkCharacters(list, cursor, isLastOfCut);
    if (cursor.tooLong) {
      const limit = cursor.dialect.lineLimit;
      list.add("line-too-long", { line, lineStart, at: lineStart + limit }, () => ({
        bytes: lineEnd - lineStart,
        limit,
      }));
    }
    // A line cut at the size limit is not checked further, because it is not what the author wrote.
    if (isLastOfCut) break;
    const name = checkKey(list, cursor, speller, holdsInvisible);
    if (kind === USER_AGENT) groups.takeUserAgent(cursor);
    else {
      groups.takeOther(name, line);
      if (kind === ALLOW || kind === DISALLOW) takeRule(list, cursor, groups, kind === ALLOW);
      else records.take(name, cursor, groups.current);
    }
  }
  groups.checkEnd();
  checkRules(list, groups.groups);
  checkUsageGroups(list, groups.groups);
  if (groups.groups.length === 0) list.add("no-group", fileStart, () => ({}));
  if (isCut) {
    const { line, lineStart } = cursor;
    list.add("too-large", { line, lineStart, at: cursor.size }, () => ({ bytes: bytes.length, limit: cursor.size }));
  }
}

function takeRule(list: FindingsList, cursor: DirectiveCursor, groups: GroupReader, isAllow: boolean): void {
  const { line, lineStart, keyStart, valueStart, valueEnd } = cursor;
  const group = groups.current;
  const rule = ruleOf(cursor, isAllow);
  if (group === undefined) {
    const pattern = list.shown(valueStart, valueEnd);
    list.add("rule-outside-group", { line, lineStart, at: keyStart }, () => ({ type: nameOfType(isAllow), pattern }));
  } else group.rules.push(rule);
  if (valueStart < valueEnd) checkPattern(list, cursor, !isAllow);
  else if (isAllow) list.add("empty-allow", { line, lineStart, at: keyStart }, () => ({}));
}
