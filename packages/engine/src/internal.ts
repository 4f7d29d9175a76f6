// The exports of the engine for the project's own programs only. They are not stable: they change without notice.
import "@robots-stream/fetch/internal";
export { Engine } from "./stream/engine.ts";
export { bugTextOf, reasonOf, shortageOf } from "./common/errors.ts";
export { memberNamesOf, textsOf } from "./decide/record-members.ts";
export { type RowChoice, rowChoices } from "./decide/row-choice.ts";
export { targetOf } from "./files/identity.ts";
export { isStillAt, newFileFlags, readFileStart, readPipe } from "./files/open-file.ts";
export { type UsedFile, UsedFiles } from "./files/used-files.ts";
export { logMembers, type LogRowOptions } from "./formats/log-members.ts";
export { logMembersOf } from "./formats/logs/row.ts";
export { logFormatInput } from "./formats/logs/own-format.ts";
export { inputFormats, outputFormats } from "./formats/registry/registry.ts";
export {
  type OutputFormat,
  type RecordWriter,
  type RowForm,
  rowForms,
  type RowPrinter,
  type WriterKnowledge,
} from "./formats/types.ts";
export { checkToken, namesInList } from "./questions/tokens.ts";
export { RecordTimes } from "./locate/record-times.ts";
export { type CallerWords, setCallerWords } from "./common/caller-words.ts";
export { type ReadTime, readTime, type TimeWindow, timeMsOf } from "./common/times.ts";
export { ByteMemo } from "./records/byte-memo.ts";
export { checkedCrawlers, crawlerExample, crawlerListOf } from "./questions/own-crawlers.ts";
export { locateUrl, longestTarget, parseRequestUrl } from "./common/target.ts";
export { nodeCrypto, nodePerfHooks, nodeZlib } from "./common/node-parts.ts";
export { mostCountedOrigins } from "./origins/counted-origins.ts";
export { matchersOf } from "./origins/matchers.ts";
export { type DecidedByParts } from "./origins/matcher-cache.ts";
export { type OriginTable } from "./origins/origins.ts";
export { createWriteStage } from "./stream/output.ts";
export {
  dialectNames,
  type Question,
  type QuestionOptions,
  questionsOf,
  type TargetForm,
  targetForms,
  tokenMatches,
} from "./questions/questions.ts";
export { type InputFormat } from "./formats/input-format.ts";
export { type InputStream, type Reject } from "./records/batch.ts";
export { type AskedField, type FieldSpans, notInBytes, PackedRecords } from "./records/packed.ts";
export { numberIn, statusIn } from "./requests/number-fields.ts";
export { RequestPlaces, resolvedOf, type TargetForms } from "./requests/request-places.ts";
export { judgedCrawlerOf, type JudgedCrawler, usualReading } from "./questions/judged-crawler.ts";
export { TargetBytes } from "./locate/target-bytes.ts";
export { type RuledCrawler, type VersionDecision, VersionRules } from "./requests/version-rules.ts";
export { RobotsAsOf } from "./robots/history/as-of.ts";
export { readFolder } from "./robots/history/folder.ts";
export { readHistory } from "./robots/history/open.ts";
export { withOtherScheme } from "./robots/history/other-scheme.ts";
export { SeenRobots } from "./robots/history/seen-robots.ts";
export { RowMemory } from "./records/row-memory.ts";
export { robotsOf } from "./robots/parsed.ts";
export { checkAsked, sourcedOf } from "./robots/in-force.ts";
export { checkRobotsFile } from "./robots/robots-text.ts";
export { savedKindOf } from "./robots/saved-kind.ts";
export { openSavedSource } from "./robots/saved/open.ts";
export { type RobotsSource, type SourcedRobots } from "./robots/types.ts";
export { type InputPlace } from "./sources/behind.ts";
export { DirectInput } from "./sources/direct.ts";
export { type Fingerprint, fingerprintOf, mostFingerprintBytes } from "./records/fingerprint.ts";
export { lineToldBy } from "./sources/detect.ts";
export { type FirstRecord, look, type Look } from "./sources/look.ts";
export { Input } from "./sources/open.ts";
export { prepare } from "./sources/prepare.ts";
export { peek } from "./sources/peek.ts";
export { beginningOfFile, bytesOfFile, isFolder, nameOf, openSource, type Source } from "./sources/source.ts";
export { unpack } from "./sources/unpack.ts";
export { type Counts, Tally } from "./origins/tally.ts";
export { hashOf, isInShard, type Shard } from "./common/shard.ts";
export { baseOf } from "./questions/base.ts";
export { TempFile } from "./files/temp-file.ts";
export { byteStringOf, printableJsonOf, printableOf, shownWordOf, utf8TextOf } from "./common/text.ts";
export type { UrlField } from "./formats/url-parts.ts";
export { urlTemplateOf } from "./formats/url-template.ts";
