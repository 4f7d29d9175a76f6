// Merges the documents of parts of a log into the document of the whole log. Neither the split nor the order of the parts matters.
import { AuditCounter, checkCrawlers } from "../count/counter.ts";
import { AuditError, checkHas, checkList } from "../errors.ts";
import type { AuditHistory, OriginHistory } from "../history.ts";
import type { AuditCrawler } from "../states/judge.ts";
import { canonicalTextOf } from "./canonical.ts";
import { addDocument } from "./read.ts";
import type { AuditDocument, DocumentInput, DocumentOrigin } from "./types.ts";
import { documentOf } from "./write.ts";

/**
 * Merges one or more documents from `checkDocument` or `documentOf`. Throws an {@link AuditError}: `ERR_DIFFERENT_DOCUMENTS` if their
 * settings or histories differ, `ERR_SAME_INPUT_TWICE` if two documents count the same input.
 */
export function mergeDocuments(documents: readonly AuditDocument[]): AuditDocument {
  checkList(documents, "documents");
  for (const document of documents) checkHas(document, "origins");
  const merge = new DocumentMerge();
  for (const document of documents) merge.add(document);
  return merge.document();
}

/** What all documents of a merge must agree about. */
interface First {
  readonly name: string | undefined;
  readonly settings: AuditDocument["settings"];
}

/** A merge that takes documents one by one, and keeps none of them: it keeps their counts and what they know about robots.txt files. */
export class DocumentMerge {
  #first: First | undefined;
  #counter: AuditCounter | undefined;
  readonly #crawlers: AuditCrawler[] = [];
  readonly #known = new Map<string, OriginHistory>();
  /** The facts that documents state about a crawler, an origin or a version, by a description of the fact. */
  readonly #facts = new Map<string, unknown>();
  readonly #files = new Map<string, string>();
  readonly #lint = new Map<string, AuditDocument["lint"][string]>();
  readonly #inputs: DocumentInput[] = [];
  /** The names of the inputs with records, by hash. */
  readonly #inputNames = new Map<string, string>();

  /**
   * Adds a document from `checkDocument` or `documentOf`. `name` stands for the document in messages, such as its path. Throws an
   * {@link AuditError} as `mergeDocuments` does; the merge is then of no further use.
   */
  add(document: AuditDocument, name?: string): void {
    const { settings } = document;
    if (this.#first === undefined) this.#first = { name, settings };
    else checkSettingsEqual(this.#first, { name, settings });
    this.#addFacts(document, name);
    this.#addInputs(document.inputs, name);
    this.#counter ??= new AuditCounter({
      history: this.#historyOf(settings.history),
      crawlers: this.#crawlers,
      queryValues: settings.queryValues,
      limits: settings.limits,
    });
    checkCrawlers(this.#crawlers);
    addDocument(this.#counter, document);
  }

  /** The document of all added documents. Throws an {@link AuditError} without one, and for sums that are too large. */
  document(): AuditDocument {
    if (this.#first === undefined || this.#counter === undefined) {
      throw new AuditError("ERR_INVALID_DOCUMENT", "there is no document to merge");
    }
    const merged = documentOf(this.#counter, {
      settings: this.#first.settings,
      inputs: this.#inputs,
      textOf: (version) => this.#files.get(version),
      lintOf: (version) => this.#lint.get(version),
    });
    const { requests, bytes } = merged.totals;
    if (!Number.isSafeInteger(requests) || !Number.isSafeInteger(bytes)) {
      throw new AuditError("ERR_INVALID_DOCUMENT", "the sums of the documents are too large");
    }
    return merged;
  }

  /** The history that the documents contain. It suffices to write a document, but not to judge requests. */
  #historyOf(digest: string): AuditHistory {
    // The counter asks for an origin when it first counts it. The limits are those of the documents, so the number of origins is not needed.
    return { digest, origins: [], of: (origin) => this.#known.get(origin) };
  }

  /**
   * Checks that the documents say the same about a crawler, about the history of an origin, and about a version. Documents with equal
   * settings do, unless one of them was changed.
   */
  #addFacts({ crawlers, origins, files, lint }: AuditDocument, name: string | undefined): void {
    for (const crawler of crawlers) {
      if (this.#isNew(`crawler ${crawler.productToken}`, crawler, name)) this.#crawlers.push(crawler);
    }
    for (const each of origins) {
      const { origin, isKnown, isDated, isShared, intervals, outages } = each;
      const isNew = this.#isNew(
        `history of ${origin}`,
        { isKnown, isDated, isShared: isShared === true, intervals, outages },
        name,
      );
      if (isNew && isKnown) this.#known.set(origin, toldHistoryOf(each));
    }
    for (const [version, text] of Object.entries(files)) {
      if (this.#isNew(`files of ${version}`, text, name)) this.#files.set(version, text);
    }
    for (const [version, rows] of Object.entries(lint)) {
      if (this.#isNew(`lint of ${version}`, rows, name)) this.#lint.set(version, rows);
    }
  }

  #isNew(what: string, fact: unknown, name: string | undefined): boolean {
    const known = this.#facts.get(what);
    if (known === undefined) {
      this.#facts.set(what, fact);
      return true;
    }
    if (known !== fact && canonicalTextOf(known) !== canonicalTextOf(fact)) {
      const where = name === undefined ? "the documents say" : `${name} says`;
      throw new AuditError("ERR_DIFFERENT_DOCUMENTS", `${where} different things: ${what}`);
    }
    return false;
  }

  #addInputs(inputs: readonly DocumentInput[], name: string | undefined): void {
    for (const input of inputs) {
      this.#inputs.push(input);
      // A log without records, such as one of heading lines only, adds nothing to the counts.
      if (input.lines === 0) continue;
      const shown = name === undefined || name === input.name ? input.name : `${input.name} (counted in ${name})`;
      const known = this.#inputNames.get(input.sha256);
      if (known !== undefined) {
        throw new AuditError("ERR_SAME_INPUT_TWICE", `${known} and ${shown} hold the same ${input.bytes} bytes`);
      }
      this.#inputNames.set(input.sha256, shown);
    }
  }
}

/** The words for settings in messages; the default is the setting's name. */
const wordsOfSettings: Readonly<Record<string, string>> = {
  candidate: "candidate files",
  history: "robots.txt files",
  queryValues: "settings for query values",
  ranges: "lists of addresses",
  registry: "registries of crawlers",
};

function checkSettingsEqual(one: First, other: First): void {
  const { limits, ...settings } = one.settings;
  const all = { ...settings, ...limits };
  const others: Readonly<Record<string, unknown>> = { ...other.settings, ...other.settings.limits };
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

function toldHistoryOf({ origin, isDated, isShared, intervals, outages }: DocumentOrigin): OriginHistory {
  const cannotJudge = (): never => {
    throw new AuditError("ERR_INVALID_DOCUMENT", "a merged document judges no request");
  };
  return {
    origin,
    isDated,
    isShared,
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
