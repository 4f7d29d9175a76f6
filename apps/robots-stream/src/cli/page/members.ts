// Creates the source of the member `page` of each row, from the settings about pages, and reads the sitemaps that they name.
import type { Matcher } from "@robots-stream/core";
import { type RecordMembers, UsageError } from "@robots-stream/engine";
import {
  matchersOf,
  type Question,
  type SourcedRobots,
  utf8TextOf,
  Input,
  locateUrl,
} from "@robots-stream/engine/internal";
import type { InputStream } from "@robots-stream/engine/start";
import type { Ground } from "@robots-stream/page";
import type { PageSettings } from "./flags.ts";
import { htmlTextOf, type JudgedPage, PageJudge, type PageTexts } from "./judge.ts";
import { createNoRowsWriter } from "../read-records.ts";

type MemberRecord = Parameters<RecordMembers["valuesOf"]>[0];
type Values = ReturnType<RecordMembers["valuesOf"]>;

/**
 * Maximum number of grounds that a row lists. Without the limit, a page with thousands of tags would make a row with thousands of grounds.
 */
const mostGrounds = 20;
const mostKept = 1_000;

/**
 * Opens the source, and reads the sitemaps. Rejects with an `IoError` or a `UsageError` when a sitemap cannot be read to its end, and with
 * a `UsageError` when the sitemaps have too many URLs.
 */
export async function openPageMembers(settings: PageSettings, stdin: InputStream): Promise<RecordMembers> {
  const { sitemaps } = settings;
  const judge = new PageJudge(sitemaps.length === 0 ? undefined : await readSitemapUrls(sitemaps, stdin));
  const none: Values = [undefined];
  const matchers = new CanonicalMatchers();
  let kept = new Map<string, Values>();
  return {
    names: ["page"],
    fields: ["xRobotsTag", "robotsMeta", "html", "canonical"],
    texts: pageTextsOf(settings),
    valuesOf(record) {
      const page = judgedOf(judge, matchers, record, textsIn(record));
      if (page === undefined) return none;
      const json = JSON.stringify(pageObjectOf(page, record.isAllowed));
      let values = kept.get(json);
      if (values === undefined) {
        if (kept.size >= mostKept) kept = new Map();
        kept.set(json, (values = [json]));
      }
      return values;
    },
  };
}

/**
 * The matchers that decide canonical URLs. Only the matchers of the last robots.txt are cached, because the pages of a site usually follow
 * one another.
 */
class CanonicalMatchers {
  #robots: SourcedRobots | undefined;
  #matchers = new Map<Question, Matcher>();

  of(robots: SourcedRobots, question: Question): Matcher {
    if (robots !== this.#robots) {
      this.#robots = robots;
      this.#matchers = new Map();
    }
    let matcher = this.#matchers.get(question);
    if (matcher === undefined) this.#matchers.set(question, (matcher = matchersOf(robots, [question])[0]!));
    return matcher;
  }
}

/** Describes the fields from which readers take the texts of a page. */
export function pageTextsOf(settings: PageSettings): RecordMembers["texts"] {
  const text = (
    name: "xRobotsTag" | "robotsMeta" | "html" | "canonical",
    flag: string,
  ): RecordMembers["texts"][number] => ({
    name,
    field: settings[name],
    flag,
    isRequired: settings[name] !== undefined,
  });
  return [
    text("xRobotsTag", "--x-robots-tag"),
    text("robotsMeta", "--robots-meta"),
    text("html", "--html"),
    text("canonical", "--canonical"),
  ];
}

function textsIn(record: MemberRecord): PageTexts {
  const textOf = (field: number): string => utf8TextOf(record.textOf(field));
  const html = htmlTextOf(record.bytes.subarray(record.startOf(2), record.endOf(2)));
  return { xRobotsTag: textOf(0), robotsMeta: textOf(1), html, canonical: textOf(3) };
}

function judgedOf(
  judge: PageJudge,
  matchers: CanonicalMatchers,
  record: MemberRecord,
  texts: PageTexts,
): JudgedPage | undefined {
  const { question, origin, isAllowed } = record;
  const target = utf8TextOf(record.target());
  const allows = (other: string): boolean | undefined => {
    const robots = record.robots();
    return robots === undefined ? undefined : matchers.of(robots, question).decideTarget(other).allowed;
  };
  return judge.judge({ texts, agent: question.agent, origin, target, isAllowed, allows });
}

/** The judgement of a page, as an object for JSON. */
export function pageObjectOf({ decision, contradictions }: JudgedPage, isAllowed: boolean | undefined): object {
  const { engine, indexable, prohibited, because, isAmbiguous } = decision;
  const { maxSnippet, maxImagePreview, maxVideoPreview, unavailableAfter } = decision;
  const further = because.length - mostGrounds;
  return {
    engine,
    indexable,
    noindex: prohibited.includes("noindex"),
    nofollow: prohibited.includes("nofollow"),
    ...Object.fromEntries(prohibited.map((name) => [name, true])),
    maxSnippet,
    maxImagePreview,
    maxVideoPreview,
    unavailableAfter,
    // A crawler that may not fetch the page does not see the page's directives.
    seen: isAllowed === false ? false : undefined,
    ambiguous: isAmbiguous ? true : undefined,
    because: because.slice(0, mostGrounds).map(groundOf),
    further: further > 0 ? further : undefined,
    contradictions: contradictions.length > 0 ? contradictions : undefined,
  };
}

function groundOf({ directive, statement }: Ground): object {
  const { name, value } = directive;
  const { from, line, place } = statement;
  const tag = from === "meta" ? { name: statement.name, place } : { productToken: statement.name };
  return { directive: value === undefined ? name : `${name}: ${value}`, from, line, ...tag };
}

/** Maximum number of URLs; that many need about 500 MB of memory. */
const mostUrls = 5_000_000;

/** The URLs of sitemaps, compared as origins and targets. */
class SitemapUrls {
  readonly #urls = new Set<string>();

  has(origin: string, target: string): boolean {
    return this.#urls.has(origin + target);
  }

  /** Adds a URL, unless no robots.txt applies to it. Throws a `UsageError` when the set has too many URLs. */
  add(url: string): void {
    const located = locateUrl(url);
    if (typeof located === "string") return;
    this.#urls.add(located.origin + located.target);
    if (this.#urls.size > mostUrls) {
      throw new UsageError("wrong-value", `--sitemap: more than ${mostUrls} URLs`, "split the pages by site");
    }
  }
}

/**
 * Reads the files one after another. Rejects with an `IoError` or a `UsageError` for a file that cannot be read to its end, and with a
 * `UsageError` when the files have too many URLs.
 */
export async function readSitemapUrls(files: readonly string[], stdin: InputStream): Promise<SitemapUrls> {
  const urls = new SitemapUrls();
  const input = new Input(files, stdin, {
    format: undefined,
    maxLineBytes: 1_048_576,
    urlField: undefined,
    base: undefined,
  });
  await input.check(createNoRowsWriter);
  for await (const batch of input.batches(createNoRowsWriter())) {
    const packed = batch.records;
    for (let record = 0; record < packed.count; record++) urls.add(packed.urlOf(record));
    packed.recycle?.();
  }
  const [failure] = input.failures;
  if (failure !== undefined) throw failure;
  return urls;
}
