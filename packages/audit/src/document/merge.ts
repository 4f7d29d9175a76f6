// Merges the documents of parts of a log into the document of the whole log. Neither the split nor the order of the parts matters.
import { AuditCounter } from "../count/counter.ts";
import { AuditError, checkHas, checkList } from "../errors.ts";
import type { AuditHistory, OriginHistory } from "../history/types.ts";
import type { AuditCrawler } from "../states/crawlers.ts";
import { canonicalTextOf } from "./canonical.ts";
import { checkTables } from "./check-tables.ts";
import { addDocument } from "./read.ts";
import type { AuditDocument, DocumentOrigin } from "./types.ts";
import { documentOf } from "./write.ts";

/**
 * Merges one or more documents from `checkDocument` or `documentOf`. Throws an {@link AuditError}: `ERR_DIFFERENT_DOCUMENTS` if their
 * settings or histories differ, `ERR_SAME_INPUT_TWICE` if two documents count the same input.
 */
export function mergeDocuments(documents: readonly AuditDocument[]): AuditDocument {
  checkList(documents, "documents");
  for (const document of documents) checkHas(document, "origins");
  return mergeParts(documents.map((document) => ({ head: document, counts: () => [document] })));
}

/** A part of a log. */
export interface DocumentPart {
  /** The name of the part in messages, such as the path of the document. */
  readonly name?: string | undefined;
  /** A document with settings, crawlers, inputs, files, and the known facts about the origins; its counts are ignored. */
  readonly head: AuditDocument;
  /** Documents with the counts of the part. Only one of them is in memory at a time. */
  counts(): Iterable<AuditDocument>;
}

/** Like `mergeDocuments`, for parts whose counts need not all be in memory at once. */
export function mergeParts(parts: readonly DocumentPart[]): AuditDocument {
  checkList(parts, "parts");
  const documents = parts.map(({ head }) => head);
  const [first] = documents;
  if (first === undefined) throw new AuditError("ERR_INVALID_DOCUMENT", "there is no document to merge");
  for (const other of parts.slice(1)) checkSettingsEqual(parts[0]!, other);
  checkFactsEqual(parts);
  checkInputsDiffer(parts);
  const files = Object.assign({}, ...documents.map((document) => document.files)) as Record<string, string>;
  const lint = Object.assign({}, ...documents.map((document) => document.lint)) as AuditDocument["lint"];
  const counter = new AuditCounter({
    history: historyOf(documents),
    crawlers: crawlersOf(documents),
    queryValues: first.settings.queryValues,
    limits: first.settings.limits,
  });
  let isWhole = true;
  for (const part of parts) {
    for (const document of part.counts()) {
      addDocument(counter, document);
      isWhole &&= document === part.head;
    }
  }
  const merged = documentOf(counter, {
    settings: first.settings,
    inputs: documents.flatMap(({ inputs }) => inputs),
    textOf: (version) => (Object.hasOwn(files, version) ? files[version] : undefined),
    lintOf: (version) => (Object.hasOwn(lint, version) ? lint[version] : undefined),
  });
  // Documents with some of the counts of a part cannot be checked one by one.
  if (!isWhole) checkTables(merged);
  const { requests, bytes } = merged.totals;
  if (!Number.isSafeInteger(requests) || !Number.isSafeInteger(bytes)) {
    throw new AuditError("ERR_INVALID_DOCUMENT", "the sums of the documents are too large");
  }
  return merged;
}

/** The words for settings in messages; the default is the setting's name. */
const wordsOfSettings: Readonly<Record<string, string>> = {
  candidate: "candidate files",
  history: "robots.txt files",
  queryValues: "settings for query values",
  ranges: "lists of addresses",
  registry: "registries of crawlers",
};

function checkSettingsEqual(one: DocumentPart, other: DocumentPart): void {
  const { limits, ...settings } = one.head.settings;
  const all = { ...settings, ...limits };
  const others: Readonly<Record<string, unknown>> = { ...other.head.settings, ...other.head.settings.limits };
  for (const [name, value] of Object.entries(all)) {
    if (others[name] !== value) {
      const shown = `${JSON.stringify(value)} and ${JSON.stringify(others[name])}`;
      const which =
        one.name === undefined || other.name === undefined ? "the documents" : `${one.name} and ${other.name}`;
      const what = wordsOfSettings[name] ?? `values of ${name}`;
      throw new AuditError("ERR_DIFFERENT_DOCUMENTS", `${which} were made with different ${what}: ${shown}`);
    }
  }
}

/**
 * Checks that all parts say the same about a crawler, about the history of an origin, and about a version. Documents with equal settings
 * do, unless one of them was changed.
 */
function checkFactsEqual(parts: readonly DocumentPart[]): void {
  const known = new Map<string, string>();
  for (const { name, head } of parts) {
    const facts: readonly (readonly [what: string, fact: unknown])[] = [
      ...head.crawlers.map((crawler) => [`crawler ${crawler.productToken}`, crawler] as const),
      ...head.origins.map(
        ({ origin, isKnown, isDated, intervals, outages }) =>
          [`history of ${origin}`, { isKnown, isDated, intervals, outages }] as const,
      ),
      ...(["files", "lint"] as const).flatMap((list) =>
        Object.entries(head[list]).map(([version, value]) => [`${list} of ${version}`, value] as const),
      ),
    ];
    for (const [what, fact] of facts) {
      const text = canonicalTextOf(fact);
      const other = known.get(what);
      if (other !== undefined && other !== text) {
        const where = name === undefined ? "the documents say" : `${name} says`;
        throw new AuditError("ERR_DIFFERENT_DOCUMENTS", `${where} different things: ${what}`);
      }
      known.set(what, text);
    }
  }
}

function checkInputsDiffer(parts: readonly DocumentPart[]): void {
  const seen = new Map<string, string>();
  for (const { name, head } of parts) {
    for (const input of head.inputs) {
      // A log without records, such as one of heading lines only, adds nothing to the counts.
      if (input.lines === 0) continue;
      const shown = name === undefined || name === input.name ? input.name : `${input.name} (counted in ${name})`;
      const known = seen.get(input.sha256);
      if (known !== undefined) {
        throw new AuditError("ERR_SAME_INPUT_TWICE", `${known} and ${shown} hold the same ${input.bytes} bytes`);
      }
      seen.set(input.sha256, shown);
    }
  }
}

/** The history that documents contain. It suffices to write a document, but not to judge requests. */
function historyOf(documents: readonly AuditDocument[]): AuditHistory {
  const known = new Map<string, OriginHistory>();
  for (const origin of documents.flatMap(({ origins }) => origins)) {
    if (origin.isKnown) known.set(origin.origin, toldHistoryOf(origin));
  }
  return {
    digest: documents[0]!.settings.history,
    origins: [...known.keys()].toSorted(),
    of: (origin) => known.get(origin),
  };
}

function toldHistoryOf({ origin, isDated, intervals, outages }: DocumentOrigin): OriginHistory {
  const cannotJudge = (): never => {
    throw new AuditError("ERR_INVALID_DOCUMENT", "a merged document judges no request");
  };
  return {
    origin,
    isDated,
    intervals: intervals.map(({ version, from, fromLatest, seen, policies }) => ({
      version,
      fromSeconds: from,
      fromLatestSeconds: fromLatest,
      seenSeconds: seen,
      policies,
    })),
    outages: outages.map(({ from, fromLatest, seen, end, code }) => ({
      fromSeconds: from,
      fromLatestSeconds: fromLatest,
      seenSeconds: seen,
      endSeconds: end,
      code,
    })),
    windowAt: cannotJudge,
    fetchedAt: cannotJudge,
  };
}

function crawlersOf(documents: readonly AuditDocument[]): readonly AuditCrawler[] {
  const byToken = new Map(
    documents.flatMap(({ crawlers }) => crawlers.map((crawler) => [crawler.productToken, crawler])),
  );
  return [...byToken.values()];
}
