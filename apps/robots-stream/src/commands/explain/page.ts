// Reads files with the response header and the HTML of a page, and explains the page's directives for a crawler as text or for JSON.
import { UsageError } from "@robots-stream/engine";
import { readFileStart, readPipe, reasonOf, shownWordOf } from "@robots-stream/engine/internal";
import { explainPage } from "@robots-stream/page";
import { htmlTextOf } from "../../cli/page/html-text.ts";
import { type JudgedPage, PageJudge, type PageTexts } from "../../cli/page/judge.ts";
import { pageObjectOf } from "../../cli/page/members.ts";
import type { Answer } from "./answer.ts";

/** Paths of the files with the response header and the HTML of a page; undefined for a file that no flag names. */
export interface PageFiles {
  readonly headers: string | undefined;
  readonly html: string | undefined;
}

const mostHeaderBytes = 1_048_576;
const mostPageBytes = 2 * 1_048_576;

/** Reads the files of a page. Rejects with a `UsageError` for a file that cannot be read, and with the signal's reason. */
export async function readPage({ headers, html }: PageFiles, signal?: AbortSignal): Promise<ExplainedPage> {
  const head =
    headers === undefined ? "" : (await bytesOf("headers", headers, mostHeaderBytes, signal)).toString("utf8");
  const page = html === undefined ? "" : htmlTextOf(await bytesOf("html", html, mostPageBytes, signal));
  return new ExplainedPage({ xRobotsTag: linesOf(head), robotsMeta: "", html: page, canonical: "" });
}

/** Explains the directives of one page for the URL and the crawler of an answer. */
class ExplainedPage {
  readonly #texts: PageTexts;
  readonly #judge = new PageJudge(undefined);

  constructor(texts: PageTexts) {
    this.#texts = texts;
  }

  /** Returns lines of text to print below the explanation of an answer. Each line ends in a newline. */
  textOf(answer: Answer): string {
    const page = this.#judged(answer);
    if (page === undefined) return "\n  The page has no directives for crawlers.\n";
    const lines = explainPage(page.decision).split("\n");
    const isHidden = page.contradictions.includes("noindex-not-seen");
    if (isHidden)
      lines.push(
        "robots.txt disallows the page, so the crawler does not see this noindex: the page can stay in the index.",
      );
    else if (!answer.trace.decision.allowed)
      lines.push("robots.txt disallows the page, so the crawler sees none of this.");
    if (page.contradictions.includes("engines-differ")) {
      lines.push("Google, Bing and Yandex differ on whether they may index the page.");
    }
    return `\n${lines.map((line) => `  ${line}\n`).join("")}`;
  }

  /** Returns the page's directives as an object for the JSON output; null for a page without directives. */
  objectOf(answer: Answer): object | null {
    const page = this.#judged(answer);
    return page === undefined ? null : pageObjectOf(page, answer.trace.decision.allowed);
  }

  #judged({ origin, question, trace }: Answer): JudgedPage | undefined {
    const { allowed: isAllowed } = trace.decision;
    const target = trace.path;
    return this.#judge.judge({
      texts: this.#texts,
      agent: question.agent,
      origin,
      target,
      isAllowed,
      allows: () => undefined,
    });
  }
}

/**
 * Returns the values of X-Robots-Tag, one per line. `head`: header lines, as `curl -D` writes them. If `head` contains several responses,
 * only the last response is read.
 */
function linesOf(head: string): string {
  const lines = head.split(/\r?\n/);
  const last = lines.findLastIndex((line) => line.startsWith("HTTP/"));
  return lines
    .slice(last + 1)
    .flatMap((line) => (/^x-robots-tag[ \t]*:/i.test(line) ? [`${line.slice(line.indexOf(":") + 1).trim()}\n`] : []))
    .join("");
}

async function bytesOf(flag: string, path: string, mostBytes: number, signal?: AbortSignal): Promise<Buffer> {
  try {
    return (await readPipe(path, mostBytes, signal)) ?? readFileStart(path, mostBytes);
  } catch (error) {
    signal?.throwIfAborted();
    throw new UsageError("wrong-value", `--${flag} ${shownWordOf(path)}: ${reasonOf(error)}`);
  }
}
