// Reads files with the response header and the HTML of a page, and explains the page's directives for a crawler as text or for JSON.
import { UsageError } from "@robots-stream/engine";
import { printableOf, readFileStart, readPipe, reasonOf, shownWordOf } from "@robots-stream/engine/internal";
import { explainPage } from "@robots-stream/page";
import { htmlTextOf, type JudgedPage, PageJudge, type PageTexts } from "../../cli/page/judge.ts";
import { pageObjectOf } from "../../cli/page/members.ts";
import type { Answer } from "./answer.ts";

/** Paths of the files with the response header and the HTML of a page; undefined for a file that no flag names. */
export interface PageFiles {
  readonly headers: string | undefined;
  readonly html: string | undefined;
}

const mostHeaderBytes = 1_048_576;
const mostPageBytes = 2 * 1_048_576;
const mostMisnamed = 5;

/** Reads the files of a page. Rejects with a `UsageError` for a file that cannot be read, and with the signal's reason. */
export async function readPage({ headers, html }: PageFiles, signal?: AbortSignal): Promise<ExplainedPage> {
  const head =
    headers === undefined ? "" : (await bytesOf("headers", headers, mostHeaderBytes, signal)).toString("utf8");
  const page = html === undefined ? "" : htmlTextOf(await bytesOf("html", html, mostPageBytes, signal));
  const lines = lastHeadOf(head);
  return explainedPageOf(
    { xRobotsTag: linesOf(lines), robotsMeta: "", html: page, canonical: "" },
    lines.filter((line) => /^(?:x[-_]?)?robots?(?:[-_]?tags?)?[ \t]*:/i.test(line) && !isRobotsTag(line)),
  );
}

type ExplainedPage = ReturnType<typeof explainedPageOf>;

/** Explains the directives of one page for the URL and the crawler of an answer. `misnamed`: header lines with a misspelt X-Robots-Tag. */
function explainedPageOf(texts: PageTexts, misnamed: readonly string[]) {
  const judge = new PageJudge(undefined);
  const judged = ({ origin, question, trace }: Answer): JudgedPage | undefined => {
    const { allowed: isAllowed } = trace.decision;
    return judge.judge({
      texts,
      agent: question.agent,
      origin,
      target: trace.path,
      isAllowed,
      allows: () => undefined,
    });
  };
  return {
    /** Returns lines of text to print below the explanation of an answer. Each line ends in a newline. */
    textOf(answer: Answer): string {
      const page = judged(answer);
      const ofMisnamed = misnamed
        .slice(0, mostMisnamed)
        .map((line) => `Without effect: ${printableOf(line, 100)}, because the header is named X-Robots-Tag.`);
      if (page === undefined) return textOf(["The page has no directives for crawlers.", ...ofMisnamed]);
      const lines = [...explainPage(page.decision).split("\n"), ...ofMisnamed];
      if (page.contradictions.includes("noindex-not-seen"))
        lines.push(
          "robots.txt disallows the page, so the crawler does not see this noindex: the page can stay in the index.",
        );
      else if (!answer.trace.decision.allowed)
        lines.push("robots.txt disallows the page, so the crawler sees none of this.");
      if (page.contradictions.includes("engines-differ"))
        lines.push("Google, Bing and Yandex differ on whether they may index the page.");
      return textOf(lines);
    },

    /** Returns the page's directives as an object for the JSON output; null for a page without directives. */
    objectOf(answer: Answer): object | null {
      const page = judged(answer);
      return page === undefined ? null : pageObjectOf(page, answer.trace.decision.allowed);
    },
  };
}

function textOf(lines: readonly string[]): string {
  return `\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

/** Returns the header lines of the last response in `head`, which `curl -D` wrote. */
function lastHeadOf(head: string): readonly string[] {
  const lines = head.split(/\r?\n/);
  return lines.slice(lines.findLastIndex((line) => line.startsWith("HTTP/")) + 1);
}

function isRobotsTag(line: string): boolean {
  return /^x-robots-tag[ \t]*:/i.test(line);
}

function linesOf(lines: readonly string[]): string {
  return lines.flatMap((line) => (isRobotsTag(line) ? [`${line.slice(line.indexOf(":") + 1).trim()}\n`] : [])).join("");
}

async function bytesOf(flag: string, path: string, mostBytes: number, signal?: AbortSignal): Promise<Buffer> {
  try {
    return (await readPipe(path, mostBytes, signal)) ?? readFileStart(path, mostBytes);
  } catch (error) {
    signal?.throwIfAborted();
    throw new UsageError("wrong-value", `--${flag} ${shownWordOf(path)}: ${reasonOf(error)}`);
  }
}
