// Defines the findings of the linter: codes with their severities, and the data of each code.

/**
 * `"error"`: the line does not have the effect that its text states. `"warning"`: crawlers read the line differently, or its author
 * probably meant something else. `"info"`: the line has no effect, or the finding only states a fact.
 */
export type FindingSeverity = "error" | "warning" | "info";

/**
 * The data of a finding of each code, from which `sentenceOf` makes the finding's sentence. Texts are as written, not escaped, cut at 200
 * bytes.
 */
export interface FindingArgs {
  // The file.
  readonly bom: object;
  readonly "utf-16": object;
  /** `what`: the actual format of the file, such as `HTML`. */
  readonly "not-robots-txt": { readonly what: string };
  readonly "too-large": { readonly bytes: number; readonly limit: number };
  readonly "cr-only": object;
  readonly "no-group": object;
  // The bytes of a line.
  /** `byte`: the first byte that is not UTF-8, such as `0xE9`. */
  readonly "invalid-utf8": { readonly byte: string };
  readonly nul: object;
  /** `character`: such as `U+0003`. */
  readonly "control-character": { readonly character: string };
  readonly "invisible-character": { readonly character: string };
  readonly "line-too-long": { readonly bytes: number; readonly limit: number };
  // Keys. `key` is the key as written; `meant` and `name` are names of directives.
  readonly "forgiven-typo": { readonly key: string; readonly meant: string };
  readonly "prefix-key": { readonly key: string; readonly meant: string };
  readonly "misspelled-directive": { readonly key: string; readonly meant: string };
  readonly "forgiven-colon": { readonly name: string };
  readonly "missing-colon": { readonly name: string; readonly text: string };
  readonly "misplaced-colon": { readonly name: string; readonly value: string };
  /** `name`: the name of the directive that begins within a value. */
  readonly "several-directives": { readonly name: string };
  readonly "html-line": { readonly text: string };
  readonly "not-a-directive": { readonly text: string };
  readonly "unknown-directive": { readonly key: string };
  // User-agent lines and groups.
  readonly "empty-user-agent": object;
  readonly "no-token": { readonly value: string };
  readonly "token-cut": { readonly value: string; readonly token: string };
  readonly "user-agent-version": { readonly value: string; readonly token: string };
  readonly "user-agent-header": { readonly value: string; readonly token: string };
  readonly "several-names": { readonly value: string; readonly token: string };
  readonly "star-and-text": { readonly value: string };
  readonly "repeated-user-agent": { readonly token: string; readonly firstLine: number };
  readonly "duplicate-group": { readonly token: string; readonly firstLine: number };
  /**
   * `byLine`: a line between the user-agent lines; `by`: the kind of that line; `key`: the lower-case key of that line if it is a
   * directive.
   */
  readonly "joined-groups": {
    readonly afterLine: number;
    readonly byLine: number;
    readonly by: "blank" | "text" | "directive";
    readonly key: string;
  };
  readonly "group-without-rules": { readonly token: string };
  readonly "unbound-by-star": { readonly token: string };
  readonly "allow-only-group": { readonly token: string };
  // Rules. `pattern` is the pattern as written; `meant` is the pattern that the author may have meant.
  readonly "rule-outside-group": { readonly type: string; readonly pattern: string };
  readonly "pattern-never-matches": { readonly pattern: string; readonly meant: string };
  readonly "url-as-pattern": { readonly pattern: string; readonly meant: string };
  readonly "several-paths": { readonly pattern: string };
  readonly "blank-in-pattern": { readonly pattern: string };
  readonly "host-in-path": { readonly pattern: string; readonly meant: string };
  readonly "joined-paths": { readonly pattern: string };
  readonly "hash-in-value": { readonly value: string; readonly rest: string };
  readonly "useless-star": { readonly pattern: string; readonly meant: string };
  readonly "double-star": { readonly pattern: string };
  readonly "useless-end": { readonly pattern: string; readonly meant: string };
  readonly "dollar-inside": { readonly pattern: string };
  /** `escape`: an escape such as `%2A`; `character`: the character it encodes. */
  readonly "escaped-special": { readonly escape: string; readonly character: string };
  readonly "needless-escape": { readonly escape: string; readonly character: string };
  readonly "broken-escape": { readonly escape: string };
  readonly "lower-case-escape": { readonly escape: string; readonly meant: string };
  /** `meant`: the pattern in the form that is compared, with escapes. */
  readonly "raw-non-ascii": { readonly pattern: string; readonly meant: string };
  readonly "empty-rule": object;
  readonly "empty-allow": object;
  readonly "matches-robots-txt": { readonly pattern: string };
  readonly "duplicate-rule": { readonly type: string; readonly pattern: string; readonly firstLine: number };
  readonly "contradicted-rule": {
    readonly type: string;
    readonly pattern: string;
    readonly winner: string;
    readonly winnerLine: number;
  };
  readonly "redundant-rule": {
    readonly type: string;
    readonly pattern: string;
    readonly by: string;
    readonly byLine: number;
  };
  readonly "needless-allow": { readonly pattern: string };
  // Other records.
  /** `readers`: a comma-separated list of the operators whose crawlers read the record. */
  readonly "partly-read-record": { readonly name: string; readonly readers: string };
  readonly "unread-record": { readonly name: string; readonly source: string };
  readonly "noindex-record": object;
  readonly "host-record": object;
  readonly "empty-record": { readonly name: string };
  readonly "record-outside-group": { readonly name: string };
  readonly "crawl-delay-value": { readonly value: string };
  readonly "crawl-delay-large": { readonly seconds: number };
  readonly "crawl-delay-repeated": { readonly firstLine: number };
  readonly "sitemap-relative": { readonly value: string };
  readonly "sitemap-scheme": { readonly value: string; readonly scheme: string };
  readonly "sitemap-blank": { readonly value: string };
  readonly "sitemap-repeated": { readonly value: string; readonly firstLine: number };
  readonly "license-relative": { readonly value: string };
  // Content-Usage and Content-Signal; `name` is the record's name in lower case.
  /** `meant`: the path that the author may have meant. */
  readonly "usage-path-without-slash": { readonly name: string; readonly path: string; readonly meant: string };
  readonly "usage-upper-case": { readonly key: string; readonly meant: string };
  /** `rest`: the part of the value that begins where parsing fails. */
  readonly "usage-not-a-dictionary": { readonly rest: string };
  /**
   * `since`: the number of the first draft of the vocabulary that has the key no longer; empty if no draft had it. `meant`: the key that the
   * author may have meant; empty if there is none.
   */
  readonly "usage-unknown-key": {
    readonly name: string;
    readonly key: string;
    readonly since: string;
    readonly meant: string;
  };
  /** `values`: a comma-separated list of the values that have a meaning. */
  readonly "usage-unknown-value": {
    readonly name: string;
    readonly statement: string;
    readonly key: string;
    readonly values: string;
  };
  readonly "usage-contradicted": {
    readonly token: string;
    readonly statement: string;
    readonly other: string;
    readonly otherLine: number;
  };
  /** `others`: the number of further crawlers whose own group has no such record. */
  readonly "usage-unbound-by-star": {
    readonly name: string;
    readonly token: string;
    readonly groupLine: number;
    readonly others: number;
  };
  /** `count`: the number of findings of `code` that were left out. This finding is on the line of the first finding left out. */
  readonly "more-findings": { readonly code: string; readonly count: number };
}

/** The stable code of a kind of finding. */
export type FindingCode = keyof FindingArgs;

/** A finding of one code. */
export interface FindingOf<Code extends FindingCode> {
  readonly code: Code;
  readonly severity: FindingSeverity;
  /** Line number, from 1. */
  readonly line: number;
  /** Position in the line in UTF-16 code units, from 1; a byte order mark is not counted. */
  readonly column: number;
  readonly args: FindingArgs[Code];
}

/** A finding about a line: a union discriminated by `code`. */
export type Finding = { readonly [Code in FindingCode]: FindingOf<Code> }[FindingCode];

/** The severity of each code, in the order of the documentation. */
export const findingSeverities: Readonly<Record<FindingCode, FindingSeverity>> = {
  bom: "info",
  "utf-16": "error",
  "not-robots-txt": "error",
  "too-large": "error",
  "cr-only": "warning",
  "no-group": "info",

  "invalid-utf8": "warning",
  nul: "error",
  "control-character": "warning",
  "invisible-character": "error",
  "line-too-long": "error",

  "forgiven-typo": "warning",
  "prefix-key": "warning",
  "misspelled-directive": "error",
  "forgiven-colon": "warning",
  "missing-colon": "error",
  "misplaced-colon": "error",
  "several-directives": "error",
  "html-line": "warning",
  "not-a-directive": "warning",
  "unknown-directive": "warning",

  "empty-user-agent": "error",
  "no-token": "error",
  "token-cut": "warning",
  "user-agent-version": "info",
  "user-agent-header": "warning",
  "several-names": "error",
  "star-and-text": "warning",
  "repeated-user-agent": "info",
  "duplicate-group": "warning",
  "joined-groups": "warning",
  "group-without-rules": "info",
  "unbound-by-star": "warning",
  "allow-only-group": "warning",

  "rule-outside-group": "error",
  "pattern-never-matches": "error",
  "url-as-pattern": "error",
  "several-paths": "error",
  "blank-in-pattern": "error",
  "host-in-path": "warning",
  "joined-paths": "warning",
  "hash-in-value": "warning",
  "useless-star": "info",
  "double-star": "info",
  "useless-end": "info",
  "dollar-inside": "warning",
  "escaped-special": "warning",
  "needless-escape": "warning",
  "broken-escape": "warning",
  "lower-case-escape": "info",
  "raw-non-ascii": "info",
  "empty-rule": "info",
  "empty-allow": "warning",
  "matches-robots-txt": "info",
  "duplicate-rule": "info",
  "contradicted-rule": "warning",
  "redundant-rule": "info",
  "needless-allow": "info",

  "partly-read-record": "info",
  "unread-record": "info",
  "noindex-record": "warning",
  "host-record": "info",
  "empty-record": "warning",
  "record-outside-group": "warning",
  "crawl-delay-value": "error",
  "crawl-delay-large": "warning",
  "crawl-delay-repeated": "warning",
  "sitemap-relative": "error",
  "sitemap-scheme": "error",
  "sitemap-blank": "error",
  "sitemap-repeated": "info",
  "license-relative": "error",

  "usage-path-without-slash": "error",
  "usage-upper-case": "error",
  "usage-not-a-dictionary": "error",
  "usage-unknown-key": "warning",
  "usage-unknown-value": "warning",
  "usage-contradicted": "warning",
  "usage-unbound-by-star": "warning",

  "more-findings": "info",
};
