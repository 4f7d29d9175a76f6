// The exports of the engine for the project's own programs only. They are not stable: they change without notice.
import "@robots-stream/fetch/internal";

export { Engine } from "./stream/engine.ts";
export { reasonOf } from "./common/errors.ts";
export { textsOf } from "./decide/record-members.ts";
export { rowChoices } from "./decide/decider-options.ts";
export { targetOf } from "./files/used-files.ts";
export { isStillAt, newFileFlags, readFileStart } from "./files/open-file.ts";
export { type UsedFile, UsedFiles } from "./files/used-files.ts";
export { logMembers } from "./formats/log-members.ts";
export { logMembersOf } from "./formats/logs/row.ts";
export { logFormatInput } from "./formats/logs/lines.ts";
export { inputFormats, outputFormats } from "./formats/registry/registry.ts";
export { type OutputFormat, type RecordWriter, type RowForm, rowForms } from "./formats/types.ts";
export { type UrlParts } from "./formats/url-parts.ts";
export { checkToken, tokensIn } from "./questions/own-crawlers.ts";
export { setCallerWords } from "./common/caller-words.ts";
export { readTime } from "./common/times.ts";
export { ByteMemo } from "./records/byte-keys.ts";
export { crawlerListOf, crawlersInText } from "./questions/own-crawlers.ts";
export { locateUrl, longestTarget, parseRequestUrl } from "./common/target.ts";
export { matchersOf } from "./origins/matchers.ts";
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
export { type Reject } from "./records/batch.ts";
export { PackedRecords } from "./records/packed.ts";
export { RequestPlaces, RequestTarget } from "./requests/request-places.ts";
export { judgedCrawlerOf, usualReading } from "./questions/questions.ts";
export { VersionRules } from "./requests/version-rules.ts";
export { RobotsAsOf } from "./robots/history/as-of.ts";
export { readCandidate, readHistory } from "./robots/history/open.ts";
export { otherSchemeOf, withAssumed } from "./robots/history/timeline.ts";
export { seenByOrigin } from "./robots/history/by-origin.ts";
export { SeenRobots } from "./robots/history/seen-robots.ts";
export { robotsOf } from "./robots/in-force.ts";
export { FirstTold } from "./robots/first-told.ts";
export { sourcedOf } from "./robots/in-force.ts";
export { openSavedSource } from "./robots/saved/open.ts";
export { type RobotsSource, type SourcedRobots } from "./robots/in-force.ts";
export { fingerprintAt } from "./records/batch.ts";
export { factsAbout } from "./formats/url-field.ts";
export { look } from "./sources/look.ts";
export { Input } from "./sources/input.ts";
export { prepare } from "./sources/prepare.ts";
export { readPipe } from "./sources/source.ts";
export { beginningOfFile, bytesOfFile, isFolder, nameOf, openSource } from "./sources/source.ts";
export { peekUnpacked } from "./sources/unpack.ts";
export { Tally } from "./origins/tally.ts";
export { hashOf, isInShard } from "./common/shard.ts";
export { baseOf } from "./common/target.ts";
export { printableOf, shownWordOf, utf8TextOf } from "./common/text.ts";
export { urlTemplateOf } from "./formats/url-parts.ts";
