// Creates the source of the member `page` of each row, from the settings about pages.
import type { Matcher } from "@robots-stream/core";
import type { RecordMembers } from "@robots-stream/engine";
import {
  type InputStream,
  matchersOf,
  type Question,
  type SourcedRobots,
  utf8TextOf,
} from "@robots-stream/engine/internal";
import type { Ground } from "@robots-stream/page";
import type { PageSettings } from "./flags.ts";
import { htmlTextOf } from "./html-text.ts";
import { type JudgedPage, PageJudge, type PageTexts } from "./judge.ts";
import { readSitemapUrls } from "./sitemap-urls.ts";

type MemberRecord = Parameters<RecordMembers["valuesOf"]>[0];
type Values = ReturnType<RecordMembers["valuesOf"]>;

/**
 * Maximum number of grounds that a row lists. Without the limit, a page with thousands of tags would make a row with thousands of grounds.
 */
const mostGrounds = 20;
/** Maximum number of cached JSON texts. */
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
