// The input format of sitemaps (sitemaps.org, 0.9): XML with a <url> for each page, or an index with a <sitemap> for each sitemap.
import type { Beginning, InputFormat } from "../input-format.ts";
import { isRoot, readSitemap, tagOf } from "./read.ts";
import { XmlTokens } from "./tokens.ts";

/** Sitemaps and their indexes. */
export const sitemap: InputFormat = {
  name: "sitemap",
  about: "sitemaps and their indexes (XML)",
  endings: [".xml"],
  recognize: (beginning) => (rootOf(beginning) === undefined ? undefined : "heading"),
  read: readSitemap,
};

/** The name of the first element if it is a sitemap's root; otherwise undefined. Comments, instructions and a DTD may precede it. */
function rootOf({ lines }: Beginning): string | undefined {
  const [first = ""] = lines;
  if (!first.startsWith("<")) return undefined;
  const bytes = Buffer.from(lines.join("\n"), "latin1");
  const tokens = new XmlTokens("\n", bytes.length);
  tokens.add(bytes);
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    const text = tokens.textOf(token.start, Math.min(token.end, token.start + 128));
    if (token.kind === "tag") {
      const tag = tagOf(text);
      return tag !== undefined && !tag.isEnd && isRoot(tag.local) ? tag.local : undefined;
    }
    if (token.kind === "broken" || token.kind === "cdata" || (token.kind === "text" && text.trim() !== "")) break;
  }
  return undefined;
}
