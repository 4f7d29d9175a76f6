// Names the files among those by which requests were judged that are no robots.txt: such a file allows every URL.
import type { AuditDocument, DocumentOrigin } from "../document/types.ts";
import type { DayWords } from "./day-words.ts";
import { shownOriginOf } from "./finding-words.ts";

/** The documents' members about the texts of versions. */
type Texts = Pick<AuditDocument, "files" | "lint">;

/** An origin, and the positions of the intervals whose files judged its requests. */
interface JudgingOrigin {
  readonly origin: DocumentOrigin;
  readonly intervals: ReadonlySet<number>;
}

/** The maximum number of files that are named. */
const mostNamed = 3;

/** Codes of the linter that a file without a line for crawlers can have. */
const codesOfForeign = new Set(["not-robots-txt", "utf-16", "bom", "invalid-utf8"]);

/**
 * Returns " The file of 5 November is HTML, not a robots.txt; it allows every URL.", or "" if all files are robots.txt files, as far as the
 * document has the linter's findings.
 */
export function foreignFilesTextOf(judging: readonly JudgingOrigin[], texts: Texts, dayText: DayWords): string {
  const foreign = judging.flatMap(({ origin, intervals }) => {
    const seen = new Set<string>();
    return [...intervals]
      .toSorted((one, other) => one - other)
      .flatMap((at) => {
        const { version, from, fromLatest } = origin.intervals[at]!;
        const format = seen.has(version) ? undefined : formatInsteadOf(version, texts);
        seen.add(version);
        const when = origin.isDated && from !== null ? ` of ${dayText({ from, fromLatest })}` : "";
        const where = judging.length > 1 ? ` of ${shownOriginOf(origin.origin)}` : "";
        return format === undefined ? [] : [` The file${where}${when} is ${format}; it allows every URL.`];
      });
  });
  const more = foreign.length - mostNamed;
  const rest = more > 0 ? ` ${more} more ${more === 1 ? "file is" : "files are"} no robots.txt.` : "";
  return `${foreign.slice(0, mostNamed).join("")}${rest}`;
}

/** "HTML, not a robots.txt" for a version that is no robots.txt and has no user-agent line; undefined for others, and unknown ones. */
function formatInsteadOf(version: string, { files, lint }: Texts): string | undefined {
  const rows = Object.hasOwn(lint, version) ? lint[version]! : [];
  const text = Object.hasOwn(files, version) ? files[version]! : undefined;
  if (text === undefined || !rows.every(([, , code]) => codesOfForeign.has(code)) || /^\s*user.?agent/imu.test(text)) {
    return undefined;
  }
  if (rows.some(([, , code]) => code === "utf-16")) return "UTF-16, not a robots.txt that crawlers can read";
  const sentence = rows.find(([, , code]) => code === "not-robots-txt")?.[3];
  return sentence === undefined
    ? undefined
    : (/^This is (.{1,40}, not a robots\.txt)\.$/u.exec(sentence)?.[1] ?? "no robots.txt");
}
