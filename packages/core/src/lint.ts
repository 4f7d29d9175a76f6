// Exports the public names of @robots-stream/core/lint.
export { type DialectName, type ParseOptions } from "./read/dialect.ts";
export {
  type Finding,
  type FindingArgs,
  type FindingCode,
  type FindingOf,
  type FindingSeverity,
  findingSeverities,
} from "./lint/findings.ts";
export { lint } from "./lint/lint.ts";
export { recordTypes, type RecordType } from "./lint/record-types.ts";
export { sentenceOf } from "./lint/sentences.ts";
export { type Directive, type DirectiveType, parseDirectives } from "./read/directives.ts";
export { type RecordScope } from "./read/types.ts";
