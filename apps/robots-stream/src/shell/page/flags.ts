// The flags about pages, and the settings that they make.
import { type FlagShape, type FlagValues, lastOf } from "../command-line.ts";

/** The names of these flags. */
export type PageFlagName = "page" | "x-robots-tag" | "robots-meta" | "html" | "canonical" | "sitemap";

/** What is read of pages. A field that is undefined is one with a usual name, or that of a WARC response. */
export interface PageSettings {
  readonly xRobotsTag: string | undefined;
  readonly robotsMeta: string | undefined;
  readonly html: string | undefined;
  readonly canonical: string | undefined;
  /** Files with the URLs of the site's sitemaps. */
  readonly sitemaps: readonly string[];
}

/** The rows of these flags. */
export const pageFlags: readonly FlagShape<PageFlagName>[] = [
  {
    name: "page",
    about:
      "Add robots.page: what the page itself says to the crawler, from WARC responses or fields with usual names (Screaming Frog's among them).",
  },
  {
    name: "x-robots-tag",
    value: "FIELD",
    about: "Field with the X-Robots-Tag header, or a list of its lines. Adds robots.page.",
  },
  {
    name: "robots-meta",
    value: "FIELD",
    about: "Field with the content of <meta name=robots>, or a list of them. Adds robots.page.",
  },
  { name: "html", value: "FIELD", about: "Field with the HTML of the page. Adds robots.page." },
  { name: "canonical", value: "FIELD", about: "Field with the canonical URL of the page. Adds robots.page." },
  {
    name: "sitemap",
    value: "FILE",
    isRepeatable: true,
    file: { use: "reads" },
    about: "File with the URLs of the site's sitemap, in any input format. Adds robots.page.",
  },
];

/** Reads the flags; undefined when none of them is given. */
export function pageSettingsOf(values: FlagValues<PageFlagName>): PageSettings | undefined {
  if (!pageFlags.some(({ name }) => values.has(name))) return undefined;
  return {
    xRobotsTag: lastOf(values, "x-robots-tag"),
    robotsMeta: lastOf(values, "robots-meta"),
    html: lastOf(values, "html"),
    canonical: lastOf(values, "canonical"),
    sitemaps: values.get("sitemap") ?? [],
  };
}
